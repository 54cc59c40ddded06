// Compares histories, and what is said of earlier presentations, with a record. Without input or output.
import { TIME } from './model/kept-controls.js';
import { earlierPresentations } from './model/present.js';
import { houseKey } from './model/record.js';
import { canonical, different, differentOneOf, firstOf, isSameSet } from './operations/check.js';

/** The beginning of the reason of a control that was taken over: the MRN of the goods on which it was decided, and when. */
const DECIDED_AT = /^(Taken over from (\w+), decided at )(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** Compares histories with those of the record. */
export function compareHistories(record, histories, observation) {
  return firstOf(histories, (history) => compareOne(record, history, histories, observation));
}

function compareOne(record, { key, id, events }, histories, observation) {
  const possible = record.houses.filter((house) => houseKey(house) === key);
  const current = observation.goods.some((found) => found.id === id);
  const houses = possible.filter(({ listed }) => listed === current);
  const problems = houses.map((house) => compareHistory(record, house, events, observation));
  const problem = problems.includes(undefined) || houses.length === 0 ? undefined : problems[0];
  const wrong = problem ?? findWrongTime(key, events, histories);
  return wrong && `history of ${key}: ${wrong}`;
}

/** Of a control that was taken over, the time at which no decision was made on the goods that it names. */
function findWrongTime(key, events, histories) {
  return firstOf(events, ({ details }) => {
    const [, , mrn, time] = DECIDED_AT.exec(details?.reason ?? '') ?? [];
    const document = key.slice(key.indexOf(' '));
    const named = histories.find((history) => history.key === `${mrn}${document}`);
    // Nobody has read the goods before they were withdrawn.
    if (mrn === undefined || named === undefined) return undefined;
    const isDecided = named.events.some(({ event, at }) => event === 'DECIDED' && at === time);
    return isDecided ? undefined : `nothing was decided on ${named.key} at ${time}`;
  });
}

function compareHistory(record, house, events, { feeds }) {
  const special = ['READ', 'ADDED_AFTER_PRESENTATION'];
  const found = events.filter(({ event }) => !special.includes(event)).map(comparableEvent);
  const expected = house.events.map((event) => ({
    step: event.step,
    event: comparableEvent(event),
  }));
  const whole = (list) => list.map(({ event }) => event);
  if (!isSameSet(found, whole(expected))) return different('events', found, whole(expected));
  if (!hasOrder(found, expected)) {
    return different('order of events', found, whole(expected));
  }
  const added = events.find(({ event }) => event === 'ADDED_AFTER_PRESENTATION');
  const flags = house.listed ? earlierPresentations(record, house) : [];
  return (
    compareFlag('ADDED_AFTER_PRESENTATION', added?.details, flags) ??
    firstOf(events, ({ event, organisation, details }) => {
      if (event !== 'SIGNALLED' && event !== 'READ') return undefined;
      const isRead = feeds.signals[organisation].some(
        ({ routingResult }) => routingResult.id === details.id,
      );
      return isRead
        ? undefined
        : `${event} of ${details.id}, which is not in the feed of ${organisation}`;
    })
  );
}

/** Whether events are in the order of the operations that caused them. */
function hasOrder(found, expected) {
  const steps = [...new Set(expected.map(({ step }) => step))];
  let start = 0;
  return steps.every((step) => {
    const block = expected.filter((each) => each.step === step).map(({ event }) => event);
    const read = found.slice(start, start + block.length);
    start += block.length;
    return isSameSet(read, block);
  });
}

function comparableEvent({ event, organisation, client, requestId, details = {} }) {
  const { id, members, declaration, from, to, reason, ...rest } = details;
  return {
    event,
    organisation,
    client,
    ...(event === 'PRESENTED' && { requestId }),
    details: {
      ...rest,
      ...(reason && { reason: reason.replace(DECIDED_AT, `$1${TIME}`) }),
      ...(members && event !== 'RETURNED' && { members: [...members].sort() }),
      ...(declaration && { declaration: [...declaration].sort() }),
    },
  };
}

/** Compares what is said of an earlier presentation of the whole. */
export function compareFlag(what, found, flags) {
  if (found === undefined) {
    return flags.length === 0
      ? undefined
      : `${what}: is missing, for ${canonical(flags.map(presentationOf))}`;
  }
  const { at, ...presentation } = found;
  return differentOneOf(what, presentation, flags.map(presentationOf));
}

function presentationOf({ organisation, requestId, level }) {
  return { by: organisation, requestId, level };
}
