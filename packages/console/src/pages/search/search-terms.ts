// What people type or scan, as the service searches for it, and what of a house consignment it matches.
import { type HouseConsignment, mrnOf } from '@landfall/client';
import { identifierKey } from '@landfall/contract/identifier-key';

/** The service searches from this number of characters on. */
const MIN_LENGTH = 3;

/** The longest identifier, in characters. */
export const MAX_LENGTH = 70;

/** Whether it is the id of something: of a request, a consignment or a run. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}

/** The kinds of identifiers of a house consignment. */
export type IdentifierKind =
  | 'mrn'
  | 'houseDocument'
  | 'masterDocument'
  | 'receptacle'
  | 'container';

/** One identifier of a house consignment. */
type Identifier = { kind: IdentifierKind; value: string };

/**
 * What is searched for: the key of what was typed, because scanners add blanks and control characters, and people write
 * small letters. `undefined` if there are too few characters.
 */
export function searchedKey(typed: string): string | undefined {
  const key = identifierKey(typed).slice(0, MAX_LENGTH);
  return key.length < MIN_LENGTH ? undefined : key;
}

/** The identifiers of a house consignment whose keys begin with this one. */
export function matchedIdentifiers(consignment: HouseConsignment, key: string): Identifier[] {
  return identifiersOf(consignment).filter(({ value }) => identifierKey(value).startsWith(key));
}

/** How many characters at the beginning of an identifier are what was searched for. */
export function matchedLength(value: string, key: string): number {
  if (!identifierKey(value).startsWith(key)) return 0;
  let length = key.length;
  while (length < value.length && identifierKey(value.slice(0, length)).length < key.length)
    length++;
  return length;
}

/**
 * The house consignment that a scanned or completely typed identifier leads to: the only one that was found, or the only
 * one with exactly this identifier.
 */
export function onlyOne(
  found: readonly HouseConsignment[],
  key: string,
): HouseConsignment | undefined {
  const exact = found.filter((consignment) =>
    identifiersOf(consignment).some(({ value }) => identifierKey(value) === key),
  );
  const candidates = exact.length > 0 ? exact : found;
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** The kind of the identifier that was typed completely; `undefined` if only the beginning of one was. */
export function completeKind(
  found: readonly HouseConsignment[],
  key: string,
): IdentifierKind | undefined {
  return found.flatMap(identifiersOf).find(({ value }) => identifierKey(value) === key)?.kind;
}

function identifiersOf(consignment: HouseConsignment): Identifier[] {
  const { transportDocumentMasterLevel: master, receptacleId, containerId = [] } = consignment;
  return [
    { kind: 'houseDocument', value: consignment.transportDocumentHouseLevel.documentNumber },
    { kind: 'mrn', value: mrnOf(consignment) },
    ...(master ? [{ kind: 'masterDocument', value: master.documentNumber } as const] : []),
    ...(receptacleId ? [{ kind: 'receptacle', value: receptacleId } as const] : []),
    ...containerId.map((value) => ({ kind: 'container', value }) as const),
  ];
}
