// What people type or scan, as the service searches for it, and what of a house consignment it matches.
import type { HouseConsignment } from '@landfall/client';

/** The service searches from this number of characters on. */
const MIN_LENGTH = 3;

/** The longest identifier, in characters. */
export const MAX_LENGTH = 70;

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
 * The texts that are searched for: what was typed, because documents are numbered freely; and the same in capital letters
 * and without blanks, as MRNs, receptacles and containers are written. Scanners add blanks and control characters, and
 * people write small letters. None if there are too few characters.
 */
export function spellingsOf(typed: string): string[] {
  const text = typed
    .replaceAll(/[\u0000-\u001f\u007f]/g, '')
    .trim()
    .slice(0, MAX_LENGTH);
  const compact = text.replaceAll(/\s/g, '').toUpperCase();
  return [...new Set([compact, text])].filter(({ length }) => length >= MIN_LENGTH);
}

/** The identifiers of a house consignment that begin with one of the texts. */
export function matchedIdentifiers(
  consignment: HouseConsignment,
  spellings: readonly string[],
): Identifier[] {
  return identifiersOf(consignment).filter(({ value }) =>
    spellings.some((spelling) => value.startsWith(spelling)),
  );
}

/**
 * The house consignment that a scanned or completely typed identifier leads to: the only one that was found, or the only
 * one with exactly this identifier.
 */
export function onlyOne(
  found: readonly HouseConsignment[],
  spellings: readonly string[],
): HouseConsignment | undefined {
  const exact = found.filter((consignment) =>
    identifiersOf(consignment).some(({ value }) => spellings.includes(value)),
  );
  const candidates = exact.length > 0 ? exact : found;
  return candidates.length === 1 ? candidates[0] : undefined;
}

function identifiersOf(consignment: HouseConsignment): Identifier[] {
  const { transportDocumentMasterLevel: master, receptacleId, containerId = [] } = consignment;
  return [
    { kind: 'houseDocument', value: consignment.transportDocumentHouseLevel.documentNumber },
    { kind: 'mrn', value: consignment.entrySummaryDeclarationMRN },
    ...(master ? [{ kind: 'masterDocument', value: master.documentNumber } as const] : []),
    ...(receptacleId ? [{ kind: 'receptacle', value: receptacleId } as const] : []),
    ...containerId.map((value) => ({ kind: 'container', value }) as const),
  ];
}
