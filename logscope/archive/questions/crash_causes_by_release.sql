-- How often each cause ended a server, by the release of SGLang.
select coalesce(case when release_lo = release_hi then release_lo
                     else coalesce(release_lo, '') || '–' || coalesce(release_hi, '') end, 'unknown') as release,
       cause,
       count(*) as runs,
       min(start) as first_seen,
       max(start) as last_seen
from runs
where state in ('failed_startup', 'ready_then_crashed', 'hung')
group by release, cause
order by runs desc, release, cause
