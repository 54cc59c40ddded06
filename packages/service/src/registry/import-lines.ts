// Registers what comes line by line, however many: block by block, each in one transaction, with a result for each line.
import { setImmediate } from 'node:timers/promises';
import {
  MAX_REPORTED_ERRORS,
  type RegistrationResult,
  type ValidationError,
} from '@landfall/contract';
import type { Registrable } from './entry-summary-declaration.js';
import { houseKey, type IsCustomsOffice, readLine } from './read-registrable.js';
import type { Register } from './register.js';
import type { Registration, RegistrationOutcome } from './registration.js';

/** One line with its number, and what it holds or why it cannot be read. */
export type Line = { line: number; value: unknown; unreadable?: ValidationError };

/** How long lines are read before others have a turn, in milliseconds. */
const MAX_TURN_MS = 10;

/** What importing needs. */
export type ImportContext = {
  register: Register;
  isCustomsOffice: IsCustomsOffice;
  /** Gives the time of each block. */
  registration: () => Registration;
  /** Is given the results of each block, as lines of JSON, once they are committed. */
  tell: (results: string) => Promise<void>;
};

/** A line that was read: what may be registered, or why it may not. */
type ReadLine = { line: number; mrn?: string } & (
  | { registrable: Registrable }
  | { errors: readonly ValidationError[] }
);

/**
 * Registers blocks of lines. While one is committed the next is read, and no more than that: who sends faster than it
 * can be registered is kept waiting.
 *
 * @throws DatabaseUnavailableError when it cannot be known whether a block was registered; those that were told are
 */
export async function importLines(
  blocks: AsyncIterable<readonly Line[]>,
  context: ImportContext,
): Promise<void> {
  const coming = blocks[Symbol.asyncIterator]();
  let fail: (error: unknown) => void = () => undefined;
  let committing: Promise<void> = Promise.resolve();
  for (;;) {
    // What fails is told at once, though nothing more may come from who sends. Not by Promise.race: a promise that
    // lasts would keep every block that it was raced against.
    const block = await new Promise<IteratorResult<readonly Line[]>>((resolve, reject) => {
      fail = reject;
      coming.next().then(resolve, reject);
    });
    if (block.done) break;
    const read = await readInTurns(block.value, context.isCustomsOffice);
    await committing;
    committing = importBlock(read, context);
    committing.catch((error: unknown) => fail(error));
  }
  await committing;
}

/** Reads the lines of a block; others have their turns meanwhile. */
async function readInTurns(
  lines: readonly Line[],
  isCustomsOffice: IsCustomsOffice,
): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  let begun = performance.now();
  for (const line of lines) {
    read.push(toReadLine(line, isCustomsOffice));
    if (performance.now() - begun < MAX_TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return read;
}

function toReadLine({ line, value, unreadable }: Line, isCustomsOffice: IsCustomsOffice): ReadLine {
  if (unreadable !== undefined) return { line, errors: [unreadable] };
  const read = readLine(value, isCustomsOffice);
  if (read.valid) return { line, mrn: read.registrable.mrn, registrable: read.registrable };
  const mrn = mrnOf(value);
  return { line, ...(mrn !== undefined && { mrn }), errors: read.errors };
}

function mrnOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('mrn' in value)) return undefined;
  return typeof value.mrn === 'string' ? value.mrn.slice(0, 'NNCC'.length + 14) : undefined;
}

async function importBlock(
  lines: readonly ReadLine[],
  { register, registration, tell }: ImportContext,
): Promise<void> {
  for (const group of separate(lines)) {
    const registrables = group.flatMap((line) => ('registrable' in line ? [line.registrable] : []));
    const outcomes =
      registrables.length === 0 ? [] : await register(registrables, registration(), 'large');
    let next = 0;
    const results = group.map((line) => {
      const outcome = 'registrable' in line ? outcomes[next++] : { errors: line.errors };
      if (outcome === undefined) throw new Error('a registration has no outcome');
      return `${JSON.stringify(toResult(line, outcome))}\n`;
    });
    await tell(results.join(''));
  }
}

/**
 * Separates lines, in their order, into groups in which no line says of a house consignment or of the members of an
 * ENS what another one says too: within a group their order does not matter.
 */
function separate(lines: readonly ReadLine[]): ReadLine[][] {
  const groups: ReadLine[][] = [];
  let group: ReadLine[] = [];
  let told = new Told();
  for (const line of lines) {
    if ('registrable' in line && !told.add(line.registrable)) {
      groups.push(group);
      group = [];
      told = new Told();
      told.add(line.registrable);
    }
    group.push(line);
  }
  groups.push(group);
  return groups;
}

/** What the lines of a group say. */
class Told {
  /** MRNs by whether all house consignments of the ENS were told with it. */
  readonly #declared = new Map<string, boolean>();
  readonly #houses = new Set<string>();
  readonly #mrns = new Set<string>();

  /** Adds a line, unless it says of something what was said before. */
  add({ mrn, declaration, whole, houses }: Registrable): boolean {
    if (declaration !== undefined) {
      if (this.#mrns.has(mrn)) return false;
      this.#declared.set(mrn, whole);
    } else {
      const [house] = houses;
      const key = house === undefined ? mrn : `${mrn} ${houseKey(house)}`;
      if (this.#declared.get(mrn) === true || this.#houses.has(key)) return false;
      this.#houses.add(key);
    }
    this.#mrns.add(mrn);
    return true;
  }
}

function toResult(read: ReadLine, outcome: RegistrationOutcome): RegistrationResult {
  const { line, mrn } = read;
  const known = { line, ...(mrn !== undefined && { mrn }) };
  if ('errors' in outcome) {
    return {
      ...known,
      status: 'REFUSED',
      validationErrors: outcome.errors.slice(0, MAX_REPORTED_ERRORS),
    };
  }
  const { status, changed, houses } = outcome;
  return {
    ...known,
    status,
    ...(changed.length > 0 && { changed: [...changed] }),
    // Of one house consignment the status says all.
    ...('registrable' in read &&
      read.registrable.declaration !== undefined && { houseConsignments: houses }),
  };
}
