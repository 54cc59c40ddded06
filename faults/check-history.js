// Checks the history of all calls against the final state of the database: every broken promise, in words.

/** How long the service may take to recover from a fault, in milliseconds. */
export const MAX_RECOVERY_MS = 30_000;

/** A call that takes longer counts as not served, in milliseconds. */
const SLOW_MS = 5000;

/** How many of each kind of violation are described one by one. */
const MAX_DESCRIBED = 5;

/**
 * A fault and what it cost. Times are milliseconds of `performance.now()`.
 *
 * @typedef {{ name: string, planned?: boolean, at: number, undoneAt?: number, until: number }} Disturbance `planned`: it
 *   must cost no request that is retried once; `until`: when the next one began
 */

/**
 * Describes every broken promise.
 *
 * @param {readonly import('./load.js').Call[]} history
 * @param {import('./final-state.js').FinalState} final
 * @param {readonly Disturbance[]} disturbances in their order
 * @param {readonly { organisation: number, ids: string[] }[]} readers what each reader has read
 * @returns {string[]}
 */
export function checkHistory(history, { statuses, feeds }, disturbances, readers) {
  const ids = new Map([...feeds].map(([owner, signals]) => [owner, signals.map(({ id }) => id)]));
  return [
    ...describe('a response that no client expects', findWrong(history)),
    ...describe('acknowledged and lost', findLost(history, statuses)),
    ...describe('acknowledged twice', findTwice(history)),
    ...describe('acknowledged and not found later', findForgotten(history)),
    ...describe('signalled other than once', findSignalled(history, statuses, feeds)),
    ...describe('a page does not continue after its marker', findGaps(history, ids)),
    ...describe('a reader has another sequence than the feed', findDiverged(readers, ids)),
    ...describe('no recovery within 30 s', findSlow(history, disturbances)),
    ...describe(
      'failed again when retried once, in a planned switchover',
      findFailedTwice(history, disturbances),
    ),
  ];
}

function describe(what, found) {
  const more = found.length > MAX_DESCRIBED ? [`${what}: ${found.length} in all`] : [];
  return [...found.slice(0, MAX_DESCRIBED).map((one) => `${what}: ${one}`), ...more];
}

const isPresentation = ({ kind }) => kind === 'present' || kind === 'repeat';
const isAcknowledged = ({ outcome }) => outcome === 'accepted' || outcome === 'found';
const isFailure = ({ outcome }) => outcome === 'unavailable' || outcome === 'lost';

/** Calls with a response that no client expects. */
export function findWrong(history) {
  return history
    .filter(({ outcome }) => outcome === 'wrong')
    .map(({ kind, client, response }) => `${kind} by ${client}: ${response}`);
}

function findLost(history, statuses) {
  const acknowledged = new Set(history.filter(isAcknowledged).map(({ requestId }) => requestId));
  return [...acknowledged].filter((requestId) => statuses.get(requestId)?.failed !== false);
}

