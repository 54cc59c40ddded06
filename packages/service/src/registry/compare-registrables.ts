// Compares what is to be registered with what stands, and tells what would contradict a presentation.
import type { PreNotifiedHouseConsignment, ValidationError } from '@landfall/contract';
import type { Transaction } from '../database/database.js';
import {
  changedHouseMembers,
  changedMembers,
  type DeclarationMembers,
  keptSubheadings,
  presenterMembers,
  type Registrable,
  renderSignalHead,
} from './entry-summary-declaration.js';
import {
  type ComparedHouse,
  compareHouses,
  type DeclarationRow,
  type OtherHouseRow,
  type StandingHouseRow,
  selectDeclarations,
  selectOtherHouses,
  selectPresentedDeclarations,
} from './queries.js';

/** An ENS as it stands. */
export type StandingDeclaration = {
  id: number;
  /** Who receives signals of its house consignments, whoever presents them. */
  organisations: readonly number[];
  members: DeclarationMembers;
};

/** A house consignment that stands, and what of it is told otherwise now. */
export type StandingHouse = { id: string; changed: readonly string[]; presented: boolean };

/** How one registrable differs from what stands. */
export type Comparison = {
  registrable: Registrable;
  standing: StandingDeclaration | undefined;
  /** Members of the ENS itself that are told otherwise. */
  changed: readonly string[];
  /** Whether a house consignment of the ENS is presented; looked up only where members changed. */
  presented: boolean;
  /** For each house consignment the one that stands. */
  houses: readonly (StandingHouse | undefined)[];
  /** House consignments that stand and are told no more. */
  others: readonly OtherHouseRow[];
};

/** The declarations that stand, by their MRN. */
export async function findStanding(
  transaction: Transaction,
  mrns: readonly string[],
): Promise<Map<string, StandingDeclaration>> {
  const rows = await transaction.query<DeclarationRow>(selectDeclarations(mrns));
  return new Map(rows.map((row) => [row.mrn, toStanding(row)]));
}

/** The members of an ENS, from the columns that hold them. */
export function toMembers(row: DeclarationRow): DeclarationMembers {
  const { mrn, office, declarant, representative, carrier, presenters } = row;
  const { arrival, meansNumber, meansType } = row;
  return {
    mrn,
    customsOfficeOfFirstEntry: office,
    declarant,
    ...(representative !== null && { representative }),
    ...(carrier !== null && { carrier }),
    ...(presenters !== null && { presenters }),
    ...(arrival !== null && { estimatedTimeOfArrival: arrival.toISOString() }),
    ...(meansNumber !== null &&
      meansType !== null && {
        activeBorderTransportMeans: {
          identificationNumber: meansNumber,
          typeOfIdentification: meansType,
        },
      }),
  };
}

function toStanding(row: DeclarationRow): StandingDeclaration {
  const { id, declarantId, representativeId } = row;
  return {
    id,
    organisations: representativeId === null ? [declarantId] : [declarantId, representativeId],
    members: toMembers(row),
  };
}

/** Compares; what is new altogether costs no query. */
export async function compareRegistrables(
  transaction: Transaction,
  registrables: readonly Registrable[],
  standing: ReadonlyMap<string, StandingDeclaration>,
): Promise<Comparison[]> {
  const houses = await compareAllHouses(transaction, registrables, standing);
  const others = await findOthers(transaction, registrables, standing, houses);
  const changed = registrables.map(({ mrn, declaration }) => {
    const known = standing.get(mrn);
    return known === undefined || declaration === undefined
      ? nothing
      : changedMembers(known.members, declaration);
  });
  const changedIds = registrables.flatMap(({ mrn }, place) => {
    const known = standing.get(mrn);
    return known !== undefined && changed[place]?.length ? [known.id] : [];
  });
  const presented = await findPresented(transaction, changedIds);
  return registrables.map((registrable, place): Comparison => {
    const known = standing.get(registrable.mrn);
    return {
      registrable,
      standing: known,
      changed: changed[place] ?? nothing,
      presented: known !== undefined && presented.has(known.id),
      houses: houses?.[place] ?? nothing,
      others:
        known !== undefined && registrable.whole
          ? others.filter(({ declarationId }) => declarationId === known.id)
          : nothing,
    };
  });
}

/** One list for all that have nothing: of very many house consignments most are new. */
const nothing: readonly never[] = [];

/** The house consignments that stand, for each registrable; `undefined` when there are none at all. */
type FoundHouses = readonly (readonly (StandingHouse | undefined)[])[] | undefined;

