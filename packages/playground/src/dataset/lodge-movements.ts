// Lodges the movement messages of a dataset, each in the name of its identity, through the service.
import {
  type DatasetMovement,
  type MovementStatus,
  messageFrom,
  type PlaygroundCredentials,
} from '@landfall/contract';
import { type App, type Database, ValidationFailedError } from '@landfall/service/assembly';
import { findOrganisationNumber } from '../decisions/queries.js';
import { type CheckedDataset, readLines } from './check-dataset.js';
import { InvalidDatasetError, type InvalidLine } from './dataset-error.js';
import { requestIdOf } from './movement-request-id.js';
import { selectFailures } from './queries.js';

/** Messages that are lodged at once: two full commits of the service, which share the time of waiting for the disk. */
const LODGED_AT_ONCE = 256;

/** What lodging needs. */
export type LodgingParts = {
  database: Database;
  service: Pick<App, 'lodgeMovement'>;
  /** Those of the identities of the dataset and of every playground. */
  credentials: readonly PlaygroundCredentials[];
  /** Is called after some messages with the number of those that are lodged so far, also by an earlier start. */
  onProgress?: (messages: number) => void;
};

/** A message of a line, to be lodged. */
type ToLodge = { line: number; movement: DatasetMovement; requestId: string; owner: number };

/**
 * Lodges those that no earlier start has lodged. A request that was recorded is not made again, so it may be repeated.
 *
 * @throws InvalidDatasetError with the lines whose messages were not lodged. Others of the dataset may be lodged
 */
export async function lodgeMovements(
  { source, start, lodgedBefore }: CheckedDataset,
  parts: LodgingParts,
): Promise<void> {
  const { database, service, credentials, onProgress = () => undefined } = parts;
  const numbers = new Map<string, number>();
  let waiting: ToLodge[] = [];
  let lodged = 0;
  const lodge = async () => {
    const refused = await lodgeAll(waiting);
    if (refused.length > 0) throw new InvalidDatasetError(source.name, refused);
    lodged += waiting.length;
    waiting = [];
    onProgress(lodged);
  };
  for await (const batch of readLines(source)) {
    for (const line of batch) {
      // The dataset was checked; it has invalid lines only if the file was changed meanwhile.
      if ('errors' in line) throw new InvalidDatasetError(source.name, [line]);
      if (line.entry.kind !== 'movement') continue;
      const { movement, submitter } = line.entry;
      const requestId = requestIdOf(movement);
      if (lodgedBefore.has(requestId)) {
        lodged += 1;
        continue;
      }
      const owner = numbers.get(submitter) ?? (await findNumber(database, submitter));
      numbers.set(submitter, owner);
      waiting.push({ line: line.line, movement, requestId, owner });
      if (waiting.length === LODGED_AT_ONCE) await lodge();
    }
  }
  await lodge();

  /** Lodges some at once; returns those that were refused. */
  async function lodgeAll(messages: readonly ToLodge[]): Promise<InvalidLine[]> {
    const refused: InvalidLine[] = [];
    await Promise.all(
      messages.map(async ({ line, movement, requestId, owner }) => {
        const identity = credentials.find(({ name }) => name === movement.identity);
        if (identity === undefined) throw new Error(`there is no identity ${movement.identity}`);
        const { organisation, client_id: clientId } = identity;
        const by = { organisationId: owner, organisation, clientId };
        const body = { ...messageFrom(movement, start), requestId };
        const { mode, level } = movement;
        await service.lodgeMovement(by, { mode, level }, body).catch((error: unknown) => {
          if (!(error instanceof ValidationFailedError)) throw error;
          const errors = error.errors.map((each) => ({ ...each, field: inLine(each.field) }));
          refused.push({ line, errors });
        });
      }),
    );
    return [...refused, ...(await findFailed(messages))].sort(
      (one, other) => one.line - other.line,
    );
  }

  /** What the statuses say of messages that were not lodged. */
  async function findFailed(messages: readonly ToLodge[]): Promise<InvalidLine[]> {
    if (messages.length === 0) return [];
    const rows = await database.query(selectFailures(messages));
    return rows.map(({ index, entry }) => {
      // The cast is true because the service has written it.
      const { validationErrorList = [] } = JSON.parse(entry) as MovementStatus;
      const errors = validationErrorList.map(({ description, code, pointer }) => ({
        field: inLine(pointer.messageElementPath),
        error: description,
        code,
      }));
      return { line: messages[index]?.line ?? 0, errors };
    });
  }
}

async function findNumber(database: Database, organisation: string): Promise<number> {
  const [row] = await database.query(findOrganisationNumber(organisation));
  if (row === undefined) throw new Error(`the organisation ${organisation} does not exist`);
  return row.id;
}

const inLine = (field: string) => `movement.message.${field}`;