function findTwice(history) {
  const counts = new Map();
  for (const { requestId, outcome } of history) {
    if (outcome === 'accepted') counts.set(requestId, (counts.get(requestId) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([requestId]) => requestId);
}

/** A status that is missing in a call that began after the request was acknowledged, or reported as used before. */
function findForgotten(history) {
  const acknowledgedAt = new Map();
  for (const { requestId, outcome, end } of history) {
    if (outcome !== 'accepted' && outcome !== 'reused' && outcome !== 'found') continue;
    acknowledgedAt.set(requestId, Math.min(end, acknowledgedAt.get(requestId) ?? end));
  }
  return history
    .filter(
      ({ outcome, requestId, start }) =>
        outcome === 'missing' && start > acknowledgedAt.get(requestId),
    )
    .map(({ requestId }) => requestId);
}

/** Every house consignment is decided and presented by one request: it has one signal if that succeeded, else none. */
function findSignalled(history, statuses, feeds) {
  const expected = new Map();
  for (const { kind, requestId, house } of history) {
    if (kind !== 'present') continue;
    expected.set(house, statuses.get(requestId)?.failed === false ? 1 : 0);
  }
  const counts = new Map();
  for (const { house } of [...feeds.values()].flat()) {
    counts.set(house, (counts.get(house) ?? 0) + 1);
  }
  return [...new Set([...expected.keys(), ...counts.keys()])]
    .filter((house) => (counts.get(house) ?? 0) !== (expected.get(house) ?? 0))
    .map((house) => `house consignment ${house}: ${counts.get(house) ?? 0} signals`);
}

/** Every page that was ever read, also one whose reader was interrupted later, is a part of the final feed. */
function findGaps(history, feeds) {
  const positions = new Map(
    [...feeds].map(([owner, ids]) => [`reader ${owner}`, new Map(ids.map((id, at) => [id, at]))]),
  );
  return history
    .filter(({ kind, outcome }) => kind === 'read' && outcome === 'page')
    .filter(({ client, marker, ids }) => {
      const feed = positions.get(client);
      const first = marker === undefined ? 0 : (feed?.get(marker) ?? Number.NaN) + 1;
      return ids.some((id, index) => feed?.get(id) !== first + index);
    })
    .map(({ client, marker, ids }) => `${client} after ${marker}: ${ids.length} signals`);
}

/** Readers that were allowed to finish have everything. */
function findDiverged(readers, feeds) {
  return readers
    .filter(({ organisation, ids }) => ids.join() !== (feeds.get(organisation) ?? []).join())
    .map(
      ({ organisation, ids }) =>
        `reader ${organisation} has ${ids.length}, the feed ${feeds.get(organisation)?.length ?? 0}`,
    );
}

function findSlow(history, disturbances) {
  return measure(history, disturbances)
    .flatMap(({ name, recovery, undoRecovery }) => [
      [name, recovery],
      [`the end of ${name}`, undoRecovery],
    ])
    .filter(([, duration]) => duration > MAX_RECOVERY_MS)
    .map(([name, duration]) => `${name}: ${(duration / 1000).toFixed(1)} s`);
}

function findFailedTwice(history, disturbances) {
  return disturbances
    .filter(({ planned }) => planned)
    .flatMap(({ name, at, until }) =>
      history
        .filter(
          ({ kind, attempt, start }) =>
            kind === 'present' && attempt === 2 && start >= at && start < until,
        )
        .filter(isFailure)
        .map(({ requestId }) => `${name}: ${requestId}`),
    );
}

/**
 * What each disturbance cost. Durations are milliseconds.
 *
 * `recovery`: from the fault until the first presentation was acknowledged after which every call was served within 5 s,
 * while the fault was still there; `undoRecovery`: the same from the moment when the fault was undone. `slowest`: from the
 * first attempt of a request to its last one, of the slowest request.
 *
 * @param {readonly import('./load.js').Call[]} history
 * @param {readonly Disturbance[]} disturbances
 */
export function measure(history, disturbances) {
  const presentations = history.filter(isPresentation);
  return disturbances.map((disturbance) => {
    const { name, at, undoneAt = disturbance.until, until } = disturbance;
    const within = presentations.filter(({ start }) => start >= at && start < until);
    return {
      name,
      calls: within.length,
      failed: within.filter(isFailure).length,
      slowest: slowestOf(within),
      recovery: recoveryOf(presentations, at, undoneAt),
      undoRecovery: undoneAt < until ? recoveryOf(presentations, undoneAt, until) : 0,
    };
  });
}

/** A call that is in progress when the next disturbance begins is affected by that one. */
function recoveryOf(presentations, from, to) {
  const affected = presentations.filter(({ end }) => end >= from && end < to);
  const notServed = affected.filter((call) => isFailure(call) || call.end - call.start > SLOW_MS);
  if (notServed.length === 0) return 0;
  const last = Math.max(...notServed.map(({ start }) => start));
  const after = affected.filter(
    ({ start, end, outcome }) => start > last && outcome === 'accepted' && end - start <= SLOW_MS,
  );
  if (after.length === 0) return Number.POSITIVE_INFINITY;
  return Math.min(...after.map(({ end }) => end)) - from;
}

function slowestOf(presentations) {
  const requests = new Map();
  for (const { requestId, kind, start, end } of presentations) {
    if (kind !== 'present') continue;
    const first = requests.get(requestId)?.start ?? start;
    requests.set(requestId, { start: Math.min(first, start), end });
  }
  return Math.max(0, ...[...requests.values()].map(({ start, end }) => end - start));
}
