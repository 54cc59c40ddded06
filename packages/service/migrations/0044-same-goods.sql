-- locks: nothing
--
-- Goods that carriers lodge may be declared in an ENS as well: both records are of the same goods, and a decision on one is a
-- decision on both.

-- Which lodged house consignments of a house document are the same goods as which ones of an ENS: those with the same master
-- document or the same receptacle. Withdrawn and cancelled goods are no goods any more. Where only expected parties may
-- present, whoever has lodged the goods must be one for the ENS, or its representative.
--
-- Numbers of documents are used again after a message was closed. So what was closed is the same goods as an ENS that was
-- registered before that, and never as a later one; and that ENS is none of the goods that were lodged afterwards.
--
-- The first hundred records of each kind count: anybody can lodge as many as he likes.
create function told_twice(of_document_key text, of_document_type text, expected_only boolean)
returns table (lodged uuid, declared uuid) language sql stable as $$
  with candidate as materialized (
    select o.*, e.kind, e.declarant, e.representative, e.carrier, e.presenters
    from house_consignment o
    cross join lateral (select * from declaration where id = o.ens_id offset 0) e
    where o.document_key = of_document_key and o.document_type = of_document_type
  ),
  lodged as materialized (
    select l.*, m.lodged_at, m.ended_at
    from (select * from candidate where kind = 'HOUSE' order by id limit 100) l
    cross join lateral (select lodged_at, ended_at from movement where declaration_id = l.ens_id offset 0) m
  ),
  declared as materialized (
    select d.*, coalesce((select at from registration where id = d.registration), '-infinity') as registered_at
    from (select * from candidate where kind is null order by id limit 100) d
  ),
  pair as materialized (
    select l.id as one, e.id as two, l.lodged_at, l.ended_at
    from lodged l
    join declared e on
      (l.master_document_key = e.master_document_key and l.master_document_type = e.master_document_type
        or l.receptacle_id = e.receptacle_id)
      and (l.ended_at is null or e.registered_at < l.ended_at)
      -- One of several spellings of a declaration is meant by its own text only.
      and (e.only_spelling is null or e.only_spelling = l.document_number)
      and (not expected_only
        or may_present(l.declarant, e.declarant, e.representative, e.carrier, e.presenters)
        or may_present(l.representative, e.declarant, e.representative, e.carrier, e.presenters))
  )
  select one, two from pair
  where not exists (select from pair closed where closed.two = pair.two and closed.ended_at <= pair.lodged_at)
$$;

-- The other records of the same goods: all that are connected by pairs of a lodged house consignment and one of an ENS. So an
-- ENS that was registered twice is found too, as soon as somebody has lodged its goods.
create function same_goods(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
declare
  h record;
begin
  select document_key, document_type into h from house_consignment where id = house;
  if h.document_key is null or (
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is null then
    return;
  end if;
  return query
  with recursive pair as materialized (
    select lodged as one, declared as two from told_twice(h.document_key, h.document_type, expected_only)
  ),
  reached (id) as (
    select house
    union
    select case when pair.one = reached.id then pair.two else pair.one end
    from reached join pair on reached.id in (pair.one, pair.two)
  )
  select id from reached where id <> house;
end
$$;
