// Which validation statuses a list is restricted to, as conditions on their feed. Wire contract, section 4.
import type { ValidationStatusQuery } from '@landfall/contract';
import type { FeedFilter } from '../feed/queries.js';

/** Makes the filter of a list's query, or none. */
export function makeStatusFilter({
  requestId,
  mrn,
  status,
}: Pick<ValidationStatusQuery, 'requestId' | 'mrn' | 'status'>): FeedFilter | undefined {
  const parts: { name: string; value: unknown; condition: (parameter: number) => string }[] = [];
  if (requestId !== undefined) {
    parts.push({ name: 'id', value: requestId, condition: (n) => `id = $${n}` });
  }
  if (mrn !== undefined) {
    parts.push({
      name: 'mrn',
      value: mrn,
      condition: (n) => `position in (
        select position from validation_status single
        join entry_summary_declaration e on e.id = single.ens_id
        where single.owner = $1 and e.mrn = $${n}
        union all
        select position from validation_status_ens several
        join entry_summary_declaration e on e.id = several.ens_id
        where several.owner = $1 and e.mrn = $${n})`,
    });
  }
  if (status !== undefined) {
    parts.push({ name: 'status', value: status === 'FAILURE', condition: (n) => `failed = $${n}` });
  }
  if (parts.length === 0) return undefined;
  return {
    name: parts.map(({ name }) => name).join('-'),
    values: parts.map(({ value }) => value),
    condition: (first) =>
      parts.map(({ condition }, place) => condition(first + place)).join(' and '),
  };
}
