// SQL of what happens later to movement messages.
import type { Statement } from '@landfall/service/assembly';

/** A transport that is expected: when, to the second, and at which office. */
export type ExpectedTransport = { mrn: string; estimatedAt: Date; office: string };

/** The transport that was lodged or replaced by a request of an organisation, if it is expected. */
export function selectExpectedTransport(
  organisationId: number,
  requestId: string,
): Statement<ExpectedTransport> {
  return {
    name: 'select-expected-transport',
    text: `
      select d.mrn, m.estimated_at as "estimatedAt",
        t.body::json #>> '{customsOfficeOfFirstEntry,referenceNumber}' as office
      from movement_status s
      join declaration d on d.mrn = s.entry::json ->> 'mrn'
      join movement m on m.declaration_id = d.id and m.request_id = s.id and m.level = 'TRANSPORT'
        and m.state is null and m.arrived_at is null
      join movement_text t on t.declaration_id = d.id
      where s.owner = $1 and s.id = $2`,
    values: [organisationId, requestId],
  };
}

/** Whether the transport with this MRN is still expected: a row if it is. */
export function selectStillExpected(mrn: string): Statement<{ id: number }> {
  return {
    name: 'select-still-expected-transport',
    text: `
      select d.id from declaration d
      join movement m on m.declaration_id = d.id and m.state is null and m.arrived_at is null
      where d.mrn = $1`,
    values: [mrn],
  };
}
