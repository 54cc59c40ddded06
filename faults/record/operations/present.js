// Presenting at all levels, also with a used requestId, and with references that are unknown or ambiguous.
import { present } from '../model/present.js';
import { OFFICES, UNKNOWN_OFFICE } from '../world.js';
import { different, differentStatus } from './check.js';

/** How a reference is made at each level. */
const references = {
  'house-consignment': (random, world) => ({
    transportDocumentHouseLevel: random.pick(world.documents),
    ...(random.chance(0.5) && { mrn: random.pick(world.mrns) }),
  }),
  'master-consignment': (random, world) => ({
    transportDocumentMasterLevel: random.pick(world.masters),
    ...(random.chance(0.5) && { mrn: random.pick(world.mrns) }),
  }),
  container: (random, world) => ({ containerId: random.pick(world.containers) }),
  receptacle: (random, world) => ({ receptacleId: random.pick(world.receptacles) }),
  'entry-summary-declaration': (random, world) => ({
    mrn: random.pick(random.chance(0.1) ? [world.unknownMrn] : world.mrns),
  }),
};

export const presentGoods = {
  weight: 12,
  make: (random, world, earlier) => {
    const level = random.pick(Object.keys(references));
    const used = earlier.filter(({ requestId }) => requestId !== undefined);
    return {
      organisation: random.pick(world.organisations),
      level,
      requestId:
        used.length > 0 && random.chance(0.1) ? random.pick(used).requestId : random.uuid(),
      office: random.chance(0.05) ? UNKNOWN_OFFICE : random.pick(OFFICES),
      reference: references[level](random, world),
    };
  },
  request: ({ organisation, level, requestId, office, reference }) => ({
    by: organisation,
    scope: 'movement/entry',
    method: 'POST',
    path: `/api/movement/presentation/v1/${level}`,
    body: { requestId, customsOfficeOfPresentation: office, ...reference },
  }),
  apply: (record, operation) => ({
    codes: present(record, operation),
    requestId: operation.requestId,
  }),
  check: ({ codes, requestId }, response) =>
    codes.length > 0
      ? differentStatus(response, 400, codes)
      : (differentStatus(response, 202) ?? different('body', response.body, { requestId })),
};
