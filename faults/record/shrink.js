// Finds a shorter sequence that fails too, by leaving out parts of it.
import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A sequence for another world: the same choices with the identifiers of that world. Ids of requests and decisions are
 * new ones: those of the sequence have been used.
 */
export function transfer(sequence, from, to) {
  const pairs = (world) =>
    [world.organisations, world.mrns, [world.unknownMrn], world.receptacles, world.containers]
      .concat([world.plates, world.lodgedMasters, world.lodgedHouses])
      .flat()
      .concat([...world.documents, ...world.masters].map(({ documentNumber }) => documentNumber))
      .concat(`record-${world.episode}`);
  const replaced = pairs(from);
  const replacing = pairs(to);
  const ids = new Map();
  return JSON.parse(JSON.stringify(sequence), (_, value) => {
    if (typeof value === 'string' && UUID.test(value)) {
      if (!ids.has(value)) ids.set(value, randomUUID());
      return ids.get(value);
    }
    const index = replaced.indexOf(value);
    return index < 0 ? value : replacing[index];
  });
}

/**
 * Leaves out parts, half of it first and single operations last, as long as the rest fails.
 *
 * @param {object[]} sequence one that fails
 * @param {(shorter: object[]) => Promise<boolean>} fails
 * @param {number} durationMs how long shorter ones are tried
 */
export async function shrink(sequence, fails, durationMs) {
  const end = performance.now() + durationMs;
  let shortest = sequence;
  for (let size = Math.ceil(sequence.length / 2); size > 0; size = Math.floor(size / 2)) {
    for (let start = 0; start < shortest.length && performance.now() < end; ) {
      // The last operation is the one that failed.
      const end = Math.min(start + size, shortest.length - 1);
      if (end <= start) break;
      const shorter = [...shortest.slice(0, start), ...shortest.slice(end)];
      if (await fails(shorter)) shortest = shorter;
      else start += size;
    }
  }
  return shortest;
}
