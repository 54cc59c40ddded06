// SQL of checking whether goods may be released: a bounded number of house consignments by any identifier.
import type { Statement } from '../database/database.js';

/** What an organisation may know of the house consignments that an identifier identifies. */
export type ReleaseRow = {
  to_entry: number;
  to_control: number;
  entry_pending: number;
  entry_denied: number;
  undecided: number;
  not_presented: number;
  /** Where the control takes place, of those that go to control; `null` if it is not known of one. */
  locations: (string | null)[];
  /** Whether all were examined. */
  complete: boolean;
  /**
   * Whether something entered what the organisation presented, and is not presented and decided yet, or goes to control
   * without its knowledge: what it presented by
   * this identifier, or something that this identifier leads to, in a declaration that the organisation may see.
   */
  entered: boolean;
  /** Whether something is not presented in declarations of which the organisation is a party; not for the authority. */
  unpresented: boolean;
  /** The positions of the last signals of those that are decided, in their order; none for the authority. */
  positions: number[];
  /** The house consignments that are listed, as JSON text. */
  listed: string;
};

/**
 * Whether the organisation may see goods of the declaration `e`: it is a party, or presented some of them. Of statuses
 * that retention has removed, the declarations are kept.
 */
const maySee = `(
          $1::integer is null or $1 in (e.declarant, e.representative)
          or (select true from validation_status s
            where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
          or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
          or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null)`;

/** Whether the organisation has no signal of a house consignment. */
const isHidden = (id: string) => `$1 is not null and (
                select true from signal_recipient c
                where c.house_consignment_id = ${id} and c.organisation_id = $1 limit 1) is null`;

/** The states in the order in which goods are listed. */
const BY_URGENCY = `array['TO_CONTROL', 'ENTRY_DENIED', 'UNDECIDED', 'ENTRY_PENDING', 'NOT_PRESENTED', 'TO_ENTRY']`;

/** The declarations to which a column of goods leads, found one after the other without reading their goods. */
function visibleDeclarations(column: string, table = 'house_consignment'): string {
  return `with recursive found (identifier, ens) as (
          select $2::text, (select h.ens_id from ${table} h where h.${column} = $2 order by h.ens_id limit 1)
          union all
          select identifier, (
            select h.ens_id from ${table} h
            where h.${column} = identifier and h.ens_id > ens order by h.ens_id limit 1)
          from found where ens is not null
        )
        select identifier, ens from found
        where (select true from declaration e where e.id = ens and ${maySee} limit 1)`;
}

/**
 * Examines the house consignments that an identifier identifies, however it is spelled. An organisation sees those whose signals it
 * receives; they are looked up by their key. Of a declaration in which it presented nothing and which it did not lodge,
 * it sees none, so none is examined, whether an MRN, a master document, a receptacle or a container leads to it: a large declaration
 * of others takes no longer than one that does not exist (decision 0146). Every look-up is a subquery of one row, as in
 * `findPage`.
 *
 * @param organisationId `undefined` for the authority, which sees all
 * @param key of the identifier
 * @param examined maximum number of house consignments that are examined
 * @param listed maximum number of house consignments that are listed
 */
