// SQL of the arrival of transports.
import type { ModeName, SeenTransport } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';

/** A transport whose arrival is reported: its mode, and who has lodged it. */
export type ReportedTransport = { mode: ModeName; id: number; identifier: string };

/** The transport with an MRN, if the organisation has lodged it, is its representative or its carrier. */
export function selectReported(mrn: string, organisation: number): Statement<ReportedTransport> {
  return {
    name: 'select-reported-transport',
    text: `
      select m.mode, o.id, o.identifier
      from declaration e
      join movement m on m.declaration_id = e.id and m.level = 'TRANSPORT'
      join organisation o on o.id = m.submitter
      where e.mrn = $1 and $2::integer in (m.submitter, m.representative, e.carrier)`,
    values: [mrn, organisation],
  };
}

/** When and where a transport has arrived, in which request that was reported, and what signals say of the transport. */
export type RecordedArrival = {
  at: string;
  office: string;
  recordedAt: Date;
  requestId: string;
  /** Members of a JSON object, each after a comma. */
  signal: string;
};

/**
 * Records that a transport has arrived, or corrects when and where. The request with which it arrived, when that was recorded
 * and what signals say of it stay.
 */
export function recordArrival(
  id: number,
  { at, office, recordedAt, requestId, signal }: RecordedArrival,
): Statement {
  return {
    name: 'record-arrival',
    text: `
      update movement
      set arrived_at = $2, arrival_office = $3, arrival_recorded_at = coalesce(arrival_recorded_at, $4),
        arrival_request_id = coalesce(arrival_request_id, $5), arrival_signal = coalesce(arrival_signal, $6)
      where declaration_id = $1`,
    values: [id, at, office, recordedAt, requestId, signal],
  };
}

/** When and where a transport was seen. The time is an instant to the second. */
export type Sighting = { at: string; office: string };

/**
 * The current transports with some numbers that may be the one that has arrived, nearest first: one that has arrived at
 * this time and office, or those that are expected, by the time between the estimated arrival and this one.
 *
 * @param hours how far the estimated arrival may be away
 * @returns at most two; `distance` is in seconds, and negative if the transport has arrived
 */
export function findSeenTransports(
  { mode, identificationNumber, conveyanceReferenceNumber }: SeenTransport,
  { at, office }: Sighting,
  hours: number,
): Statement<{ mrn: string; distance: number }> {
  const given = new Parameters();
  const time = given.add(at, 'timestamptz');
  const range = `make_interval(hours => ${given.add(hours, 'integer')})`;
  const means =
    identificationNumber === undefined
      ? []
      : [`m.means = ${given.add(identificationNumber, 'text')}`];
  const conveyance =
    conveyanceReferenceNumber === undefined
      ? []
      : [`m.conveyance = ${given.add(conveyanceReferenceNumber, 'text')}`];
  return {
    name: `find-seen-transports-by-${[...means.map(() => 'means'), ...conveyance.map(() => 'conveyance')].join('-and-')}`,
    text: `
      select e.mrn, seen.distance
      from (
        select m.declaration_id,
          case when m.arrived_at is null then abs(extract(epoch from m.estimated_at - ${time}))::float8 else -1 end as distance
        from movement m
        where ${[...means, ...conveyance].join(' and ')} and m.mode = ${given.add(mode, 'text')}
          and m.level = 'TRANSPORT' and m.state is null
          and case when m.arrived_at is null then m.estimated_at between ${time} - ${range} and ${time} + ${range}
            else m.arrived_at = ${time} and m.arrival_office = ${given.add(office, 'text')} end
        order by distance, m.declaration_id limit 2
      ) seen
      cross join lateral (select mrn from declaration where id = seen.declaration_id offset 0) e
      order by seen.distance, seen.declaration_id`,
    values: given.values,
  };
}
