// Documents of other registers for trials and load: declarations, transits, exports and VOEC numbers.
import type { RegisteredReference } from '@landfall/contract';
import { organisationNumber, padded } from './identifiers.js';
import { makeRandom, type Random } from './random.js';

/** The documents to generate. */
export type ReferenceDocumentOptions = {
  count: number;
  /** Integer; the same seed gives the same data. */
  seed: number;
};

/** The first day of declarations, and how many days they are spread over. */
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAYS = 28;

/** Number of organisations that lodge customs declarations. */
const DECLARANTS = 40;

/** Share of the documents that are not valid. */
const INVALID = 0.03;

const letters = [...'ABCDEFGHJKLMNPRSTUVWXYZ'];

/**
 * Generates documents one by one, so that memory use does not depend on their number. Each is a different one.
 *
 * @example
 * const [first] = generateReferenceDocuments({ count: 10, seed: 7 });
 */
export function* generateReferenceDocuments({
  count,
  seed,
}: ReferenceDocumentOptions): Generator<RegisteredReference> {
  const random = makeRandom(seed);
  const declarants = Array.from({ length: DECLARANTS }, () => organisationNumber(random));
  // Identifies the run; it is part of every number.
  const run = Array.from({ length: 4 }, () => random.pick(letters)).join('');
  for (let number = 0; number < count; number++) {
    const state = random.chance(INVALID) ? 'INVALID' : 'VALID';
    const make = random.pick([
      declaration,
      declaration,
      declaration,
      transit,
      exported,
      seller,
    ] as const);
    yield { ...make(random, { number, run, declarants }), state };
  }
}

type Numbers = { number: number; run: string; declarants: readonly string[] };
type Unstated = RegisteredReference extends infer Document
  ? Document extends unknown
    ? Omit<Document, 'state'>
    : never
  : never;

function declaration(random: Random, { number, declarants }: Numbers) {
  const day = new Date(FIRST_DAY + random.integer(0, DAYS - 1) * 86_400_000);
  return {
    kind: 'CUDE',
    declarantNumber: random.pick(declarants),
    declarationDate: day.toISOString().slice(0, 10),
    sequenceNumber: String(1 + (number % 999_999)),
  } satisfies Unstated;
}

function transit(random: Random, { number, run }: Numbers) {
  const country = random.pick(['DE', 'DK', 'NL', 'PL', 'SE'] as const);
  return {
    kind: 'N820',
    referenceNumber: `26${country}${run}${padded(number, 8)}J${random.digits(1)}`,
  } satisfies Unstated;
}

function exported(random: Random, { number, run }: Numbers) {
  const kind = random.pick(['AES_EXPORT', 'EIDR_EXPORT'] as const);
  const end = kind === 'AES_EXPORT' ? 'A' : 'AE';
  const serial = padded(number, kind === 'AES_EXPORT' ? 8 : 7);
  return {
    kind,
    referenceNumber: `26SE${run}${serial}${end}${random.digits(1)}`,
  } satisfies Unstated;
}

function seller(_random: Random, { number }: Numbers) {
  return { kind: 'VOEC', referenceNumber: String(3_000_000 + number) } satisfies Unstated;
}
