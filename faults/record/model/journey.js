// Movement messages: lodging, replacing and cancelling them, the arrival of transports, and what that presents. Wire contract,
// sections 13.5 to 13.8.

/**
 * A message that was lodged.
 *
 * @typedef {object} Message
 * @property {string} level
 * @property {string} by the submitter
 * @property {object} content what it says: of a house consignment `document`, `master` and `isComplete`; of a master
 *   consignment `document` and `mass`; of a transport `plate` and `masters`
 * @property {'CURRENT' | 'CANCELLED'} state
 * @property {string} [mrn] which only the service knows
 * @property {string} [arrivedAt] of a transport: the customs office
 * @property {string} [routing] of a house consignment
 * @property {number} [decidedAt] when that was decided, on whatever goods: a number in the order of decisions
 * @property {boolean} [isTaken] whether it was taken over from other goods
 * @property {number} [officerDecidedAt] when an officer has decided last
 * @property {string[]} [recipients] of a house consignment: who receives its signals
 */

/** Nothing is lodged. */
export function createJourneys(world) {
  return {
    /** Messages by the requestId with which they were lodged. @type {Map<string, Message>} */
    messages: new Map(),
    /** The requestIds of each organisation that have a status, in their order. */
    requests: ofEach(world, () => []),
    /** The signals of each organisation, with the goods, whose MRN may not be known yet. */
    signals: ofEach(world, () => []),
    /** How often an officer has decided. */
    decisions: 0,
    /** The controls that were kept of goods: what others may have in common with them, and what tells two apart. */
    kept: [],
  };
}

const ofEach = ({ organisations }, value) =>
  Object.fromEntries(organisations.map((organisation) => [organisation, value()]));

/**
 * Carries out a request.
 *
 * @returns what the service must answer: 404; 400 if the requestId was used; or what the status must say, the codes of every
 *   broken rule or why the goods are incomplete
 */
export function request(journeys, operation, world) {
  const { name, by, requestId } = operation;
  const message = journeys.messages.get(operation.of);
  if (name !== 'lodge' && !mayChange(message, operation, world)) return { answer: 404 };
  if (journeys.requests[by].includes(requestId)) return { answer: 400 };
  journeys.requests[by].push(requestId);
  const outcome = rules[name](journeys, operation, message);
  presentReached(journeys);
  return { answer: 202, ...outcome };
}

/** The carrier, which is the first organisation, may report arrivals too. */
function mayChange(message, { name, by }, { organisations: [carrier] }) {
  return message !== undefined && (message.by === by || (name === 'arrive' && by === carrier));
}

const rules = {
  lodge(journeys, { level, by, requestId, content }) {
    if (findCurrent(journeys, { level, content }) !== undefined) return { codes: ['DUPLICATE'] };
    const message = { level, by, content, state: 'CURRENT', recipients: [] };
    journeys.messages.set(requestId, message);
    takeOver(journeys, message);
    return { lodged: message, reasons: reasonsOf(message) };
  },

  replace(journeys, { content }, message) {
    if (message.state !== 'CURRENT') return { codes: ['NOT_CURRENT'] };
    if (isSame(content, message.content)) return { reasons: reasonsOf(message) };
    const other = findCurrent(journeys, { level: message.level, content });
    const codes = [
      ...(takesAway(message, content) ? ['PRESENTED'] : []),
      ...(other !== undefined && other !== message ? ['DUPLICATE'] : []),
    ];
    if (codes.length > 0) return { codes };
    if (content.master !== message.content.master) keepControl(journeys, message, 'MASTER');
    message.content = content;
    takeOver(journeys, message);
    return { reasons: reasonsOf(message) };
  },

  cancel(journeys, _, message) {
    const isPresented =
      message.arrivedAt !== undefined ||
      goodsOf(journeys, message).some(({ recipients }) => recipients.length > 0);
    if (message.state === 'CURRENT' && isPresented) return { codes: ['PRESENTED'] };
    if (message.state === 'CURRENT') keepControl(journeys, message);
    message.state = 'CANCELLED';
    return { reasons: [] };
  },

  arrive(_, { office }, message) {
    if (message.state !== 'CURRENT') return { codes: ['NOT_CURRENT'] };
    if ((message.arrivedAt ?? office) !== office) return { codes: ['ALREADY_ARRIVED'] };
    message.arrivedAt = office;
    return { reasons: [] };
  },
};

/**
 * An officer decides on goods.
 *
 * @returns the status of the result, and the number of signals
 */
export function decide(journeys, { of, routing }) {
  const house = journeys.messages.get(of);
  if (house === undefined) return undefined;
  if (house.state !== 'CURRENT') return { status: 'REFUSED' };
  const isSameRouting = house.routing === routing;
  // Whoever confirms what was taken over has decided it.
  if (!isSameRouting || house.isTaken) setDecision(house, { routing, at: ++journeys.decisions });
  if (isSameRouting) return { status: 'UNCHANGED', signals: 0 };
  for (const recipient of house.recipients) issue(journeys, house, recipient);
  return { status: 'DECIDED', signals: house.recipients.length };
}

function setDecision(house, { routing, at, isTaken = false }) {
  const officerDecidedAt = Math.max(house.officerDecidedAt ?? 0, at);
  Object.assign(house, { routing, decidedAt: at, isTaken, officerDecidedAt });
}

const hasControl = ({ routing }) => routing === 'TO_CONTROL';

/** What goods have by which others of their document are the same. */
const commonOf = ({ by, content: { master } }) => [
  { as: 'PARTY', what: by },
  { as: 'MASTER', what: master },
];

