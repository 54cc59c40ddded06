// Random goods: house consignments and declarations with the few identifiers of a world.
import { OFFICES } from '../world.js';

const ROUTINGS = [
  { routing: 'TO_ENTRY' },
  { routing: 'TO_CONTROL' },
  { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' },
  { routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' },
];

export function pickRouting(random) {
  return random.pick(ROUTINGS);
}

/** A house consignment of a registration. */
export function pickHouse(random, world, document = random.pick(world.documents)) {
  return {
    transportDocumentHouseLevel: document,
    ...(random.chance(0.6) && { transportDocumentMasterLevel: random.pick(world.masters) }),
    ...(random.chance(0.4) && { receptacleId: random.pick(world.receptacles) }),
    ...(random.chance(0.4) && { containerId: pickContainers(random, world) }),
    ...(random.chance(0.4) && {
      harmonizedSystemSubheadingCode: [random.pick(['240220', '640399'])],
    }),
    ...(random.chance(0.3) && pickRouting(random)),
  };
}

function pickContainers(random, { containers }) {
  return random.chance(0.2) ? containers : [random.pick(containers)];
}

/** A declaration without its MRN. */
export function pickDeclaration(random, world) {
  const documents = world.documents.filter(() => random.chance(0.4));
  return {
    customsOfficeOfFirstEntry: random.pick(OFFICES),
    declarant: random.pick(world.organisations.slice(0, 2)),
    ...(random.chance(0.5) && { representative: random.pick(world.organisations.slice(1, 3)) }),
    ...(random.chance(0.4) && {
      estimatedTimeOfArrival: random.pick(['2026-11-21T14:30:00.000Z', '2026-11-22T08:00:00.000Z']),
    }),
    ...(random.chance(0.3) && {
      activeBorderTransportMeans: { identificationNumber: 'SK4711', typeOfIdentification: '40' },
    }),
    ...(random.chance(0.3) && { version: random.below(8) }),
    houseConsignments: documents.map((document) => pickHouse(random, world, document)),
  };
}

/**
 * An MRN and a declaration. Often it is an earlier one with a small change, because few random ones are alike.
 *
 * @param {object[]} earlier the earlier operations
 */
export function pickRegistration(random, world, earlier) {
  const registered = earlier.filter(({ declaration }) => declaration !== undefined);
  if (registered.length === 0 || random.chance(0.4)) {
    return { mrn: random.pick(world.mrns), declaration: pickDeclaration(random, world) };
  }
  const { mrn, declaration } = random.pick(registered.slice(-6));
  return { mrn, declaration: changeDeclaration(random, world, declaration) };
}

function changeDeclaration(random, world, declaration) {
  const { houseConsignments: houses, ...members } = declaration;
  const other = pickDeclaration(random, world);
  const index = random.below(houses.length + 1);
  const changes = [
    () => ({ ...declaration, declarant: other.declarant }),
    () => ({ ...declaration, customsOfficeOfFirstEntry: other.customsOfficeOfFirstEntry }),
    () => ({ ...members, representative: other.representative, houseConsignments: houses }),
    () => ({ ...members, houseConsignments: houses.filter((_, at) => at !== index) }),
    () => ({ ...members, houseConsignments: addHouse(random, world, houses) }),
    () => ({ ...members, houseConsignments: addHouse(random, world, houses) }),
    () => ({ ...members, version: random.below(8), houseConsignments: houses }),
    () => declaration,
  ];
  return random.pick(changes)();
}

/** Adds a house consignment, or replaces the one with the same document. */
function addHouse(random, world, houses) {
  const house = pickHouse(random, world);
  const { documentNumber } = house.transportDocumentHouseLevel;
  return [
    ...houses.filter(
      ({ transportDocumentHouseLevel: document }) => document.documentNumber !== documentNumber,
    ),
    house,
  ];
}
