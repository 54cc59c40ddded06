// What holds of a record in every order of operations. Without input or output.
import { FEEDS } from './driver/observe.js';
import { isReached } from './model/present.js';
import { documentKey, isSameDocument, isSameRouting } from './model/record.js';
import { codesOf, different, isSame } from './operations/check.js';
import { OFFICERS } from './world.js';

/** Describes everything that is broken. */
export function findBrokenInvariants(seen) {
  return [checkFollowed, checkStatuses, checkGoods, checkDecisions, checkArrivals].flatMap(
    (check) => check(seen),
  );
}

/** Whoever followed a feed with markers has read each entry once, in the order of the feed. */
function checkFollowed({ followed, feeds }) {
  return followed.flatMap(({ kind, organisation, ids, problem }) => {
    if (problem !== undefined) return [`reading ${kind} of ${organisation}: ${problem}`];
    const all = feeds[kind][organisation].map(FEEDS[kind].idOf);
    if (new Set(all).size < all.length)
      return [`an entry of ${kind} of ${organisation} is repeated`];
    return isSame(ids, all)
      ? []
      : [`a reader of ${kind} of ${organisation} has read ${ids}, the feed is ${all}`];
  });
}

/** Each request has one status, which says what its response has said. */
function checkStatuses({ outcomes, feeds }) {
  const presented = outcomes.filter(({ operation }) => operation.name === 'presentGoods');
  return Object.entries(feeds.statuses).flatMap(([organisation, statuses]) => {
    const own = presented.filter(({ operation }) => operation.organisation === organisation);
    const requestIds = [...new Set(own.map(({ operation }) => operation.requestId))];
    const unsent = statuses.filter(({ requestId }) => !requestIds.includes(requestId));
    return [
      ...unsent.map(({ requestId }) => `a status of ${requestId}, which was not sent`),
      ...requestIds.flatMap((requestId) => {
        const status = statuses.find((each) => each.requestId === requestId);
        return checkStatus(
          requestId,
          status,
          own.filter(({ operation }) => operation.requestId === requestId),
        );
      }),
    ];
  });
}

function checkStatus(requestId, status, sent) {
  const responses = sent.map(({ response }) => response);
  const accepted = responses.filter((response) => response?.status === 202).length;
  const others = responses.filter((response) => response !== undefined && response.status !== 202);
  const isReused = (response) => codesOf(response.body).includes('REQUEST_ID_REUSED');
  const refused = others.filter(
    (response) => response.status === 400 && !isReused(response),
  ).length;
  const unknown = responses.includes(undefined);
  const wrong = others.filter(({ status: number }) => number !== 400);
  return [
    ...wrong.map((response) => `presenting: ${response.status} ${response.text}`),
    ...(accepted + refused > 1 ? [`${requestId} has won ${accepted + refused} times`] : []),
    ...(accepted === 1 && status?.status !== 'SUCCESS'
      ? [`${requestId} was accepted, its status is ${status?.status}`]
      : []),
    ...(refused === 1 && status?.status !== 'FAILURE'
      ? [`${requestId} was refused, its status is ${status?.status}`]
      : []),
    ...(status === undefined && !unknown ? [`${requestId} has no status`] : []),
  ];
}

const keyOf = (mrn, document) => `${mrn} ${documentKey(document)}`;
const keyOfFound = ({ entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel: document }) =>
  keyOf(mrn, document);

/** The recipients of each house consignment are those that they must be, and each has the signals that it must have. */
function checkGoods(seen) {
  const { goods, feeds, histories } = seen;
  const broken = [];
  const found = new Set(goods.map(keyOfFound));
  for (const signal of Object.values(feeds.signals).flat()) {
    if (!found.has(keyOfFound(signal)))
      broken.push(`${keyOfFound(signal)} has signals and is gone`);
  }
  for (const house of goods) {
    const events = histories.get(house.id);
    const { must, may, contents } = presentersOf(seen, house);
    const connected = connectedTo(events, house);
    const what = keyOfFound(house);
    for (const organisation of must) {
      if (!connected.has(organisation))
        broken.push(`${what} was presented by ${organisation}, which is not connected`);
    }
    for (const organisation of connected) {
      if (!may.has(organisation))
        broken.push(`${organisation} is connected to ${what} and may not be`);
    }
    if (contents.length === 0) broken.push(`${what} was never registered`);
    broken.push(...checkSignals(what, house, events, connected, feeds.signals));
  }
  return broken;
}

