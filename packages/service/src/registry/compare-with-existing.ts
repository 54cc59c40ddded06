// Compares incoming with existing data: what registering it would change. Uses no database.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { ExistingDeclaration, ExistingHouse, UnlistedHouse } from './existing-queries.js';
import type { Existing } from './read-existing.js';
import type { DeclarationMembers, Incoming } from './read-incoming.js';
import { compareWithHead } from './signal-head.js';

/** What one incoming entry would change. */
export type Change = {
  incoming: Incoming;
  /** The existing declaration with the MRN. */
  existing: ExistingDeclaration | undefined;
  /** Members of the declaration that change, without those of its house consignments. */
  members: readonly string[];
  added: readonly PreNotifiedHouseConsignment[];
  changed: readonly ChangedHouse[];
  removed: readonly UnlistedHouse[];
  /** Number of house consignments that stay as they are. */
  unchanged: number;
};

/** An existing house consignment with members that change. */
export type ChangedHouse = Pick<ExistingHouse, 'id' | 'presented'> & {
  /** The incoming one, and its index in the incoming declaration. */
  house: PreNotifiedHouseConsignment;
  index: number;
  members: readonly string[];
};

/** Gives the change for each incoming entry. */
export function compareWithExisting(incoming: readonly Incoming[], data: Existing): Change[] {
  return incoming.map((entry) => {
    const { mrn, declaration, houses, isComplete } = entry;
    const existing = data.declarations.get(mrn);
    const added = houses.filter((house) => !data.houses.has(house));
    const changed = houses.flatMap((house, index) => compareHouse(data.houses, house, index));
    return {
      incoming: entry,
      existing,
      members: existing && declaration ? compareMembers(existing.members, declaration) : [],
      added,
      changed,
      removed:
        existing !== undefined && isComplete
          ? data.unlisted.filter(({ declarationId }) => declarationId === existing.id)
          : [],
      unchanged: houses.length - added.length - changed.length,
    };
  });
}

/** Whether existing data would change or be removed, which nobody may present meanwhile. */
export function changesExisting({ members, changed, removed }: Change): boolean {
  return members.length + changed.length + removed.length > 0;
}

/** Whether registering it would write nothing. */
export function isUnchanged(change: Change): boolean {
  return change.existing !== undefined && change.added.length === 0 && !changesExisting(change);
}

function compareHouse(
  existing: Existing['houses'],
  house: PreNotifiedHouseConsignment,
  index: number,
): ChangedHouse[] {
  const found = existing.get(house);
  if (found === undefined) return [];
  const { id, presented, head, sameSubheadings, sameRouting } = found;
  const members = [
    ...(head === null ? [] : compareWithHead(head, house)),
    ...(sameSubheadings ? [] : ['harmonizedSystemSubheadingCode']),
    ...(sameRouting ? [] : ['routing']),
  ];
  return members.length === 0 ? [] : [{ id, presented, house, index, members }];
}

function compareMembers(existing: DeclarationMembers, incoming: DeclarationMembers): string[] {
  return declarationMembers.filter(
    (member) => JSON.stringify(existing[member]) !== JSON.stringify(incoming[member]),
  );
}

const declarationMembers = [
  'customsOfficeOfFirstEntry',
  'declarant',
  'representative',
  'carrier',
  'presenters',
  'estimatedTimeOfArrival',
  'activeBorderTransportMeans',
] as const satisfies readonly (keyof DeclarationMembers)[];
