-- How long servers of each model took from their first line to being ready.
select coalesce(model, 'unknown') as model,
       count(*) as starts,
       count(ready_s) as became_ready,
       round(min(ready_s), 1) as fastest_s,
       round(median(ready_s), 1) as median_s,
       round(quantile_cont(ready_s, 0.95), 1) as p95_s,
       round(max(ready_s), 1) as slowest_s,
       arg_max(path, ready_s) as slowest
from launches
group by model
order by median_s desc nulls last, model
