// Compares incoming with existing data: what registering it would change. Uses no database.
import { identifierKey, type PreNotifiedHouseConsignment } from '@landfall/contract';
import type { ExistingDeclaration } from './declaration-queries.js';
import type { ExistingHouse } from './house-queries.js';
import type { MrnOwner } from './other-kind.js';
import type { Existing } from './read-existing.js';
import type { DeclarationMembers, Incoming } from './read-incoming.js';
import { compareWithHead } from './signal-head.js';
import type { UnlistedHouses, WithdrawnHouse } from './withdrawal-queries.js';

/** What one incoming entry would change. */
export type Change = {
  incoming: Incoming;
  /** The existing declaration with the MRN, also if it was withdrawn. */
  existing: ExistingDeclaration | undefined;
  /** What has the MRN if it is no ENS. */
  otherKind: MrnOwner | undefined;
  /** Members of the declaration that change, without those of its house consignments. */
  members: readonly string[];
  added: readonly PreNotifiedHouseConsignment[];
  /** Those that were withdrawn and are listed again. */
  returned: readonly ReturnedHouse[];
  changed: readonly ChangedHouse[];
  /** Those that are not listed any more; the ids of the existing ones that are. */
  removed: UnlistedHouses | undefined;
  listed: readonly string[];
  /** The incoming ones that are registered beside others of the same key: their spelling is their own. */
  spelled: ReadonlySet<PreNotifiedHouseConsignment>;
  /** Number of house consignments that stay as they are. */
  unchanged: number;
  /** Its source has sent a newer version before: nothing of it is compared or changed. */
  outdated: boolean;
};

/** An existing house consignment with members that change. */
export type ChangedHouse = Pick<ExistingHouse, 'id' | 'presented'> & {
  /** The incoming one, and its index in the incoming declaration. */
  house: PreNotifiedHouseConsignment;
  index: number;
  members: readonly string[];
  /** The text of its document if the incoming one is another spelling, which cannot be registered. */
  otherSpelling: string | null;
};

/** A house consignment that was withdrawn and is listed again. */
export type ReturnedHouse = WithdrawnHouse & { house: PreNotifiedHouseConsignment };

/** Gives the change for each incoming entry. */
export function compareWithExisting(incoming: readonly Incoming[], data: Existing): Change[] {
  return incoming.map((entry) => {
    const { mrn, declaration, houses, isComplete } = entry;
    const existing = data.declarations.get(mrn);
    const otherKind = data.otherKinds.get(mrn);
    if (isOutdated(entry, existing)) {
      return { ...nothingChanges, incoming: entry, existing, otherKind };
    }
    const missing = houses.filter((house) => !data.houses.has(house));
    const returned = missing.flatMap((house) => {
      const withdrawn = data.withdrawn.get(house);
      return withdrawn === undefined ? [] : [{ ...withdrawn, house }];
    });
    const added = missing.filter((house) => !data.withdrawn.has(house));
    const changed = houses.flatMap((house, index) => compareHouse(data.houses, house, index));
    return {
      incoming: entry,
      existing,
      otherKind,
      members: existing && declaration ? compareMembers(existing.members, declaration) : [],
      added,
      returned,
      changed,
      removed:
        existing !== undefined && isComplete
          ? data.unlisted.find(({ declarationId }) => declarationId === existing.id)
          : undefined,
      listed: houses.flatMap((house) => data.houses.get(house)?.id ?? []),
      spelled: new Set(houses.filter((house) => data.houses.get(house)?.isOnlySpelling)),
      unchanged: houses.length - missing.length - changed.length,
      outdated: false,
    };
  });
}

const nothingChanges = {
  members: [],
  added: [],
  returned: [],
  changed: [],
  removed: undefined,
  listed: [],
  spelled: new Set<PreNotifiedHouseConsignment>(),
  unchanged: 0,
  outdated: true,
} satisfies Partial<Change>;

/**
 * Whether an entry is older than what is kept. What was withdrawn comes back only with a newer version: the one that was
 * withdrawn may have been sent again.
 */
function isOutdated({ version }: Incoming, existing: ExistingDeclaration | undefined): boolean {
  const kept = existing?.members.version;
  if (version === undefined || kept === undefined) return false;
  return existing?.withdrawn ? version <= kept : version < kept;
}

/** Whether existing data would change or be removed, which nobody may present meanwhile. */
export function changesExisting({ members, changed, removed }: Change): boolean {
  return members.length + changed.length > 0 || removed !== undefined;
}

/** Whether registering it would write nothing. */
export function isUnchanged(change: Change): boolean {
  const { existing, added, returned, outdated } = change;
  if (outdated) return true;
  const isCurrent = existing !== undefined && !existing.withdrawn;
  return isCurrent && added.length + returned.length === 0 && !changesExisting(change);
}

function compareHouse(
  existing: Existing['houses'],
  house: PreNotifiedHouseConsignment,
  index: number,
): ChangedHouse[] {
  const found = existing.get(house);
  if (found === undefined) return [];
  const { id, presented, head, otherSpelling, sameSubheadings, sameRouting } = found;
  // What is presented keeps the spelling that it had.
  const spellingOf = presented && otherSpelling === null ? identifierKey : (text: string) => text;
  const members = [
    ...(head === null ? [] : compareWithHead(head, house, spellingOf)),
    ...(sameSubheadings ? [] : ['harmonizedSystemSubheadingCode']),
    ...(sameRouting ? [] : ['routing']),
  ];
  return members.length === 0 ? [] : [{ id, presented, house, index, members, otherSpelling }];
}

function compareMembers(existing: DeclarationMembers, incoming: DeclarationMembers): string[] {
  return declarationMembers.filter(
    (member) =>
      JSON.stringify(existing[member]) !== JSON.stringify(incoming[member]) &&
      // What comes without a version keeps the one that it has.
      (member !== 'version' || incoming.version !== undefined),
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
  'version',
] as const satisfies readonly (keyof DeclarationMembers)[];
