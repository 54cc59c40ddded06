// The table of operations that change the record. Each has:
//
//   weight   how often it is chosen
//   make     makes one from random choices, as plain data, which is what a failing sequence prints
//   request  the request that it sends
//   apply    changes a record as the contract says, and returns what the response must be
//   check    why a response differs from that; `undefined` if it does not
//   parts    what may have been done if the response was lost, if that is not all or nothing

import { OFFICERS } from '../world.js';
import { decideGoods } from './decide.js';
import { presentBatch, presentGoods } from './present.js';
import { activate, apply, deactivate, storeProfile } from './profile.js';
import { put, upload, withdrawDeclaration } from './register.js';

export const operations = {
  put,
  withdrawDeclaration,
  upload,
  presentGoods,
  presentBatch,
  decideGoods,
  storeProfile,
  activate,
  deactivate,
  apply,
};

const choices = Object.entries(operations).map(([name, { weight }]) => ({ name, weight }));

/** How often an earlier operation is sent again as it was. */
const REPEATED = 0.08;

/**
 * Makes a sequence of operations. It does not depend on responses, so that any part of it can be run.
 *
 * @param {{ disturbances: boolean }} options whether servers are killed, statements cancelled and responses lost
 */
export function makeSequence(random, world, count, { disturbances }) {
  const sequence = [];
  while (sequence.length < count) {
    const made =
      sequence.length > 0 && random.chance(REPEATED)
        ? { ...random.pick(sequence), disturbance: undefined, cutAt: undefined, repeats: true }
        : makeOne(random, world, sequence);
    sequence.push({
      ...made,
      server: random.below(2),
      ...(disturbances && random.chance(0.08) && { disturbance: pickDisturbance(random) }),
    });
  }
  return sequence;
}

function makeOne(random, world, earlier) {
  const { name } = random.pickWeighted(choices);
  const { number } = random.pick(OFFICERS);
  return { name, officer: number, ...operations[name].make(random, world, earlier) };
}

function pickDisturbance(random) {
  const { kind } = random.pickWeighted([
    { kind: 'kill', weight: 1 },
    { kind: 'cancel', weight: 2 },
    { kind: 'terminate', weight: 2 },
    { kind: 'lose', weight: 2 },
  ]);
  return { kind, afterMs: random.below(25) };
}
