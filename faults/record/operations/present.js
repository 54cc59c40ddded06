// Presenting at all levels and in batches, also with a used requestId, and with references that are unknown or ambiguous.
import { present } from '../model/present.js';
import { OFFICES, UNKNOWN_OFFICE } from '../world.js';
import { codesOf, different, differentStatus } from './check.js';
import { firstLines } from './first-lines.js';

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
    return {
      organisation: random.pick(world.organisations),
      level,
      requestId: pickRequestId(random, earlier),
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

const HOUSE = 'house-consignment';

/** A batch, whose connection may end within or after a line. It is sent again as any operation is, then as a whole. */
export const presentBatch = {
  weight: 6,
  make: (random, world, earlier) => {
    const lines = [];
    // Each document once: what shares one is committed later than the other lines, in an order that is not promised.
    for (const transportDocumentHouseLevel of world.documents) {
      if (lines.length > 0 && random.chance(0.4)) continue;
      const requestId = pickRequestId(random, earlier);
      lines.push({
        requestId: lines.some((line) => line.requestId === requestId) ? random.uuid() : requestId,
        customsOfficeOfPresentation: random.chance(0.05) ? UNKNOWN_OFFICE : random.pick(OFFICES),
        transportDocumentHouseLevel,
        ...(random.chance(0.5) && { mrn: random.pick(world.mrns) }),
      });
    }
    return {
      organisation: random.pick(world.organisations),
      lines,
      ...(random.chance(0.15) && {
        cutAt: { line: random.below(lines.length), within: random.chance(0.5) },
      }),
    };
  },
  request: ({ organisation, lines, cutAt }) => ({
    by: organisation,
    scope: 'movement/entry',
    method: 'POST',
    path: `/api/movement/presentation/v1/${HOUSE}/batch`,
    lines,
    cutAt,
  }),
  apply: (record, { organisation, lines }) =>
    lines.map(({ requestId, customsOfficeOfPresentation: office, ...reference }) => ({
      requestId,
      codes: present(record, { organisation, level: HOUSE, requestId, office, reference }),
    })),
  check: (expected, response) =>
    differentStatus(response, 200) ??
    different(
      'results',
      response.lines.map((result) => ({
        line: result.line,
        requestId: result.requestId,
        status: result.status,
        codes: codesOf(result),
      })),
      expected.map(({ requestId, codes }, index) => ({
        line: index + 1,
        requestId,
        status: codes.length === 0 ? 202 : 400,
        codes: [...new Set(codes)].sort(),
      })),
    ),
  parts: firstLines,
};

/** A new one, or one that was sent before. */
function pickRequestId(random, earlier) {
  const used = earlier
    .flatMap(({ name, lines = [], requestId }) =>
      name === 'presentBatch' ? lines.map((line) => line.requestId) : requestId,
    )
    .filter((requestId) => requestId !== undefined);
  return used.length > 0 && random.chance(0.1) ? random.pick(used) : random.uuid();
}
