// Deciding: an array, which is one transaction, or lines; decisions that are new, repeated, changed or impossible.
import { decide } from '../model/decide.js';
import { codesOf, different, differentStatus } from './check.js';
import { pickRouting } from './goods.js';

export const decideGoods = {
  weight: 8,
  make: (random, world) => ({
    form: random.pick(['array', 'lines']),
    decisions: Array.from({ length: 1 + random.below(4) }, () => ({
      ...(random.chance(0.8) && { mrn: random.pick(world.mrns) }),
      transportDocumentHouseLevel: random.pick(world.documents),
      ...pickRouting(random),
      ...(random.chance(0.5) && { reason: `because of ${random.below(1000)}` }),
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
      })),
      expected.map(({ status, codes = [], signals }) => ({ status, codes, signals })),
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
