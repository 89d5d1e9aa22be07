-- How much device memory was left when servers of each model were ready, and what the pool could hold.
with numbers as (
  select path, launch, rank,
         max(value) filter (where name = 'avail_at_ready') as avail_at_ready_gib,
         max(value) filter (where name = 'avail_before_load') as avail_before_load_gib,
         max(value) filter (where name = 'weights') as weights_gib,
         max(value) filter (where name = 'max_total_num_tokens') as pool_tokens
  from facts
  group by path, launch, rank
)
select coalesce(launches.model, 'unknown') as model,
       count(*) as ranks,
       round(min(avail_at_ready_gib), 2) as least_gib,
       round(median(avail_at_ready_gib), 2) as median_gib,
       round(100 * min(avail_at_ready_gib / nullif(avail_before_load_gib, 0)), 1) as least_percent,
       round(median(weights_gib), 2) as weights_gib,
       cast(min(pool_tokens) as bigint) as least_pool_tokens
from numbers join launches using (path, launch)
where avail_at_ready_gib is not null
group by model
order by least_percent, model
