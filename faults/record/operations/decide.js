// Deciding: an array, which is one transaction, or lines; decisions that are new, repeated, changed or impossible.
import { decide } from '../model/decide.js';
import { codesOf, different, differentStatus } from './check.js';
import { pickRouting } from './goods.js';

export const decideGoods = {
  weight: 8,
  make: (random, world, earlier) => ({
    form: random.pick(['array', 'lines']),
    decisions: Array.from({ length: 1 + random.below(4) }, () => ({
      ...(random.chance(0.8) && { mrn: random.pick(world.mrns) }),
      transportDocumentHouseLevel: random.pick(world.documents),
      ...pickDecision(random),
      ...(random.chance(0.3) && { decisionId: pickDecisionId(random, earlier) }),
      ...(random.chance(0.2) && { expected: random.pick([null, 1, 2, 3]) }),
    })),
  }),
  request: ({ officer, form, decisions }) => ({
    by: officer,
    scope: 'authority/routing',
    method: 'POST',
    path: '/api/authority/v1/routing-decisions',
    ...(form === 'array' ? { body: decisions } : { lines: decisions }),
  }),
  apply: (record, { decisions }, context) =>
    decisions.map((decision) => decide(record, decision, context)),
  check: (expected, response) =>
    differentStatus(response, 200) ??
    different(
      'results',
      (response.lines ?? response.body).map((result) => ({
        status: result.status,
        codes: codesOf(result),
        signals: result.signals,
        number: result.number,
        current: result.status === 'CONFLICT' ? (result.current?.number ?? null) : undefined,
      })),
      expected.map(({ status, codes = [], signals, number, current }) => ({
        status,
        codes,
        signals,
        number,
        current,
      })),
    ),
  /** Lines may have been decided in part. */
  parts: (operation) =>
    operation.form === 'array'
      ? [operation]
      : operation.decisions.map((_, index) => ({
          ...operation,
          decisions: operation.decisions.slice(0, index + 1),
        })),
};

function pickDecision(random) {
  if (random.chance(0.15)) return { routing: 'UNDECIDED', reason: 'a mistake' };
  return {
    ...pickRouting(random),
    ...(random.chance(0.5) && { reason: `because of ${random.below(1000)}` }),
  };
}

/** A new id, or one that was sent before: with the same decision it is a retry. */
function pickDecisionId(random, earlier) {
  const used = earlier
    .flatMap(({ decisions = [] }) => decisions)
    .flatMap(({ decisionId }) => decisionId ?? []);
  return used.length > 0 && random.chance(0.3) ? random.pick(used) : random.uuid();
}
