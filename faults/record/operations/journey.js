// Requests about movement messages: lodging, replacing, cancelling and the arrival of transports; and decisions on their goods.
import {
  ARRIVALS,
  houseMessage,
  inHours,
  masterMessage,
  transportMessage,
} from '../../../bench/lodged-goods.js';
import { OFFICES } from '../world.js';

/** The scopes of organisations that lodge. */
export const LODGER_SCOPES = ['movement/entry', 'movement/road/v2', 'movement/transportarrival'];

/** What is sent again as it was is the same text. */
const documentIssueDate = inHours(0);
const expectedAt = inHours(24);
const dateAndTimeOfArrival = inHours(-1);

/** How often an earlier request is sent again as it was. */
const REPEATED = 0.06;

/** The contents of a message of each level; with those of before, its key stays. */
const contents = {
  transport: (random, { plates, lodgedMasters }, before) => ({
    plate: before?.plate ?? random.pick(plates),
    masters: lodgedMasters.filter(() => random.chance(0.7)),
  }),
  'master-consignment': (random, { lodgedMasters }, before) => ({
    document: before?.document ?? random.pick(lodgedMasters),
    mass: 100 + random.below(3),
  }),
  'house-consignment': (random, { lodgedHouses, lodgedMasters }, before) => ({
    document: before?.document ?? random.pick(lodgedHouses),
    master: random.pick(lodgedMasters),
    isComplete: random.chance(0.7),
  }),
};

/** How each kind of operation is made; `earlier` are those that have lodged. */
const kinds = {
  lodge: {
    weight: 9,
    make: (random, world) => {
      const level = random.pickWeighted([
        { level: 'house-consignment', weight: 6 },
        { level: 'master-consignment', weight: 3 },
        { level: 'transport', weight: 2 },
      ]).level;
      return { level, content: contents[level](random, world) };
    },
  },
  replace: {
    weight: 5,
    make: (random, world, earlier) => {
      const { requestId, level, content } = random.pick(earlier);
      return { of: requestId, level, content: contents[level](random, world, content) };
    },
  },
  cancel: {
    weight: 2,
    make: (random, _, earlier) => {
      const { requestId, level } = random.pick(earlier);
      return { of: requestId, level };
    },
  },
  arrive: {
    weight: 3,
    make: (random, _, earlier) => ({
      of: pickOf(random, earlier, 'transport'),
      office: OFFICES[random.chance(0.9) ? 0 : 1],
    }),
  },
  decide: {
    weight: 5,
    make: (random, _, earlier) => ({
      of: pickOf(random, earlier, 'house-consignment'),
      routing: random.pick(['TO_ENTRY', 'TO_CONTROL']),
    }),
  },
};

function pickOf(random, earlier, wanted) {
  const found = earlier.filter(({ level }) => level === wanted);
  return found.length === 0 ? undefined : random.pick(found).requestId;
}

const choices = Object.entries(kinds).map(([name, { weight }]) => ({ name, weight }));

/**
 * Makes a sequence of operations. It does not depend on responses, so that any part of it can be run.
 *
 * @param {{ disturbances: boolean }} options whether servers are killed, statements cancelled and responses lost
 */
export function makeJourney(random, world, count, { disturbances }) {
  const sequence = [];
  while (sequence.length < count) {
    const made =
      sequence.length > 0 && random.chance(REPEATED)
        ? { ...random.pick(sequence), disturbance: undefined }
        : makeOne(random, world, sequence);
    sequence.push({
      ...made,
      server: random.below(2),
      ...(disturbances &&
        made.name !== 'decide' &&
        random.chance(0.1) && { disturbance: pickDisturbance(random) }),
    });
  }
  return sequence;
}

function makeOne(random, world, sequence) {
  const earlier = sequence.filter(({ name }) => name === 'lodge');
  const name = earlier.length === 0 ? 'lodge' : random.pickWeighted(choices).name;
  const made = kinds[name].make(random, world, earlier);
  // Mostly those who may: whoever has lodged it.
  const lodged = earlier.find(({ requestId }) => requestId === made.of);
  const by =
    lodged !== undefined && random.chance(0.85) ? lodged.by : random.pick(world.organisations);
  return { name, by, requestId: random.uuid(), ...made };
}

function pickDisturbance(random) {
  const kind = random.pick(['kill', 'cancel', 'terminate', 'lose']);
  return { kind, afterMs: random.below(40) };
}

/**
 * The request of an operation.
 *
 * @param {string | undefined} mrn of the message that it is about
 */
export function requestOf(operation, mrn, world) {
  const { name, by, requestId, level, content, office, routing } = operation;
  const road = { by, scope: 'movement/road/v2' };
  const path = `/api/movement/road/v2/${level}`;
  if (name === 'lodge') {
    return {
      ...road,
      method: 'POST',
      path,
      body: { ...bodies[level](content, world), requestId },
    };
  }
  if (name === 'replace') {
    const body = { ...bodies[level](content, world), requestId };
    return { ...road, method: 'PUT', path: `${path}/${mrn}`, body };
  }
  if (name === 'cancel') {
    return { ...road, method: 'DELETE', path: `${path}/${mrn}`, body: { requestId } };
  }
  if (name === 'arrive') {
    const customsOfficeOfArrival = { referenceNumber: office };
    const body = { mrn, requestId, dateAndTimeOfArrival, customsOfficeOfArrival };
    return { by, scope: 'movement/transportarrival', method: 'POST', path: ARRIVALS, body };
  }
  const transportDocumentHouseLevel = { documentNumber: content.document, type: 'N730' };
  return {
    by: 0,
    scope: 'authority/routing',
    method: 'POST',
    path: '/api/authority/v1/routing-decisions',
    body: [{ mrn, transportDocumentHouseLevel, routing }],
  };
}

/** The first organisation is the carrier of everything. */
const carrierOf = ({ organisations: [carrier] }) => carrier.replace('0192:', 'NO');

const bodies = {
  transport: ({ plate, masters }, world) => ({
    ...transportMessage(plate, masters, carrierOf(world)),
    documentIssueDate,
    estimatedDateAndTimeOfArrival: expectedAt,
    scheduledDateAndTimeOfArrival: expectedAt,
  }),
  'master-consignment': ({ document, mass }, world) => {
    const { consignmentMasterLevel } = masterMessage(document, carrierOf(world));
    return {
      documentIssueDate,
      consignmentMasterLevel: { ...consignmentMasterLevel, grossMass: mass },
    };
  },
  'house-consignment': ({ document, master, isComplete }, world) => {
    const { consignmentHouseLevel } = houseMessage(document, master, carrierOf(world));
    const { importProcedure, ...rest } = consignmentHouseLevel;
    return {
      documentIssueDate,
      consignmentHouseLevel: { ...rest, ...(isComplete && { importProcedure }) },
    };
  },
};
