// The goods of a measurement of capacity: pre-notifications of the samples, and how each declaration is presented.
import { generatePreNotifications } from '@landfall/samples';
import { ORGANISATIONS } from '../goods.js';

/** House consignments of a declaration, on average. */
const HOUSES_PER_ENS = 250;

/** How the declarations of the samples are presented, in turn. */
const LEVELS = ['house', 'house', 'group', 'declaration'];

const organisation = (number) => `0192:${810_000_000 + number}`;

/**
 * Declarations of the samples. Every second one is presented by its declarant, so a signal has 1.8 recipients on average:
 * the presenter, in half of them another declarant, and in three of ten a representative.
 *
 * @param {number} houses
 */
export function* makeDeclarations(houses) {
  const ens = Math.ceil(houses / HOUSES_PER_ENS);
  let number = 0;
  for (const declaration of generatePreNotifications({ ens, houses, seed: 7 })) {
    const presenter = number % ORGANISATIONS;
    yield {
      declaration: {
        ...declaration,
        ...(number % 2 === 0 && { declarant: organisation(presenter) }),
      },
      presenter,
      level: LEVELS[Math.floor(number / 2) % LEVELS.length],
    };
    number++;
  }
}

/** A declaration with an empty list, then a line for each of its house consignments, as they are uploaded. */
export function* toLines({ houseConsignments, ...declaration }) {
  yield `${JSON.stringify({ ...declaration, houseConsignments: [] })}\n`;
  for (const houseConsignment of houseConsignments) {
    yield `${JSON.stringify({ mrn: declaration.mrn, houseConsignment })}\n`;
  }
}

/**
 * The presentations of a declaration: path and reference of each, and how many house consignments it reaches.
 *
 * @param {{ declaration: any, level: string }} goods
 */
export function* toPresentations({ declaration: { mrn, houseConsignments }, level }) {
  if (level === 'declaration') {
    yield {
      path: 'entry-summary-declaration',
      reference: { mrn },
      houses: houseConsignments.length,
    };
    return;
  }
  const groups = new Map();
  for (const house of houseConsignments) {
    const group = level === 'group' ? groupOf(house) : undefined;
    if (group === undefined) {
      const { transportDocumentHouseLevel } = house;
      yield { path: 'house-consignment', reference: { transportDocumentHouseLevel }, houses: 1 };
    } else {
      const key = JSON.stringify(group);
      groups.set(key, { ...group, houses: (groups.get(key)?.houses ?? 0) + 1 });
    }
  }
  yield* groups.values();
}

/** The receptacle, container or master consignment of a house consignment, if it is in one. */
function groupOf({ receptacleId, containerId, transportDocumentMasterLevel }) {
  if (receptacleId !== undefined) return { path: 'receptacle', reference: { receptacleId } };
  if (containerId !== undefined) {
    return { path: 'container', reference: { containerId: containerId[0] } };
  }
  if (transportDocumentMasterLevel === undefined) return undefined;
  return { path: 'master-consignment', reference: { transportDocumentMasterLevel } };
}
