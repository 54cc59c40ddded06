-- locks: nothing
--
-- Movement messages end by themselves: they expire, or are closed some time after their goods were presented. Reference
-- documents that come late complete the messages that wait for them.

-- Documents that a current house consignment cites and that registers did not have when it was lodged.
create table awaited_document (
  declaration_id integer not null references movement on delete cascade deferrable initially deferred,
  -- As in reference_document.
  kind text not null collate "C" check (kind in ('CUDE', 'N820')),
  reference text not null collate "C",
  primary key (declaration_id, kind, reference)
);
create index awaited_document_reference on awaited_document (reference, kind);

-- Whether a declaration is a message that was closed: carriers use the numbers of documents again.
create function is_closed(message integer) returns boolean language sql stable as $$
  select exists (select from movement where declaration_id = message and state = 'CLOSED')
$$;

-- As before, but without an MRN, goods of a closed message are found only if no others have the document.
create or replace function find_house_consignment_of_any_kind(mrn text, document_number text, document_type text)
returns table (houses integer, house uuid) language sql stable as $$
  select count(*)::integer, case when count(*) = 1 then (array_agg(id))[1] end
  from (
    (select h.id from declaration e
      cross join lateral (
        select * from house_consignment
        where ens_id = e.id and document_key = identifier_key($2) and house_consignment.document_type = $3
        order by only_spelling offset 0
      ) h
      where e.mrn = $1 and (h.only_spelling is null or h.only_spelling = $2) limit 1)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_key = identifier_key($2) and h.document_type = $3
        and (h.only_spelling is null or h.only_spelling = $2)
        and (select kind from declaration where id = h.ens_id) is null limit 2)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_key = identifier_key($2) and h.document_type = $3
        and (h.only_spelling is null or h.only_spelling = $2)
        and (select kind from declaration where id = h.ens_id) is not null
        and (
          select true from house_consignment o
          where o.document_key = identifier_key($2) and o.document_type = $3
            and (o.only_spelling is null or o.only_spelling = $2)
            and (
              (select kind from declaration where id = o.ens_id) is null
              or is_closed(h.ens_id) and not is_closed(o.ens_id)
            ) limit 1
        ) is null limit 2)
  ) found
$$;

-- The same for goods under a master document.
create or replace function reach_level(level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean) returns table(house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
language plpgsql stable as $$
declare
  reference_key constant text := identifier_key(reference);
begin
  if level = 'MASTER_CONSIGNMENT' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h
        where h.master_document_key = reference_key and h.master_document_type = reference_type
        order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_key = reference_key and h.master_document_type = reference_type and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    ),
    reached as (
      select e.id, e.mrn, e.declarant, e.representative, rank() over (order by e.kind is not null, e.kind is not null and is_closed(e.id)) as preference
      from found
      cross join lateral (select * from declaration where id = found.id offset 0) e
      where (reach_level.mrn is null or e.mrn = reach_level.mrn or e.kind = 'HOUSE' and is_under_master(e.id, reach_level.mrn))
        and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters))
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from (select * from reached where preference = 1 offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g
      where g.ens_id = e.id and g.master_document_key = reference_key and g.master_document_type = reference_type
      offset 0
    ) h;
  elsif level = 'RECEPTACLE' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h where h.receptacle_id = reference and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g where g.ens_id = e.id and g.receptacle_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'CONTAINER' then
    return query
    with recursive found (id) as (
      (select c.ens_id from house_consignment_container c where c.container_id = reference order by c.ens_id limit 1)
      union all
      select (select c.ens_id from house_consignment_container c
        where c.container_id = reference and c.ens_id > found.id order by c.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment_container c
      join house_consignment g on g.id = c.house_consignment_id
      where c.ens_id = e.id and c.container_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'ENTRY_SUMMARY_DECLARATION' then
    return query
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from entry_summary_declaration e
    left join house_consignment h on h.ens_id = e.id
    where e.mrn = reference and e.withdrawal is null
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  end if;
end
$$;

select audit_table('awaited_document', '{declaration_id,kind,reference}', '{}');
