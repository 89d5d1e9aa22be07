-- Failures that look alike: how often, since when, where first, and how they look.
select fingerprint,
       count(*) as runs,
       mode(cause) as cause,
       min(coalesce(start, "end")) as first_seen,
       max(coalesce(start, "end")) as last_seen,
       arg_min(path, coalesce(start, "end")) as first_path,
       count(distinct host) as hosts,
       any_value(signature) as signature
from runs
where not healthy and cause <> 'not_enough_evidence'
group by fingerprint
order by runs desc, fingerprint
