// Compares histories, and what is said of earlier presentations, with a record. Without input or output.
import { earlierPresentations } from './model/present.js';
import { houseKey } from './model/record.js';
import { canonical, different, differentOneOf, firstOf, isSameSet } from './operations/check.js';

/** Compares histories with those of the record. */
export function compareHistories(record, histories, observation) {
  return firstOf(histories, ({ key, id, events }) => {
    const possible = record.houses.filter((house) => houseKey(house) === key);
    const current = observation.goods.some((found) => found.id === id);
    const houses = possible.filter(({ listed }) => listed === current);
    const problems = houses.map((house) => compareHistory(record, house, events, observation));
    return problems.includes(undefined) || houses.length === 0
      ? undefined
      : `history of ${key}: ${problems[0]}`;
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
  const { id, members, declaration, from, to, ...rest } = details;
  return {
    event,
    organisation,
    client,
    ...(event === 'PRESENTED' && { requestId }),
    details: {
      ...rest,
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
