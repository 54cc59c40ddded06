// SQL of reading validation statuses: one of them, and the filters of a list.
import type { ValidationStatusQuery } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import type { FoundEntry } from '../feed/feed-views.js';
import type { FeedFilter } from '../feed/queries.js';

export function selectStatus(organisationId: number, requestId: string): Statement<FoundEntry> {
  return {
    name: 'select-validation-status',
    text: 'select entry, position from validation_status where owner = $1 and id = $2',
    values: [organisationId, requestId],
  };
}

/** The restriction by one member of the query. */
type Part = { name: string; values: readonly unknown[]; condition: (parameter: number) => string };

/**
 * Makes the filter of a list's query; `undefined` without restrictions. An index serves each condition: `failed` is a
 * literal, for the partial index, and the positions of an MRN are found before the feed is read.
 */
export function makeStatusFilter({
  requestId,
  mrn,
  status,
}: Pick<ValidationStatusQuery, 'requestId' | 'mrn' | 'status'>): FeedFilter | undefined {
  const parts: Part[] = [];
  if (requestId !== undefined) {
    parts.push({ name: 'id', values: [requestId], condition: (n) => `id = $${n}` });
  }
  if (mrn !== undefined) {
    parts.push({ name: 'mrn', values: [mrn], condition: reachedCondition });
  }
  if (status === 'FAILURE') parts.push({ name: 'failed', values: [], condition: () => 'failed' });
  if (status === 'SUCCESS') {
    parts.push({ name: 'succeeded', values: [], condition: () => 'not failed' });
  }
  if (parts.length === 0) return undefined;
  return {
    name: parts.map(({ name }) => name).join('-'),
    values: parts.flatMap(({ values }) => values),
    condition: (first) => {
      let next = first;
      const conditions = parts.map(({ condition, values }) => {
        const parameter = next;
        next += values.length;
        return condition(parameter);
      });
      return conditions.join(' and ');
    },
  };
}

/** The statuses whose reference reached the declaration with this MRN; indented as in the statement of a page. */
function reachedCondition(mrn: number): string {
  const declaration = `(select e.id from declaration e where e.mrn = $${mrn})`;
  return `position = any (array(
              select single.position from validation_status single
              where single.owner = $1 and single.ens_id = ${declaration} and single.position > $2
              union all
              select several.position from validation_status_ens several
              where several.owner = $1 and several.ens_id = ${declaration} and several.position > $2))`;
}