export function selectRelease(
  organisationId: number | undefined,
  key: string,
  examined: number,
  listed: number,
): Statement<ReleaseRow> {
  return {
    name: 'select-release',
    text: `
      with of_mrn as materialized (
        select e.id from declaration e
        where e.mrn = $2 and ${maySee}
      ),
      master as materialized (
        ${visibleDeclarations('master_document_key')}
      ),
      receptacle as materialized (
        ${visibleDeclarations('receptacle_id')}
      ),
      container as materialized (
        ${visibleDeclarations('container_id', 'house_consignment_container')}
      ),
      matching as materialized (
        (select h.id, h.ens_id, h.routing, h.routing_control_location as location from house_consignment h
          where h.document_key = $2 limit $3::integer + 1)
        union
        (select h.id, h.ens_id, h.routing, h.routing_control_location
          from master cross join lateral (
            select * from house_consignment h where h.master_document_key = identifier and h.ens_id = ens
            offset 0) h limit $3 + 1)
        union
        (select h.id, h.ens_id, h.routing, h.routing_control_location
          from receptacle cross join lateral (
            select * from house_consignment h where h.receptacle_id = identifier and h.ens_id = ens
            offset 0) h limit $3 + 1)
        union
        (select h.id, h.ens_id, h.routing, h.routing_control_location
          from container
          cross join lateral (
            select c.house_consignment_id from house_consignment_container c
            where c.container_id = identifier and c.ens_id = ens
            offset 0) c
          cross join lateral (select * from house_consignment h where h.id = c.house_consignment_id limit 1) h
          limit $3 + 1)
        union
        (select h.id, h.ens_id, h.routing, h.routing_control_location from house_consignment h
          where h.ens_id = any (array(select id from of_mrn)) limit $3 + 1)
      ),
      presented as materialized (
        select candidate.*, (
          select array[c.signal_position] from signal_recipient c
          where c.house_consignment_id = candidate.id and ($1 is null or c.organisation_id = $1) limit 1
        ) as first_signal
        from (select * from matching limit $3) candidate
      ),
      lodged as materialized (
        select e.id from declaration e
        where e.id in (select ens_id from matching) and $1 in (e.declarant, e.representative)
      ),
      known as materialized (
        select id, location,
          case when first_signal is null then 'NOT_PRESENTED' else coalesce(routing, 'UNDECIDED') end as state,
          case when $1 is not null and routing is not null then coalesce(
            (select max(i.position) from issued_signal i where i.house_consignment_id = presented.id and i.owner = $1),
            first_signal[1]) end as position
        from presented
        where first_signal is not null or $1 is null
      ),
      listed as materialized (
        select * from known
        order by array_position(${BY_URGENCY}, state), id
        limit $4
      )
      select
        (count(*) filter (where state = 'TO_ENTRY'))::integer as to_entry,
        (count(*) filter (where state = 'TO_CONTROL'))::integer as to_control,
        (count(*) filter (where state = 'ENTRY_PENDING'))::integer as entry_pending,
        (count(*) filter (where state = 'ENTRY_DENIED'))::integer as entry_denied,
        (count(*) filter (where state = 'UNDECIDED'))::integer as undecided,
        (count(*) filter (where state = 'NOT_PRESENTED'))::integer as not_presented,
        coalesce(json_agg(distinct location) filter (where state = 'TO_CONTROL'), '[]') as locations,
        (select count(*) from matching) <= $3 as complete,
        -- Only who has presented the reference is told, and only that there is something.
        (
          select true from presented_reference p
          cross join lateral (
            select house_consignment_id as house from entered_house_consignment e where e.presentation = p.number offset 0
          ) e
          cross join lateral (select * from house_consignment h where h.id = e.house limit 1) h
          where p.reference = $2 and ($1 is null or p.presenter = $1)
            and (h.routing is null
              or (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
              or (h.routing <> 'TO_ENTRY' and ${isHidden('h.id')}))
          limit 1
        ) is not null or (
          select true from matching m
          cross join lateral (
            select presentation from entered_house_consignment e where e.house_consignment_id = m.id offset 0
          ) entered
          cross join lateral (select presenter from presented_reference p where p.number = entered.presentation limit 1) p
          cross join lateral (select * from declaration e where e.id = m.ens_id limit 1) e
          where ($1 is null or p.presenter = $1) and ${maySee}
            and (m.routing is null
              or (select true from signal_recipient c where c.house_consignment_id = m.id limit 1) is null
              or (m.routing <> 'TO_ENTRY' and ${isHidden('m.id')}))
          limit 1
        ) is not null as entered,
        (select true from presented where first_signal is null and ens_id in (select id from lodged) limit 1) is not null
          as unpresented,
        coalesce(json_agg(position order by position) filter (where position is not null), '[]') as positions,
        (
          select '[' || coalesce(string_agg(h.signal_head || ',"state":"' || l.state || '"'
            || coalesce(',"routingControlLocation":"' || l.location || '"', '')
            || coalesce(',"documentIssueDate":' || (
              (select entry from routing_signal s where s.owner = $1 and s.position = l.position limit 1)::json
                -> 'routingResult' -> 'documentIssueDate')::text, '')
            || '}', ','
            order by array_position(${BY_URGENCY}, l.state), l.id), '')
            || ']'
          from listed l
          cross join lateral (select * from house_consignment h where h.id = l.id limit 1) h
        ) as listed
      from known`,
    values: [organisationId, key, examined, listed],
  };
}
