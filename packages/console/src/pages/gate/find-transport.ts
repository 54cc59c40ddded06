// Finds a transport by its MRN or its means, and whether its goods may be unloaded.
import {
  ApiError,
  type EntryStatus,
  type ExpectedTransport,
  type Landfall,
  type ModeName,
  type MovementSummary,
  type RequestOptions,
} from '@landfall/client';
import { isMrn, readCode, readScan } from '../../identifiers/read-scan.js';

/** What the gate says of a transport. */
export type FoundTransport =
  | { kind: 'entry'; mode: ModeName; entry: EntryStatus }
  /** For officers: whether it is expected or has arrived. Whether it may be unloaded is not known. */
  | { kind: 'listed'; transport: ListedTransport }
  /** For officers: the MRN is that of a consignment. */
  | { kind: 'consignment'; mrn: string }
  /** Several have these means: another lorry with the same plate, or the same one at another time. */
  | { kind: 'several'; transports: readonly Timed[] }
  | { kind: 'unknown' };

/** What is said of one of several transports. */
type Timed = Pick<MovementSummary, 'mrn' | 'scheduledDateAndTimeOfArrival'>;

/** What officers know of a transport. */
export type ListedTransport = Pick<
  ExpectedTransport,
  'mrn' | 'mode' | 'state' | 'arrivedAt' | 'customsOfficeOfArrival'
> & {
  /** Where and when it is expected; absent if the text of its message was removed. */
  office?: string;
  estimatedAt?: string;
};

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
  if (!isMrn(mrn)) return { kind: 'unknown' };
  const read = await Promise.all(
    own.map(async (mode) => ({
      mode,
      entry: await orUnknown(landfall.getEntryStatus(mode, mrn, options)),
    })),
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

type OfficerReads = Pick<Landfall, 'listTransports' | 'getMovementAsAuthority'>;

/**
 * What an officer knows of a transport: by its means among the current ones of all organisations, or by its MRN.
 *
 * @param entered as it was typed or scanned. Reading by the MRN is recorded in the audit trail
 * @throws what the client throws; that there is no such transport is no error
 */
export async function findTransportAsOfficer(
  landfall: OfficerReads,
  entered: string,
  options: RequestOptions = {},
): Promise<FoundTransport> {
  const code = readCode(entered);
  if (isMrn(code)) return readTransport(landfall, code, options);
  const spellings = [...new Set([readScan(entered), code])];
  const lists = await Promise.all(
    spellings
      .filter(({ length }) => length > 0 && length <= MAX_MEANS)
      .map((identificationNumber) =>
        landfall.listTransports(
          { identificationNumber, state: 'CURRENT', limit: MAX_LISTED },
          options,
        ),
      ),
  );
  const [only, ...others] = lists.flatMap(({ entries }) => entries).slice(0, MAX_LISTED);
  if (only === undefined) return { kind: 'unknown' };
  if (others.length > 0) return { kind: 'several', transports: [only, ...others] };
  const { customsOfficeOfFirstEntry: office, estimatedDateAndTimeOfArrival: estimatedAt } = only;
  return { kind: 'listed', transport: { ...only, office, estimatedAt } };
}

async function readTransport(
  landfall: OfficerReads,
  mrn: string,
  options: RequestOptions,
): Promise<FoundTransport> {
  const read = await orUnknown(landfall.getMovementAsAuthority(mrn, options));
  if (read === undefined) return { kind: 'unknown' };
  if (read.level !== 'TRANSPORT') return { kind: 'consignment', mrn };
  const { message } = read;
  const expected =
    message !== undefined && 'estimatedDateAndTimeOfArrival' in message
      ? {
          office: message.customsOfficeOfFirstEntry.referenceNumber,
          estimatedAt: message.estimatedDateAndTimeOfArrival,
        }
      : {};
  return { kind: 'listed', transport: { ...read, ...expected } };
}

/** What was read; `undefined` if it does not exist. */
async function orUnknown<Read>(read: Promise<Read>): Promise<Read | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
