// The authority's record as the wire contract describes it: plain data without input or output. Operations change it;
// `answers.js` says what the service must say of it.

/**
 * A house consignment. One that was withdrawn stays in the list.
 *
 * @typedef {object} House
 * @property {number} number its index in the record
 * @property {string} mrn
 * @property {object} content as registered, without a decision
 * @property {{ routing?: string, routingControlLocation?: string }} registered the decision in the registration
 * @property {number} registeredAt the operation that registered it
 * @property {boolean} listed whether its declaration has it now
 * @property {{ routing: string, routingControlLocation?: string, origin: string } | null} decision its routing; null if it
 *   is undecided
 * @property {object | null} current the last decision that took effect, with its number, who made it, and when it was
 *   decided first: the number of an operation
 * @property {number} [officerDecidedAt] when an officer has decided last
 * @property {number} decisions how many there were
 * @property {string[]} recipients who receives its signals
 * @property {object[]} presentedBy the presentations that connected somebody, in their order
 * @property {object[]} signals in the order of issue, each with its time of issue as the number of an operation
 * @property {object[]} events its history
 */

/** An empty record. */
export function createRecord(world) {
  const ofEach = (value) =>
    Object.fromEntries(world.organisations.map((organisation) => [organisation, value()]));
  return {
    /** The number of the current operation. */
    step: 0,
    /** Members of each declaration by MRN, without its house consignments. */
    declarations: {},
    /** The MRNs that were ever registered, in their order. */
    lodged: [],
    /** The members that a declaration had last, also of withdrawn ones. */
    lastMembers: {},
    /** Decisions by who made them and their decisionId. */
    decisionIds: {},
    /** @type {House[]} */
    houses: [],
    /** The controls that were kept of goods, by what tells them apart: `kept-controls.js`. */
    kept: {},
    /** Successful presentations above the house level. */
    presentations: [],
    /** The statuses of each organisation. */
    statuses: ofEach(() => []),
    /** The signals of each organisation. */
    signals: ofEach(() => []),
    /** The versions of each routing profile by name. */
    profiles: {},
    /** The version that is live. */
    live: null,
  };
}

/** A house document as a key. */
export function documentKey({ documentNumber, type }) {
  return `${type} ${documentNumber}`;
}

/** The declaration and the document of a house consignment, as a key. */
export function houseKey({ mrn, content }) {
  return `${mrn} ${documentKey(content.transportDocumentHouseLevel)}`;
}

/** Whether two documents are the same. */
export function isSameDocument(one, other) {
  return one !== undefined && other !== undefined && documentKey(one) === documentKey(other);
}

/** The house consignments that are not withdrawn. */
export function listedHouses(record) {
  return record.houses.filter(({ listed }) => listed);
}

/** Those of a declaration. */
export function housesOf(record, mrn) {
  return listedHouses(record).filter((house) => house.mrn === mrn);
}

export function isPresented({ recipients }) {
  return recipients.length > 0;
}

/** Adds an event to the history of a house consignment. Events of one operation have no order. */
export function addEvent(record, house, event) {
  house.events.push({ step: record.step, ...event });
}

/** A routing as it is compared: without what is not given. */
export function routingOf({ routing, routingControlLocation }) {
  return {
    ...(routing !== undefined && { routing }),
    ...(routingControlLocation !== undefined && { routingControlLocation }),
  };
}

export function isSameRouting(one, other) {
  return (
    one?.routing === other?.routing && one?.routingControlLocation === other?.routingControlLocation
  );
}

/** Issues the signal of the current decision to an organisation. */
export function issueSignal(record, house, organisation) {
  const routing = routingOf(house.decision);
  record.signals[organisation].push({
    step: record.step,
    house: house.number,
    signal: { ...signalHead(record, house), routingResult: routing },
  });
  house.signals.push({ step: record.step, organisation, ...routing });
  addEvent(record, house, { event: 'SIGNALLED', organisation, details: routing });
}

/** What a signal says beside the decision. */
export function signalHead(record, { mrn, content }) {
  const { transportDocumentHouseLevel: document, ...rest } = content;
  const { estimatedTimeOfArrival, activeBorderTransportMeans } = record.declarations[mrn];
  return {
    entrySummaryDeclarationMRN: mrn,
    transportDocumentHouseLevel: { ...document, referenceNumber: document.documentNumber },
    ...pickMembers(rest, ['transportDocumentMasterLevel', 'receptacleId', 'containerId']),
    ...pickMembers({ estimatedTimeOfArrival, activeBorderTransportMeans }),
  };
}

/** The members that are there, all or those with these names. */
export function pickMembers(object, names = Object.keys(object)) {
  return Object.fromEntries(
    names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]),
  );
}
