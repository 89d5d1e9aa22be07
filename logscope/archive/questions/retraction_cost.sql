-- What retraction cost each launch: how often the pool was full, how many requests had to begin again.
select path,
       launch,
       count(*) as retractions,
       sum(retracted_requests) as retracted_requests,
       sum(aborted_requests) as aborted_requests,
       min(time) as first_seen,
       max(time) as last_seen,
       max(new_token_ratio_after) as largest_new_token_ratio
from retraction
group by path, launch
order by retracted_requests desc, path, launch
limit 100