/**
 * Keeps the control of goods that are about to be cancelled, with what was kept of them before, or to have another master
 * consignment. Of cancelled goods it is kept once: the one that was decided later.
 */
function keepControl(journeys, house, only) {
  if (!hasControl(house)) return;
  const { document } = house.content;
  const isEarlier = ({ place }) => place === house;
  const earlier = only === undefined ? journeys.kept.filter(isEarlier) : [];
  const place = only === undefined ? 'CANCELLED' : house;
  const commons = commonOf(house).filter(({ as }) => only === undefined || as === only);
  for (const { as, what } of [...earlier, ...commons]) {
    const isSameKey = (kept) =>
      [document, as, what, place].every(
        (value, index) => [kept.document, kept.as, kept.what, kept.place][index] === value,
      );
    const other = journeys.kept.find(isSameKey);
    if (other?.house.decidedAt > house.decidedAt) continue;
    journeys.kept = journeys.kept.filter((kept) => kept !== other);
    journeys.kept.push({ document, as, what, place, house });
  }
  journeys.kept = journeys.kept.filter((kept) => !earlier.includes(kept));
}

/** Goods that were written are under the control that was kept for them, unless an officer has decided on them since. */
function takeOver(journeys, house) {
  const isIn = (goods, { as, what }) =>
    commonOf(goods).some((common) => common.as === as && common.what === what);
  const isGone = (kept) => kept.house.state !== 'CURRENT' || !isIn(kept.house, kept);
  const controls = journeys.kept
    .filter(({ document }) => document === house.content.document)
    .filter((kept) => isIn(house, kept) && isGone(kept) && kept.house !== house)
    .map((kept) => kept.house)
    .filter((other) => hasControl(other) && other.decidedAt > (house.officerDecidedAt ?? 0));
  if (controls.length === 0 || hasControl(house)) return;
  const at = Math.max(...controls.map(({ decidedAt }) => decidedAt));
  setDecision(house, { routing: 'TO_CONTROL', at, isTaken: true });
  for (const recipient of house.recipients) issue(journeys, house, recipient);
}

/** Why the goods of a transport may not be unloaded; none if they may. */
export function hindrances(journeys, transport) {
  const houses = reachedBy(journeys, transport).map(({ house }) => house);
  const undecided = houses.filter(({ routing }) => routing === undefined);
  const named = transport.content.masters.map((document) => findMaster(journeys, document));
  // Before the arrival nothing is said of decisions.
  const hasArrived = transport.arrivedAt !== undefined;
  return Object.entries({
    NOT_ARRIVED: !hasArrived,
    NOTHING_LODGED: houses.length === 0,
    DOCUMENT_NOT_LODGED: named.includes(undefined),
    INCOMPLETE: (hasArrived ? undecided : houses).some(({ content }) => !content.isComplete),
    UNDECIDED: hasArrived && undecided.length > 0,
    TO_CONTROL: hasArrived && houses.some(({ routing }) => routing === 'TO_CONTROL'),
  }).flatMap(([reason, holds]) => (holds ? [reason] : []));
}

export function currentOf(journeys, level) {
  return [...journeys.messages.values()].filter(
    (message) => message.level === level && message.state === 'CURRENT',
  );
}

/** The current message with the same key. */
function findCurrent(journeys, { level, content }) {
  return currentOf(journeys, level).find((message) => keyOf(message) === keyOf({ level, content }));
}

/** Of all, the carrier and the scheduled time are the same. */
function keyOf({ level, content: { document, master, plate } }) {
  if (level === 'transport') return plate;
  return level === 'house-consignment' ? `${document} ${master}` : document;
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a replacement takes away what is presented, or changes goods that may enter. */
function takesAway({ content: before, arrivedAt, routing, recipients }, content) {
  if (arrivedAt !== undefined && before.masters.some((one) => !content.masters.includes(one))) {
    return true;
  }
  return recipients.length > 0 && (routing === 'TO_ENTRY' || before.master !== content.master);
}

const reasonsOf = ({ content: { isComplete } }) =>
  isComplete === false ? ['INCOMPLETE_DOCUMENTATION'] : [];

function findMaster(journeys, document) {
  return currentOf(journeys, 'master-consignment').find(
    ({ content }) => content.document === document,
  );
}

/** A house consignment itself, or what is under a master consignment. */
function goodsOf(journeys, message) {
  if (message.level === 'house-consignment') return [message];
  return currentOf(journeys, 'house-consignment').filter(
    ({ content }) => content.master === message.content.document,
  );
}

/** The goods that a transport reaches, each with the master consignment between them. */
function reachedBy(journeys, { content: { masters } }) {
  return masters.flatMap((document) => {
    const master = findMaster(journeys, document);
    if (master === undefined) return [];
    return goodsOf(journeys, master).map((house) => ({ master, house }));
  });
}

/** A transport that has arrived goes on presenting: whoever is connected by it now is sent the signals of what is decided. */
function presentReached(journeys) {
  const arrived = currentOf(journeys, 'transport').filter(({ arrivedAt }) => arrivedAt);
  for (const transport of arrived) {
    for (const { master, house } of reachedBy(journeys, transport)) {
      const parties = new Set([transport.by, master.by, house.by]);
      const added = [...parties].filter((party) => !house.recipients.includes(party));
      house.recipients.push(...added);
      if (house.routing !== undefined) for (const party of added) issue(journeys, house, party);
    }
  }
}

function issue(journeys, house, recipient) {
  journeys.signals[recipient].push({ house, routing: house.routing });
}
