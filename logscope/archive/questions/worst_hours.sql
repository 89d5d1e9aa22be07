-- The hours in which most servers died, and of what.
select date_trunc('hour', "end") as hour,
       count(*) as deaths,
       count(distinct fingerprint) as kinds_of_failure,
       mode(cause) as most_common_cause,
       count(distinct host) as hosts
from runs
where state in ('failed_startup', 'ready_then_crashed', 'hung') and "end" is not null
group by hour
order by deaths desc, hour
limit 50
