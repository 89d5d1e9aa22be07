-- Inputs that could not be read, and why.
select error_kind, count(*) as inputs, min(path) as first_path, min(error) as first_error
from runs
where error is not null
group by error_kind
order by inputs desc, error_kind
