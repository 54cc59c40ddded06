// Registers any number of declarations and house consignments line by line, in blocks of one transaction each.
import {
  anotherSpelling,
  houseConsignmentKey,
  isObject,
  MAX_REPORTED_ERRORS,
  type PreNotifiedHouseConsignment,
  type RegistrationResult,
  type ValidationError,
} from '@landfall/contract';
import { commitApart, type Held, heldError } from '../feed/commit-apart.js';
import { HeldTooLongError } from '../feed/transact-on-feeds.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import { Turns } from '../turns.js';
import { type Incoming, type IsCustomsOffice, readIncomingLine } from './read-incoming.js';
import { type RegistrationOutcome, type Registry, register } from './register.js';

/** A line with its number, and its value or why it cannot be read. */
export type Line = {
  line: number;
  /** Its length, as far as it is known. */
  bytes?: number;
  value: unknown;
  unreadable?: ValidationError;
};

/** What an upload needs. */
export type UploadContext = Registry & {
  /** The organisation that sends it: uploads of one take turns, and so do organisations. */
  sender: number;
  isCustomsOffice: IsCustomsOffice;
  /** Gives the context of each transaction, with its time. */
  registrationContext: () => RegistrationContext;
  /** Throws if the sender may no longer register: called before each transaction. */
  requireAccess: () => Promise<void>;
  /** Receives the results of each transaction after its commit. */
  addResults: (results: readonly RegistrationResult[]) => Promise<void>;
};

/** A line that was read: what may be registered, or every rule that it breaks. */
type ReadLine = { line: number; mrn?: string } & (
  | { incoming: Incoming }
  | { errors: readonly ValidationError[] }
);

/**
 * Registers blocks of lines. While one block is committed, the next one is read, and no more: a client that sends
 * faster has to wait.
 *
 * @throws what `requireAccess` throws; blocks with results were registered
 * @throws DatabaseUnavailableError if it is unknown whether a block was registered; blocks with results were
 */
export async function postEntrySummaryDeclarations(
  blocks: AsyncIterable<readonly Line[]>,
  context: UploadContext,
): Promise<void> {
  const iterator = blocks[Symbol.asyncIterator]();
  const spellings = new Spellings();
  let fail: (error: unknown) => void = () => undefined;
  let committing: Promise<void> = Promise.resolve();
  for (;;) {
    // A failed commit is reported at once, even if the client sends no further line. Promise.race would keep every block
    // in memory as long as the other promise.
    const block = await new Promise<IteratorResult<readonly Line[]>>((resolve, reject) => {
      fail = reject;
      iterator.next().then(resolve, reject);
    });
    if (block.done) break;
    const read = await readLines(block.value, context, spellings);
    await committing;
    committing = registerLines(read, context);
    committing.catch((error: unknown) => fail(error));
  }
  await committing;
}

/** Reads the lines of a block and lets other work have its turns. */
async function readLines(
  lines: readonly Line[],
  { sender, isCustomsOffice }: Pick<UploadContext, 'sender' | 'isCustomsOffice'>,
  spellings: Spellings,
): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  const turns = new Turns(sender);
  for (const line of lines) {
    if (turns.isOverBefore(line.bytes ?? 0)) await turns.next();
    read.push(spellings.check(readLine(line, isCustomsOffice)));
  }
  return read;
}

function readLine({ line, value, unreadable }: Line, isCustomsOffice: IsCustomsOffice): ReadLine {
  if (unreadable !== undefined) return { line, errors: [unreadable] };
  const read = readIncomingLine(value, isCustomsOffice);
  const mrn = 'incoming' in read ? read.incoming.mrn : readMrn(value);
  return { line, ...(mrn !== undefined && { mrn }), ...read };
}

/** House consignments of an upload whose spelling is remembered. */
const MAX_SPELLINGS = 10_000;

/** Finds house consignments that a line before has in another spelling. They are two goods only if both are registered. */
class Spellings {
  readonly #seen = new Map<string, { line: number; documentNumber: string }>();