async function compareAllHouses(
  transaction: Transaction,
  registrables: readonly Registrable[],
  standing: ReadonlyMap<string, StandingDeclaration>,
): Promise<FoundHouses> {
  const compared: ComparedHouse[] = [];
  const places: { registrable: number; house: number }[] = [];
  for (const [place, { mrn, houses }] of registrables.entries()) {
    const known = standing.get(mrn);
    if (known === undefined) continue;
    for (const [number, house] of houses.entries()) {
      compared.push(toCompared(known, house, places.length));
      places.push({ registrable: place, house: number });
    }
  }
  if (compared.length === 0) return undefined;
  const rows = await transaction.query<StandingHouseRow>(compareHouses(compared));
  if (rows.length === 0) return undefined;
  const found = registrables.map((): (StandingHouse | undefined)[] => []);
  for (const { place, id, head, sameSubheadings, sameRouting, presented } of rows) {
    const { registrable = 0, house = 0 } = places[place] ?? {};
    const told = registrables[registrable]?.houses[house];
    const into = found[registrable];
    if (told === undefined || into === undefined) continue;
    const changed = [
      ...(head === null ? nothing : changedHouseMembers(head, told)),
      ...(sameSubheadings ? nothing : ['harmonizedSystemSubheadingCode']),
      ...(sameRouting ? nothing : ['routing']),
    ];
    into[house] = { id, presented, changed: changed.length === 0 ? nothing : changed };
  }
  return found;
}

/** Compared as it would stand under the declaration as it is now: what the declaration changes is no change of it. */
function toCompared(
  { id, members }: StandingDeclaration,
  house: PreNotifiedHouseConsignment,
  place: number,
): ComparedHouse {
  const { documentNumber: number, type } = house.transportDocumentHouseLevel;
  const { routing, routingControlLocation: location } = house;
  return {
    place,
    ens: id,
    number,
    type,
    head: renderSignalHead(members, house),
    subheadings: keptSubheadings(house),
    routing,
    location,
  };
}

async function findOthers(
  transaction: Transaction,
  registrables: readonly Registrable[],
  standing: ReadonlyMap<string, StandingDeclaration>,
  houses: FoundHouses,
): Promise<readonly OtherHouseRow[]> {
  const wholes = registrables.flatMap(({ mrn, whole }, place) => {
    const id = standing.get(mrn)?.id;
    return whole && id !== undefined ? [{ id, houses: houses?.[place] ?? [] }] : [];
  });
  if (wholes.length === 0) return [];
  const kept = wholes.flatMap(({ houses: told }) => told.flatMap((house) => house?.id ?? []));
  return transaction.query<OtherHouseRow>(
    selectOtherHouses(
      wholes.map(({ id }) => id),
      kept,
    ),
  );
}

async function findPresented(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await transaction.query<{ id: number }>(selectPresentedDeclarations(ids));
  return new Set(rows.map(({ id }) => id));
}

/** Whether it would change or remove something that stands, and so must be settled with those who present. */
export function isContested({ changed, houses, others }: Comparison): boolean {
  return (
    changed.length > 0 ||
    others.length > 0 ||
    houses.some((house) => house !== undefined && house.changed.length > 0)
  );
}

/** Every rule that a registration breaks against what is presented. Wire contract, section 7. */
export function contradictions(comparison: Comparison): ValidationError[] {
  const { registrable, changed, presented, houses, others } = comparison;
  const { declaration } = registrable;
  const fieldOf = (place: number) =>
    declaration === undefined ? 'houseConsignment' : `houseConsignments.${place}`;
  return [
    ...(presented
      ? changed
          .filter((member) => !presenterMembers.includes(member))
          .map((member) =>
            refusal(member, 'must stay as it is: goods of this declaration are presented'),
          )
      : []),
    ...houses.flatMap((house, place) =>
      house?.presented
        ? house.changed.map((member) => refusal(`${fieldOf(place)}.${member}`, stays(member)))
        : [],
    ),
    ...others.flatMap(({ presented: kept, type, documentNumber }) =>
      kept
        ? [refusal('houseConsignments', `must hold ${type} ${documentNumber}: it is presented`)]
        : [],
    ),
  ];
}

function stays(member: string): string {
  return member === 'routing'
    ? 'must stay as it is: the house consignment is presented, and is decided by a routing decision'
    : 'must stay as it is: the house consignment is presented';
}

function refusal(field: string, error: string): ValidationError {
  return { field, error, code: 'PRESENTED' };
}
