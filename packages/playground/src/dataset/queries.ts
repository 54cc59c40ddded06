// SQL of loading datasets.
import type { Statement } from '@landfall/service/assembly';

/** For each reference: whether there is such a house consignment, and whether it is presented. */
export function findReferences(
  references: readonly { mrn: string; number: string; type: string }[],
): Statement<{ found: boolean; presented: boolean }> {
  return {
    name: 'find-references',
    text: `
      select houses > 0 as found, (
        select true from signal_recipient s where s.house_consignment_id = house limit 1) is not null as presented
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as r (mrn, number, type, ordinal)
      cross join lateral find_house_consignment(mrn, number, type) f
      order by ordinal`,
    values: [
      references.map(({ mrn }) => mrn),
      references.map(({ number }) => number),
      references.map(({ type }) => type),
    ],
  };
}

/** For each request to lodge: whether an earlier start has made it, and its message was lodged. */
export function findLodged(
  requests: readonly { organisation: string; requestId: string }[],
): Statement<{ lodged: boolean }> {
  return {
    name: 'find-lodged-requests',
    text: `
      select coalesce((
        select not s.failed from movement_status s
        where s.owner = (select id from organisation where identifier = r.organisation) and s.id = r.id
      ), false) as lodged
      from unnest($1::text[], $2::uuid[]) with ordinality as r (organisation, id, ordinal)
      order by ordinal`,
    values: [
      requests.map(({ organisation }) => organisation),
      requests.map(({ requestId }) => requestId),
    ],
  };
}

/** The current messages that have one of these keys, with who has lodged each and the request that was accepted last. */
export function findCurrentKeys(
  keys: readonly string[],
): Statement<{ key: string; mrn: string; submitter: string; requestId: string }> {
  return {
    name: 'find-current-keys',
    text: `
      select m.key, d.mrn, o.identifier as submitter, m.request_id as "requestId"
      from movement m join declaration d on d.id = m.declaration_id join organisation o on o.id = m.submitter
      where m.key = any ($1::text[]) and m.state is null`,
    values: [keys],
  };
}

/** Which of these requests have failed: the index of each, and its status. */
export function selectFailures(
  requests: readonly { owner: number; requestId: string }[],
): Statement<{ index: number; entry: string }> {
  return {
    name: 'select-refused-messages',
    text: `
      select ordinal::integer - 1 as index, s.entry
      from unnest($1::integer[], $2::uuid[]) with ordinality as r (owner, id, ordinal)
      join movement_status s on s.owner = r.owner and s.id = r.id and s.failed
      order by ordinal`,
    values: [requests.map(({ owner }) => owner), requests.map(({ requestId }) => requestId)],
  };
}
