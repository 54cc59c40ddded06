// SQL of arrivals: presented house consignments by the time of their first presentation, by indexes of their own.
import type { ArrivalCounts, UndecidedArrival } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** The numbers of an hour at a customs office; the time is `null` if all are decided. */
export type ArrivalRow = Omit<
  ArrivalCounts['arrivals'][number],
  'oldestUndecided' | 'entryPending' | 'entryDenied'
> & {
  entryPending: number;
  entryDenied: number;
  oldestUndecided: string | null;
};

/** The numbers of the arrivals in a range of time. Its cost is that of one look-up for each arrival in the range. */
export function countByHour(
  from: Date,
  to: Date,
  office: string | undefined,
): Statement<ArrivalRow> {
  return {
    name: 'count-arrivals-by-hour',
    text: `
      with arrival as (
        select office, first_presented_at as at,
          (select routing from house_consignment h where h.id = s.house_consignment_id limit 1) as routing
        from signal_recipient s
        where first_presented_at >= $1 and first_presented_at < $2 and ($3::text is null or office = $3)
        offset 0 -- so that each consignment is looked up once, not in every count
      )
      select office as "customsOfficeOfPresentation", api_time(date_trunc('hour', at, 'UTC')) as hour,
        count(*)::integer as presented,
        (count(*) filter (where routing = 'TO_CONTROL'))::integer as "toControl",
        (count(*) filter (where routing = 'TO_ENTRY'))::integer as "toEntry",
        (count(*) filter (where routing = 'ENTRY_PENDING'))::integer as "entryPending",
        (count(*) filter (where routing = 'ENTRY_DENIED'))::integer as "entryDenied",
        (count(*) filter (where routing is null))::integer as undecided,
        api_time(min(at) filter (where routing is null)) as "oldestUndecided"
      from arrival
      group by office, date_trunc('hour', at, 'UTC')
      order by date_trunc('hour', at, 'UTC'), office`,
    values: [from, to, office],
  };
}

/** When a house consignment was presented for the first time; no row if it was not. */
export function selectFirstPresentation(id: string): Statement<{ at: Date }> {
  return {
    name: 'select-first-presentation',
    text: `
      select first_presented_at as at from signal_recipient
      where house_consignment_id = $1 and first_presented_at is not null limit 1`,
    values: [id],
  };
}

/** A presented house consignment without a decision. */
export type UndecidedRow = Omit<UndecidedArrival, Optional> & {
  /** What it has of the members that may be absent. */
  known: Pick<UndecidedArrival, Optional>;
};

type Optional =
  | 'customsOfficeOfFirstEntry'
  | 'entrySummaryDeclarationMRN'
  | 'houseConsignmentMRN'
  | 'receptacleId'
  | 'containerId';

/** Presented house consignments without a decision, after one of them: by the time of the presentation and by id. */
export function selectUndecided(
  after: { at: Date; id: string },
  limit: number,
  office: string | undefined,
): Statement<UndecidedRow> {
  return {
    name: 'select-undecided-arrivals',
    text: `
      with waiting as materialized (
        select house_consignment_id as id, first_presented_at as at, office from signal_recipient
        where awaits_decision and ($4::text is null or office = $4)
          and (first_presented_at, house_consignment_id) > ($1::timestamptz, $2::uuid)
        order by first_presented_at, house_consignment_id limit $3
      )
      select h.id, api_time(waiting.at) as "presentedAt", waiting.office as "customsOfficeOfPresentation",
        (select identifier from organisation o where o.id = e.declarant) as declarant,
        json_build_object('documentNumber', h.document_number, 'type', h.document_type)
          as "transportDocumentHouseLevel",
        json_strip_nulls(json_build_object(
          'customsOfficeOfFirstEntry', e.customs_office_of_first_entry,
          'entrySummaryDeclarationMRN', case when e.kind is null then e.mrn end,
          'houseConsignmentMRN', case when e.kind = 'HOUSE' then e.mrn end,
          'receptacleId', h.receptacle_id, 'containerId', (signal_head || '}')::json -> 'containerId')) as known
      from waiting
      cross join lateral (select * from house_consignment h where h.id = waiting.id limit 1) h
      cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
      order by waiting.at, waiting.id`,
    values: [after.at, after.id, limit, office],
  };
}
