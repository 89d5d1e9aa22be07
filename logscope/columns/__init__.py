"""Hot families read column by column: a block of lines becomes arrays, with no Python object a line.

What a line must look like is learned from lines that were read one by one: the bytes that all lines of a shape have in
common, and where its numbers stand. A line is taken only if every byte of it is a literal of such a template or a digit
of one of its numbers, so both ways of reading give the same; every other line is handed back.
"""
