// Presents the lines of a list, and resumes from its journal.
import {
  digestOf,
  type HouseConsignmentPresentation,
  type Presentation,
  type WithoutRequestId,
} from '@landfall/client';
import type { PresentationPath } from '@landfall/contract';
import type { SentList } from '../../lists/list.js';
import type { Done } from '../../lists/list-counts.js';
import { type RunListOptions, runList } from '../../lists/run-list.js';
import { report } from '../../output/output.js';
import { columnsOf, fieldsOf } from './list-columns.js';
import { type List, readList } from './read-list.js';

type HousePresentation = WithoutRequestId<HouseConsignmentPresentation>;

export type PresentListOptions = RunListOptions & { office: string };

/** What is done with the lines. */
export const PRESENTED: Done = { done: 'presented', verb: 'present', line: 'line' };

/** @throws CommandFailedError when lines are invalid or refused; the errors of the client */
export async function presentList(
  level: PresentationPath,
  options: PresentListOptions,
): Promise<void> {
  const list = await readList(options.file, level, options.office);
  if (list.lines.length + list.invalid.length === 0) {
    report(`Nothing to present: ${options.file} has no lines after its header.`);
    return;
  }
  await runList<Presentation>(
    withKeys(list),
    {
      words: PRESENTED,
      columns: columnsOf(level),
      fieldsOf,
      send: (client, { concurrency, ...given }) =>
        isOfHouses(list.presentations, level) && concurrency === undefined
          ? client.presentInBatches(list.presentations, given)
          : client.presentMany(list.presentations, { ...given, concurrency }),
      probe: (client, signal) => client.testAuth({ signal }),
    },
    options,
  );
}

/** Whether the presentations are of the level that is presented in batches. */
function isOfHouses(
  _presentations: readonly Presentation[],
  level: PresentationPath,
): _presentations is HousePresentation[] {
  return level === 'house-consignment';
}

/** The list with the keys under which `presentMany` keeps its presentations. */
export function withKeys(list: List): SentList<Presentation> {
  return { ...list, items: list.presentations, keyOf: digestOf };
}
