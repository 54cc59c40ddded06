-- in batches: entry_summary_declaration
-- locks: nothing
--
-- Which house consignments had entered a presented reference was worked out by times when it was asked for.
with batch as (
  select id from entry_summary_declaration where id > coalesce($1, '0')::integer order by id limit $2
), entered as (
  insert into entered_house_consignment (house_consignment_id, presentation)
  select h.id, p.number
  from batch
  join level_presentation l on l.ens_id = batch.id
  join presented_reference p on p.reference = l.reference and p.level = l.level and p.presenter = l.presenter
    and p.request_id = l.request_id
  join house_consignment h on h.ens_id = l.ens_id
  join registration r on r.id = h.registration
  where l.at <= r.at
    and case l.level
      when 'ENTRY_SUMMARY_DECLARATION' then true
      when 'MASTER_CONSIGNMENT' then l.reference = h.master_document_number and l.document_type = h.master_document_type
      when 'RECEPTACLE' then l.reference = h.receptacle_id
      when 'CONTAINER' then (
        select true from house_consignment_container c
        where c.house_consignment_id = h.id and c.container_id = l.reference limit 1)
    end
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
)
select max(id)::text as position, count(*) as rows from batch
