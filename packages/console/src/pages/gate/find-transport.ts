// Finds a transport by its MRN or its means, and whether its goods may be unloaded.
import {
  ApiError,
  type EntryStatus,
  type Landfall,
  type ModeName,
  type MovementSummary,
  type RequestOptions,
} from '@landfall/client';
import { readCode, readScan } from '../../identifiers/read-scan.js';

/** What the gate says of a transport. */
export type FoundTransport =
  | { kind: 'entry'; mode: ModeName; entry: EntryStatus }
  /** Several have these means: another lorry with the same plate, or the same one at another time. */
  | { kind: 'several'; transports: readonly MovementSummary[] }
  | { kind: 'unknown' };

const MRN = /^[0-9]{2}[A-Z]{2}[A-Z0-9]{14}$/;

/** Maximum number of characters of the means of a transport. */
const MAX_MEANS = 35;

/** How many transports with the same means are listed. */
const MAX_LISTED = 20;

type Reads = Pick<Landfall, 'getEntryStatus' | 'listMovements'>;

/**
 * @param modes in which it is looked for
 * @param entered as it was typed or scanned. Means are found as they were lodged, or in capital letters without blanks
 * @throws what the client throws; that there is no such transport is no error
 */
export async function findTransport(
  landfall: Reads,
  modes: readonly ModeName[],
  entered: string,
  options: RequestOptions = {},
): Promise<FoundTransport> {
  const code = readCode(entered);
  const found = await findByMeans(
    landfall,
    modes,
    [...new Set([readScan(entered), code])],
    options,
  );
  const [only, ...others] = found;
  if (others.length > 0) return { kind: 'several', transports: found };
  const [mrn, own] = only === undefined ? [code, modes] : [only.mrn, [only.mode]];
  if (!MRN.test(mrn)) return { kind: 'unknown' };
  const read = await Promise.all(
    own.map(async (mode) => ({ mode, entry: await readEntry(landfall, mode, mrn, options) })),
  );
  for (const { mode, entry } of read) {
    if (entry !== undefined) return { kind: 'entry', mode, entry };
  }
  return { kind: 'unknown' };
}

async function findByMeans(
  landfall: Reads,
  modes: readonly ModeName[],
  spellings: readonly string[],
  options: RequestOptions,
): Promise<MovementSummary[]> {
  const lists = await Promise.all(
    modes.flatMap((mode) =>
      spellings
        .filter(({ length }) => length > 0 && length <= MAX_MEANS)
        .map((identificationNumber) =>
          landfall.listMovements(
            mode,
            'transport',
            { identificationNumber, state: 'CURRENT', limit: MAX_LISTED },
            options,
          ),
        ),
    ),
  );
  const found = lists.flatMap(({ entries }) => entries);
  return [...new Map(found.map((one) => [one.mrn, one])).values()].slice(0, MAX_LISTED);
}

async function readEntry(
  landfall: Reads,
  mode: ModeName,
  mrn: string,
  options: RequestOptions,
): Promise<EntryStatus | undefined> {
  try {
    return await landfall.getEntryStatus(mode, mrn, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
