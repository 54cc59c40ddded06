-- locks: nothing
--
-- Where only expected parties may present, a lodged house consignment is the same goods as one of an ENS if its submitter may
-- present that ENS. Before, its representative sufficed: but anybody may name a representative, and so would have read the
-- decisions on the goods of others and presented them. Everything else is as before.
create or replace function told_twice(of_document_key text, of_document_type text, expected_only boolean)
returns table (lodged uuid, declared uuid) language sql stable as $$
  with candidate as materialized (
    select o.*, e.kind, e.declarant, e.representative, e.carrier, e.presenters
    from house_consignment o
    cross join lateral (select * from declaration where id = o.ens_id offset 0) e
    where o.document_key = of_document_key and o.document_type = of_document_type
  ),
  declared as materialized (
    select d.*, coalesce((select at from registration where id = d.registration), '-infinity') as registered_at
    from (select * from candidate where kind is null order by id limit 100) d
  ),
  lodged as materialized (
    select l.*, m.lodged_at, m.ended_at
    from (
      select * from candidate c
      where kind = 'HOUSE' and (
        select true from declared d
        where d.master_document_key = c.master_document_key and d.master_document_type = c.master_document_type
          or d.receptacle_id = c.receptacle_id
        limit 1
      )
      order by id limit 1000
    ) l
    cross join lateral (select lodged_at, ended_at from movement where declaration_id = l.ens_id offset 0) m
  ),
  pair as materialized (
    select l.id as one, e.id as two, l.lodged_at, l.ended_at
    from lodged l
    join declared e on
      (l.master_document_key = e.master_document_key and l.master_document_type = e.master_document_type
        or l.receptacle_id = e.receptacle_id)
      and (l.ended_at is null or e.registered_at < l.ended_at)
      and not (e.routing is not distinct from 'TO_ENTRY' and (
        select true from signal_recipient c
        where c.house_consignment_id = e.id and c.first_presented_at < l.lodged_at - interval '7 days' limit 1
      ) is not null)
      -- One of several spellings of a declaration is meant by its own text only.
      and (e.only_spelling is null or e.only_spelling = l.document_number)
      and (not expected_only or may_present(l.declarant, e.declarant, e.representative, e.carrier, e.presenters))
  )
  select one, two from pair
  where not exists (select from pair closed where closed.two = pair.two and closed.ended_at <= pair.lodged_at)
$$;
