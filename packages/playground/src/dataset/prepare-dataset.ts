// Checks a dataset against the playground's database, then loads it in two steps: its identities, its goods.
import {
  type DatasetIdentity,
  DOMESTIC_ORGANISATION_PREFIX,
  type PlaygroundIdentity,
  type Scenario,
} from '@landfall/contract';
import { CustomsOffices, type Database } from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import type { PlannedDecision } from '../decisions/goods.js';
import { checkDataset } from './check-dataset.js';
import type { DatasetSource } from './dataset-source.js';
import { importDataset } from './import-dataset.js';
import { type LodgingParts, lodgeMovements } from './lodge-movements.js';

/** How often progress is reported, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1000;

/** A dataset without errors. */
export type PreparedDataset = {
  /** Its identities, to be created before it is loaded. */
  identities: PlaygroundIdentity[];
  /** Its scenarios, with which the playground starts. */
  scenarios: Scenario[];
  /** Loads its goods and decisions, and returns the decisions that come late. */
  load(): Promise<PlannedDecision[]>;
  /** Lodges its movement messages, after it was loaded and the service was made; absent if it has none. */
  lodge?: (parts: Pick<LodgingParts, 'service' | 'credentials'>) => Promise<void>;
};

/**
 * Checks a dataset.
 *
 * @param config the time zone of the customs offices, and what registers say of documents
 * @param now the time of its registrations and decisions
 * @throws InvalidDatasetError, UnreadableDatasetError
 */
export async function prepareDataset(
  database: Database,
  source: DatasetSource,
  { timeZone, referenceDocuments }: Pick<Config, 'timeZone' | 'referenceDocuments'>,
  now: () => Date,
  onProgress: (progress: string) => void,
): Promise<PreparedDataset> {
  const offices = new CustomsOffices(database, timeZone);
  await offices.refresh();
  const start = now();
  const isCustomsOffice = (office: string) => offices.isValid(office, now());
  onProgress(`checking the dataset ${source.name}`);
  const context = { database, isCustomsOffice, referenceDocuments, start };
  const checked = await checkDataset(source, context);
  // It is valid, and may be a file that was cut.
  if (checked.lines === 0) onProgress(`the dataset ${source.name} is empty: there are no goods`);
  return {
    identities: checked.identities.map(toIdentity),
    scenarios: checked.scenarios,
    load: () => {
      const report = progressOf('loaded', 'lines', checked.lines, onProgress);
      return importDataset(checked, { database, isCustomsOffice, now, onProgress: report });
    },
    ...(checked.movements > 0 && {
      lodge: (parts) => {
        const report = progressOf('lodged', 'messages', checked.movements, onProgress);
        return lodgeMovements(checked, { database, onProgress: report, ...parts });
      },
    }),
  };
}

/** Reports how many are done, at most once a second and at the end. */
function progressOf(
  done: string,
  what: string,
  total: number,
  onProgress: (progress: string) => void,
): (count: number) => void {
  const started = performance.now();
  let reportedAt = started;
  let reported = 0;
  return (count) => {
    const at = performance.now();
    if (count === reported || (count !== total && at - reportedAt < PROGRESS_INTERVAL_MS)) return;
    reportedAt = at;
    reported = count;
    const rate = Math.round((count * 1000) / (at - started));
    onProgress(`${done} ${count} of ${total} ${what}, ${rate}/s`);
  };
}

/** An identity of a dataset, with the defaults of what it leaves out. */
export function toIdentity({
  name,
  organisation,
  organisationName,
  scopes = ['movement/entry'],
  granted = scopes,
  ...others
}: DatasetIdentity): PlaygroundIdentity {
  const kind = organisation.startsWith(DOMESTIC_ORGANISATION_PREFIX) ? 'domestic' : 'foreign';
  return { name, kind, organisation, organisationName, scopes, granted, ...others };
}
