// Finds a declaration that shows the levels of a dataset, and keeps the beginning of each of its groups.
import type { EntrySummaryDeclaration, PreNotifiedHouseConsignment } from '@landfall/contract';

/** House consignments of a group that are kept. */
const MAX_KEPT = 3;

/** Groups that are kept. */
const MAX_GROUPS = 3;

/** A declaration with some of its house consignments. */
export type DatasetExample = {
  /** Without its house consignments. */
  declaration: Omit<EntrySummaryDeclaration, 'houseConsignments'>;
  houseConsignments: number;
  /** House consignments with the same master consignment, receptacle and containers; the first groups. */
  groups: ExampleGroup[];
  /** Groups beyond those that are listed. */
  moreGroups: number;
};

/** House consignments that are together. */
export type ExampleGroup = Pick<
  PreNotifiedHouseConsignment,
  'transportDocumentMasterLevel' | 'receptacleId' | 'containerId'
> & {
  houseConsignments: number;
  /** The first of them. */
  first: Pick<PreNotifiedHouseConsignment, 'transportDocumentHouseLevel' | 'routing'>[];
};

type Candidate = {
  declaration: DatasetExample['declaration'];
  houses: number;
  groups: Map<string, ExampleGroup>;
};

/** Keeps the first declaration with a group of several house consignments; until there is one, the first declaration. */
export class ExampleFinder {
  #first: Candidate | undefined;
  #best: Candidate | undefined;
  #current: Candidate | undefined;

  addDeclaration({ houseConsignments: _, ...declaration }: EntrySummaryDeclaration): void {
    if (this.#best !== undefined) return;
    this.#current = { declaration, houses: 0, groups: new Map() };
    this.#first ??= this.#current;
  }

  addHouse(mrn: string, house: PreNotifiedHouseConsignment): void {
    const current = this.#best ?? this.#current;
    if (current?.declaration.mrn !== mrn) return;
    const group = add(current, house);
    const isTogether =
      group.transportDocumentMasterLevel ?? group.receptacleId ?? group.containerId;
    if (isTogether !== undefined && group.houseConsignments > 1) this.#best ??= current;
  }

  found(): DatasetExample | undefined {
    const found = this.#best ?? this.#first;
    if (found === undefined) return undefined;
    const groups = [...found.groups.values()];
    return {
      declaration: found.declaration,
      houseConsignments: found.houses,
      groups: groups.slice(0, MAX_GROUPS),
      moreGroups: Math.max(0, groups.length - MAX_GROUPS),
    };
  }
}

function add(candidate: Candidate, house: PreNotifiedHouseConsignment): ExampleGroup {
  const { transportDocumentMasterLevel, receptacleId, containerId } = house;
  const together = { transportDocumentMasterLevel, receptacleId, containerId };
  const key = JSON.stringify(together);
  const group = candidate.groups.get(key) ?? {
    ...(transportDocumentMasterLevel && { transportDocumentMasterLevel }),
    ...(receptacleId !== undefined && { receptacleId }),
    ...(containerId && { containerId }),
    houseConsignments: 0,
    first: [],
  };
  candidate.groups.set(key, group);
  candidate.houses += 1;
  group.houseConsignments += 1;
  if (group.first.length < MAX_KEPT) {
    const { transportDocumentHouseLevel, routing } = house;
    group.first.push({ transportDocumentHouseLevel, ...(routing && { routing }) });
  }
  return group;
}
