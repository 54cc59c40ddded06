// Compares what the service says of the goods of a world with a record. Without input or output.
import { compareFlag, compareHistories } from './compare-history.js';
import {
  checkRelease,
  countArrivals,
  findListed,
  readDeclaration,
  search,
  statusesOf,
  undecidedArrivals,
  viewHouse,
} from './model/answers.js';
import { documentKey, houseKey, listedHouses, routingOf } from './model/record.js';
import { canonical, different, firstOf, isSameSet } from './operations/check.js';

/**
 * Describes the first difference; `undefined` if there is none.
 *
 * @param {object} observation what was read; members that were not read are left out
 */
export function findDifference(record, observation) {
  const comparisons = {
    feeds: compareFeeds,
    goods: compareGoods,
    histories: compareHistories,
    declarations: compareDeclarations,
    searches: compareSearches,
    releases: compareReleases,
    arrivals: compareArrivals,
    undecided: compareUndecided,
    reached: compareReached,
  };
  for (const [name, compare] of Object.entries(comparisons)) {
    if (observation[name] === undefined) continue;
    const found = compare(record, observation[name], observation);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareFeeds(record, { statuses, signals }) {
  return (
    firstOf(Object.keys(statuses), (organisation) =>
      different(
        `statuses of ${organisation}`,
        statuses[organisation].map(comparableStatus),
        record.statuses[organisation].map(comparableStatus),
      ),
    ) ??
    firstOf(Object.keys(signals), (organisation) =>
      compareSignals(organisation, signals[organisation], record.signals[organisation]),
    )
  );
}

/** A status without its time. What a refused reference would have reached is not said by the contract. */
function comparableStatus(status) {
  const { requestId, level, customsOfficeOfPresentation, mrn, houseConsignments } = status;
  const errors = status.validationErrorList?.map(({ code }) => code) ?? status.codes ?? [];
  return {
    requestId,
    level,
    status: status.status,
    customsOfficeOfPresentation,
    ...(status.status === 'SUCCESS' ? { mrn, houseConsignments } : { errors: [...errors].sort() }),
  };
}

/** The signals of one operation have no order, except those of one house consignment. */
function compareSignals(organisation, found, expected) {
  const what = `signals of ${organisation}`;
  const comparable = found.map(
    ({ routingResult: { id, documentIssueDate, ...result }, ...head }) => ({
      ...head,
      routingResult: result,
    }),
  );
  if (found.length !== expected.length) {
    const signals = expected.map(({ signal }) => signal);
    return different(`${what}, ${found.length} instead of ${expected.length}`, comparable, signals);
  }
  const steps = [...new Set(expected.map(({ step }) => step))];
  let start = 0;
  return firstOf(steps, (step) => {
    const block = expected.filter((entry) => entry.step === step).map(({ signal }) => signal);
    const read = comparable.slice(start, start + block.length);
    start += block.length;
    const keyOf = ({ entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel: document }) =>
      `${mrn} ${documentKey(document)}`;
    const ofEach = (signals) =>
      signals.map((signal) => ({
        key: keyOf(signal),
        all: signals.filter((other) => keyOf(other) === keyOf(signal)),
      }));
    if (isSameSet(ofEach(read), ofEach(block))) return undefined;
    return different(`${what}, from number ${start - block.length + 1}`, read, block);
  });
}

function compareGoods(record, goods, observation) {
  const listed = listedHouses(record);
  const expectedKeys = listed.map(houseKey).sort();
  return (
    different('house consignments', goods.map(keyOfFound).sort(), expectedKeys) ??
    firstOf(goods, (found) => {
      const { entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel: document } = found;
      const house = findListed(record, mrn, document);
      return compareView(found, record, house) ?? compareIds(found, record, observation);
    })
  );
}

function keyOfFound({ entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel: document }) {
  return `${mrn} ${documentKey(document)}`;
}

/** Compares a house consignment that a search has found. */
function compareView(found, record, house) {
  const { id, presented, lastSignal, addedAfterPresentation: added, ...shown } = found;
  const rest = {
    ...shown,
    ...(shown.decision && { decision: withoutTime(shown.decision) }),
    ...(shown.difference && { difference: withoutTime(shown.difference) }),
  };
  const { view, flags, firstPresentation, issued } = viewHouse(record, house);
  const what = `house consignment ${keyOfFound(found)}`;
  return (
    different(what, rest, view) ??
    compareFlag(`${what}, addedAfterPresentation`, added, flags) ??
    different(
      `${what}, presented`,
      presented && { organisation: presented.by, requestId: presented.requestId },
      firstPresentation && {
        organisation: firstPresentation.organisation,
        requestId: firstPresentation.requestId,
      },
    ) ??
    different(
      `${what}, lastSignal`,
      lastSignal && withoutTime(lastSignal),
      issued && routingOf(issued),
    )
  );
}

function withoutTime({ at, decidedAt, ...rest }) {
  return rest;
}

/** A house consignment keeps its id: there are no more ids than the record has house consignments with this key. */
function compareIds(found, record, { ids }) {
  const key = keyOfFound(found);
  const incarnations = record.houses.filter((house) => houseKey(house) === key);
  const seen = ids?.get(key)?.length ?? 0;
  return seen <= incarnations.length
    ? undefined
    : `${key} has had ${seen} ids, but was ${incarnations.length} house consignments`;
}

function compareDeclarations(record, declarations) {
  const sorted = (declaration) =>
    declaration && {
      ...declaration,
      // Which one comes first depends on the clocks of servers.
      houseConsignments: declaration.houseConsignments.map(canonical).sort(),
    };
  return firstOf(Object.entries(declarations), ([mrn, found]) =>
    different(`declaration ${mrn}`, sorted(found), sorted(readDeclaration(record, mrn))),
  );
}

function compareSearches(record, searches) {
  return firstOf(searches, ({ filters, found }) =>
    different(
      `search ${JSON.stringify(filters)}`,
      found.map(keyOfFound).sort(),
      search(record, filters).map(houseKey).sort(),
    ),
  );
}

function compareReleases(record, releases) {
  return firstOf(releases, ({ identifier, organisation, found }) => {
    const { houseConsignments: houses, outcome, ...numbers } = found;
    const expected = checkRelease(record, identifier, organisation);
    const { houseConsignments: expectedHouses, outcome: expectedOutcome, ...rest } = expected;
    const what = `release of ${identifier} for ${organisation ?? 'the authority'}`;
    const listed = houses.map(({ documentIssueDate, ...house }) => house);
    if (!isSameSet(listed, expectedHouses)) return different(what, listed, expectedHouses);
    if (!rest.complete) {
      // What else an incomplete check says is not defined, except that nothing may be released.
      return found.complete || outcome === 'TO_ENTRY'
        ? `${what}: ${outcome} and ${found.complete ? 'complete' : 'incomplete'}, although something that entered it is not presented and decided`
        : undefined;
    }
    return different(what, { outcome, ...numbers }, { outcome: expectedOutcome, ...rest });
  });
}

function compareArrivals(record, { before, now }) {
  const added = (office) =>
    Object.fromEntries(
      Object.entries(now[office]).map(([name, count]) => [
        name,
        count - (before[office]?.[name] ?? 0),
      ]),
    );
  const found = Object.keys(now)
    .map((office) => [office, added(office)])
    .filter(([, { presented }]) => presented !== 0);
  return different('arrivals', Object.fromEntries(found), countArrivals(record));
}

function compareUndecided(record, undecided) {
  return different(
    'undecided arrivals',
    undecided.map(keyOfFound).sort(),
    undecidedArrivals(record),
  );
}

function compareReached(record, reached) {
  return firstOf(reached, ({ organisation, mrn, statuses }) =>
    different(
      `statuses of ${organisation} that reached ${mrn}`,
      statuses.filter(({ status }) => status === 'SUCCESS').map(({ requestId }) => requestId),
      statusesOf(record, organisation, mrn).map(({ requestId }) => requestId),
    ),
  );
}
