// Checks a dataset against the playground's database, then loads it in two steps: its identities, its goods.
import {
  type DatasetIdentity,
  DOMESTIC_ORGANISATION_PREFIX,
  type PlaygroundIdentity,
  type Scenario,
} from '@landfall/contract';
import { CustomsOffices, type Database } from '@landfall/service/assembly';
import type { PlannedDecision } from '../decisions/goods.js';
import { checkDataset } from './check-dataset.js';
import type { DatasetSource } from './dataset-source.js';
import { importDataset } from './import-dataset.js';

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
};

/**
 * Checks a dataset.
 *
 * @param timeZone the time zone of the customs offices
 * @param now the time of its registrations and decisions
 * @throws InvalidDatasetError, UnreadableDatasetError
 */
export async function prepareDataset(
  database: Database,
  source: DatasetSource,
  timeZone: string,
  now: () => Date,
  onProgress: (progress: string) => void,
): Promise<PreparedDataset> {
  const offices = new CustomsOffices(database, timeZone);
  await offices.refresh();
  const isCustomsOffice = (office: string) => offices.isValid(office, now());
  onProgress(`checking the dataset ${source.name}`);
  const checked = await checkDataset(source, isCustomsOffice);
  // It is valid, and may be a file that was cut.
  if (checked.lines === 0) onProgress(`the dataset ${source.name} is empty: there are no goods`);
  return {
    identities: checked.identities.map(toIdentity),
    scenarios: checked.scenarios,
    load: async () => {
      const started = performance.now();
      let reportedAt = started;
      let reported = 0;
      return importDataset(checked, {
        database,
        isCustomsOffice,
        now,
        onProgress: (lines) => {
          const at = performance.now();
          const isLast = lines === checked.lines;
          if (lines === reported || (!isLast && at - reportedAt < PROGRESS_INTERVAL_MS)) return;
          reportedAt = at;
          reported = lines;
          const rate = Math.round((lines * 1000) / (at - started));
          onProgress(`loaded ${lines} of ${checked.lines} lines, ${rate}/s`);
        },
      });
    },
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