/** Who is connected by the history: presenters, and the parties of the declaration of what is presented. */
function connectedTo(events, { declarant, representative }) {
  const presenters = events.filter(({ event }) => event === 'PRESENTED');
  if (presenters.length === 0) return new Set();
  const all = [...presenters.map(({ organisation }) => organisation), declarant, representative];
  return new Set(all.filter((organisation) => organisation !== undefined));
}

/**
 * `must`: who has presented it whatever the order was; `may`: who has in some order; `contents`: all that it may have
 * been registered with.
 */
function presentersOf({ outcomes, declarations }, house) {
  const { entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel: document } = house;
  const key = keyOf(mrn, document);
  const registrations = [
    ...declarations,
    ...outcomes
      .map(({ operation }) => operation)
      .filter(({ name }) => name === 'put' || name === 'upload'),
  ].filter((operation) => (operation.mrn ?? operation.lines?.[0].mrn) === mrn);
  const contents = registrations
    .flatMap(({ declaration, lines }) =>
      declaration === undefined ? [lines[0].houseConsignment] : declaration.houseConsignments,
    )
    .filter(({ transportDocumentHouseLevel: other }) => keyOf(mrn, other) === key);
  const parties = registrations.flatMap(({ declaration }) =>
    declaration === undefined ? [] : [declaration.declarant, declaration.representative],
  );
  const must = new Set();
  const may = new Set(parties);
  for (const { operation, response } of outcomes) {
    if (operation.name !== 'presentGoods' || response?.status > 202) continue;
    const reached = contents.filter((content) => isReached(operation, { mrn, content }));
    if (reached.length === 0) continue;
    may.add(operation.organisation);
    // It stood before, and nothing that ran at the same time could change it.
    if (response?.status === 202 && registrations.length === 1) must.add(operation.organisation);
  }
  return { must, may, contents };
}

/** Each recipient has the decisions from some one on, in their order, and the last of them is the current one. */
function checkSignals(what, house, events, connected, feeds) {
  const decisions = events
    .filter(({ event, details }) => event === 'DECIDED' && details.takesEffect !== false)
    .sort((one, other) => one.details.number - other.details.number)
    .map(({ details }) => details)
    // What confirms the one before it issues no signal.
    .filter((details, index, all) => index === 0 || !isSameRouting(details, all[index - 1]));
  const broken = [];
  for (const [organisation, signals] of Object.entries(feeds)) {
    const own = signals.filter((signal) => keyOfFound(signal) === keyOfFound(house));
    const routings = own.map(({ routingResult }) => routingResult);
    if (!connected.has(organisation)) {
      if (own.length > 0)
        broken.push(`${organisation} has signals of ${what} and is not connected`);
      continue;
    }
    const inHistory = events.filter(
      (event) => event.event === 'SIGNALLED' && event.organisation === organisation,
    ).length;
    if (inHistory !== own.length) {
      broken.push(
        `${what}: ${inHistory} signals of ${organisation} in the history, ${own.length} in its feed`,
      );
    }
    if (house.routing === undefined) {
      if (own.length > 0) broken.push(`${what} is undecided and has signals`);
      continue;
    }
    if (!isSameRouting(routings.at(-1), house)) {
      broken.push(
        `the last signal of ${what} to ${organisation} is ${JSON.stringify(routings.at(-1))}, the decision ${house.routing}`,
      );
    }
    // The first signal may be of a decision that was registered.
    const later = routings.slice(1);
    const expected = later.length === 0 ? [] : decisions.slice(-later.length);
    if (!later.every((routing, index) => isSameRouting(routing, expected[index] ?? {}))) {
      broken.push(
        `${organisation} has signals of ${what} in another order than its decisions: ${JSON.stringify({ routings, decisions })}`,
      );
    }
  }
  return broken;
}

