"""A line that is too long for the screen is cut where it tells the least."""

from __future__ import annotations

from logscope.render._shortened import shortened

FAILED = (
    "10:37:09 Decode transfer failed for request rank=6 decode_req.req.rid='4cd7b74644f6bc098b8a655123be721d' "
    "decode_req.req.bootstrap_room=1049377338513644774 with exception KVTransferError(bootstrap_room=1049377338513644774): "
    "Request 1049377338513644774 timed out after 600.0s in KVPoll.WaitingForInput"
)


def test_numbers_of_requests_go_before_the_words_that_prove() -> None:
    assert shortened(FAILED, "The KV of a request did not arrive.", 250).endswith(
        "timed out after 600.0s in KVPoll.WaitingForInput"
    )


def test_what_the_sentence_names_stays_and_the_middle_goes() -> None:
    line = (
        "10:37:09 Traceback of "
        + "something else entirely, " * 12
        + "the allocator refused 1313792 bytes to the scheduler"
    )
    told = shortened(line, "The scheduler was refused 1313792 bytes.", 120)
    assert told.startswith("10:37:09 Traceback of")
    assert "refused 1313792 bytes to the scheduler" in told
    assert len(told) <= 121


def test_a_line_that_fits_or_of_which_nothing_is_named_is_left_alone() -> None:
    assert shortened(FAILED, "", 400) == FAILED
    plain = "word " * 60
    assert shortened(plain, "nothing of it", 100) == plain


def test_the_beginning_stays_where_it_names_as_much() -> None:
    line = "refused 1313792 bytes " + "and so on " * 30 + "refused 1313792 bytes"
    assert shortened(line, "It refused 1313792 bytes.", 100) == line