  check(read: ReadLine): ReadLine {
    if (!('incoming' in read)) return read;
    const { line, incoming } = read;
    const spellingErrors = new Map<PreNotifiedHouseConsignment, ValidationError>();
    for (const [index, house] of incoming.houses.entries()) {
      const { documentNumber } = house.transportDocumentHouseLevel;
      const key = `${incoming.mrn} ${houseConsignmentKey(house)}`;
      const seen = this.#seen.get(key);
      if (seen === undefined || seen.documentNumber === documentNumber) {
        this.#seen.set(key, { line, documentNumber });
        continue;
      }
      const member =
        incoming.declaration === undefined ? 'houseConsignment' : `houseConsignments.${index}`;
      const document = `${member}.transportDocumentHouseLevel`;
      spellingErrors.set(house, anotherSpelling(document, `line ${seen.line}`));
    }
    for (const key of this.#seen.keys()) {
      if (this.#seen.size <= MAX_SPELLINGS) break;
      this.#seen.delete(key);
    }
    return spellingErrors.size === 0
      ? read
      : { ...read, incoming: { ...incoming, spellingErrors } };
  }
}

/** The MRN of a line that breaks a rule, as far as it can be read. */
function readMrn(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.mrn !== 'string') return undefined;
  return value.mrn.slice(0, 'NNCC'.length + 14);
}

async function registerLines(lines: readonly ReadLine[], context: UploadContext): Promise<void> {
  for (const group of splitConflicts(lines)) {
    await context.requireAccess();
    const incoming = group.flatMap((line) => ('incoming' in line ? line.incoming : []));
    const outcomes =
      incoming.length === 0
        ? []
        : await commitApart(incoming, {
            keyOf: ({ mrn }) => mrn,
            commit: (entries, maxWaitMs) => registerUnlessHeld(entries, context, maxWaitMs),
          });
    const next = outcomes.values();
    const results = group.map((line) =>
      toResult(line, 'incoming' in line ? (next.next().value ?? held) : { errors: line.errors }),
    );
    await context.addResults(results);
  }
}

const held: RegistrationOutcome = { errors: [heldError] };

async function registerUnlessHeld(
  incoming: readonly Incoming[],
  context: UploadContext,
  maxWaitMs: number,
): Promise<RegistrationOutcome[] | Held> {
  try {
    return await register(context, incoming, context.registrationContext(), 'large', maxWaitMs);
  } catch (error) {
    if (error instanceof HeldTooLongError) return { held: error.held };
    throw error;
  }
}

/**
 * Splits lines, in their order, into groups in which no two lines are about the same house consignment or the members
 * of the same ENS. Within a group, the order of the lines does not matter.
 */
function splitConflicts(lines: readonly ReadLine[]): ReadLine[][] {
  const groups: ReadLine[][] = [];
  let group: ReadLine[] = [];
  let claimed = new ClaimedKeys();
  for (const line of lines) {
    if ('incoming' in line && !claimed.claim(line.incoming)) {
      groups.push(group);
      group = [];
      claimed = new ClaimedKeys();
      claimed.claim(line.incoming);
    }
    group.push(line);
  }
  groups.push(group);
  return groups;
}

/** What the lines of a group are about. */
class ClaimedKeys {
  /** MRNs, and whether the line is a complete declaration, which claims all house consignments of its MRN. */
  readonly #mrns = new Map<string, boolean>();
  /** House consignments on lines of their own. */
  readonly #houses = new Set<string>();

  /** Claims what a line is about; returns false if another line of the group has claimed it. */
  claim({ mrn, declaration, isComplete, houses }: Incoming): boolean {
    if (declaration !== undefined) {
      if (this.#mrns.has(mrn)) return false;
    } else {
      if (this.#mrns.get(mrn) === true) return false;
      const keys = houses.map((house) => `${mrn} ${houseConsignmentKey(house)}`);
      if (keys.some((key) => this.#houses.has(key))) return false;
      for (const key of keys) this.#houses.add(key);
    }
    this.#mrns.set(mrn, isComplete);
    return true;
  }
}

function toResult(read: ReadLine, outcome: RegistrationOutcome): RegistrationResult {
  const { line, mrn } = read;
  const identity = { line, ...(mrn !== undefined && { mrn }) };
  if ('errors' in outcome) {
    const validationErrors = outcome.errors.slice(0, MAX_REPORTED_ERRORS);
    return { ...identity, status: 'REFUSED', validationErrors };
  }
  const { houseConsignments, ...registered } = outcome;
  const isDeclaration = 'incoming' in read && read.incoming.declaration !== undefined;
  // For a single house consignment, the status says everything.
  return { ...identity, ...registered, ...(isDeclaration && { houseConsignments }) };
}