/** Nothing that was acknowledged as decided is lost, nothing is decided twice, and numbers have no gap. */
function checkDecisions({ outcomes, goods, histories }) {
  const broken = [];
  const recorded = new Map();
  for (const { id } of goods) {
    const decided = histories.get(id).filter(({ event }) => event === 'DECIDED');
    const numbers = decided.map(({ details }) => details.number).sort((one, other) => one - other);
    const difference = different(
      `numbers of decisions on ${id}`,
      numbers,
      numbers.map((_, index) => index + 1),
    );
    if (difference !== undefined) broken.push(difference);
    for (const { details } of decided) {
      recorded.set(details.reason, (recorded.get(details.reason) ?? 0) + 1);
    }
  }
  for (const house of goods) broken.push(...checkTaken(house, histories.get(house.id), outcomes));
  const listed = new Set(goods.map(({ id }) => id));
  for (const { operation, response } of outcomes) {
    if (operation.name !== 'decideGoods' || response === undefined) continue;
    if (response.status !== 200) broken.push(`deciding: ${response.status} ${response.text}`);
    for (const [index, result] of (response.lines ?? response.body).entries()) {
      const { reason } = operation.decisions[index];
      // Histories of what is withdrawn are not read here.
      if (result.number !== undefined && !listed.has(result.houseConsignmentId)) continue;
      // Each has a reason of its own, so a confirmation is recorded too. A system's is not if an officer has decided.
      if (result.status === 'UNCHANGED' && OFFICERS[operation.officer].origin === 'ENGINE')
        continue;
      const expected = result.number === undefined ? 0 : 1;
      const found = recorded.get(reason) ?? 0;
      if (found !== expected)
        broken.push(`"${reason}" was ${result.status} and is recorded ${found} times`);
    }
  }
  return broken;
}

/** What was taken over is a control that was sent for other goods of the same document. */
function checkTaken(house, events, outcomes) {
  const { entrySummaryDeclarationMRN: own, transportDocumentHouseLevel: document } = house;
  const decided = outcomes.flatMap(({ operation }) =>
    operation.name === 'decideGoods' ? operation.decisions : [],
  );
  return events.flatMap(({ event, details }) => {
    const [, mrn, reason] = TAKEN_OVER.exec(details?.reason ?? '') ?? [];
    if (event !== 'DECIDED' || mrn === undefined) return [];
    const isControl = decided.some(
      (decision) =>
        decision.mrn === mrn &&
        isSameDocument(decision.transportDocumentHouseLevel, document) &&
        decision.routing === 'TO_CONTROL' &&
        isSameRouting(decision, details) &&
        decision.reason === reason,
    );
    return isControl && mrn !== own
      ? []
      : [`${keyOfFound(house)} has taken over what nobody has decided: ${details.reason}`];
  });
}

/** The reason of a control that was taken over: the MRN of the goods on which it was decided, and its own reason. */
const TAKEN_OVER = /^Taken over from (\w+), decided at [^ ]+Z: (.*)$/;

/** Arrivals count what searches show as presented. */
function checkArrivals({ goods, arrivals: { before, now } }) {
  const sum = (offices, name) =>
    Object.values(offices).reduce((total, numbers) => total + numbers[name], 0);
  const count = (states) => goods.filter(({ state }) => states.includes(state)).length;
  const expected = {
    presented: count(['PRESENTED', 'SIGNALLED']),
    undecided: count(['PRESENTED']),
  };
  const names = Object.keys(expected);
  const added = Object.fromEntries(names.map((name) => [name, sum(now, name) - sum(before, name)]));
  return [different('arrivals', added, expected)].filter((problem) => problem !== undefined);
}
