// The one place that mints ids: UUID version 7, whose order is that of time.
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes of an id. */
const ID_BYTES = 16;

// A call to the system's random generator costs more than an id, so one call serves 256 ids.
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;

/** A new id; it sorts after every earlier one of this process. */
export const newId = makeNewId(Date.now);

/**
 * Makes a function that mints ids; each sorts after every earlier one of the function.
 *
 * @param now milliseconds since 1970
 */
export function makeNewId(now: () => number): () => string {
  // `v7` counts the ids of a millisecond only if it draws the random bytes itself. Without a count, they are unordered.
  let msecs = 0;
  let seq = 0;
  return () => {
    const random = takeRandom();
    const time = now();
    if (time > msecs) {
      msecs = time;
      seq = random.readUInt32BE(6) >>> 1;
    } else {
      seq = (seq + 1) >>> 0;
      if (seq === 0) msecs++;
    }
    return v7({ random, msecs, seq });
  };
}

function takeRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}
