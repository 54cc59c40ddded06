// Deciding where house consignments go: who replaces whom, what is recorded, and what is found again. Wire contract,
// sections 5, 7 and 14.2.
import {
  addEvent,
  isPresented,
  isSameDocument,
  isSameRouting,
  issueSignal,
  listedHouses,
  routingOf,
} from './record.js';

/** The routing of goods on which nobody has decided. */
export const UNDECIDED = { routing: 'UNDECIDED' };

/** Whose decisions an origin replaces. What was taken back binds no officer and no engine. */
const REPLACES = {
  OFFICER: ['OFFICER', 'ENGINE', 'REGISTRATION', 'PROFILE'],
  ENGINE: ['ENGINE', 'REGISTRATION', 'PROFILE'],
  REGISTRATION: ['REGISTRATION', 'PROFILE'],
  PROFILE: ['PROFILE'],
};

export function replaces(origin, current) {
  if (isDecided(current)) return REPLACES[origin].includes(current.origin);
  return origin !== 'REGISTRATION' || !['OFFICER', 'ENGINE'].includes(current?.origin);
}

function isDecided(current) {
  return current !== null && current.routing !== 'UNDECIDED';
}

/**
 * Decides on one house consignment.
 *
 * @returns the result: status, and the number of signals or the code of what is wrong
 */
export function decide(record, decision, { officer: { organisation, client, origin } }) {
  const { mrn, transportDocumentHouseLevel: document, reason, decisionId, expected } = decision;
  const routing = routingOf(decision);
  const stored = record.decisionIds[`${organisation} ${decisionId}`];
  const found = listedHouses(record).filter(
    (house) =>
      (mrn === undefined || house.mrn === mrn) &&
      isSameDocument(house.content.transportDocumentHouseLevel, document),
  );
  const [house] = found;
  if (decisionId !== undefined && stored !== undefined) {
    const isOther = found.length === 1 && house.number !== stored.house;
    return isOther || !isSameRouting(stored.routing, routing)
      ? refused('DECISION_ID_REUSED')
      : { ...stored.result, status: 'REPEATED' };
  }
  if (found.length === 0) return refused('REFERENCE_NOT_FOUND');
  if (found.length > 1) return refused('REFERENCE_AMBIGUOUS');

  const { current } = house;
  if (expected !== undefined && expected !== (current?.number ?? null)) return conflict(current);
  const isSame = isSameRouting(routing, routingOf(current ?? UNDECIDED));
  const mayReplace = replaces(origin, current) || expected !== undefined;
  if (!mayReplace && !isSame) return conflict(current);
  const isExactly =
    decisionId === undefined &&
    (current === null ||
      (current.origin === origin &&
        current.organisation === organisation &&
        current.client === client &&
        current.reason === reason));
  // A confirmation that does not take the place of what it confirms is stored only to be found by its id.
  if (isSame && (isExactly || (!mayReplace && decisionId === undefined))) {
    return { status: 'UNCHANGED', signals: 0, ...(current && { number: current.number }) };
  }
  if (
    decision.routing === 'UNDECIDED' &&
    current?.routing === 'TO_ENTRY' &&
    house.recipients.length > 0
  ) {
    return refused('RELEASED');
  }
  const isSignalled = !isSame && decision.routing !== 'UNDECIDED' && isPresented(house);
  const number = store(record, house, decision, { organisation, client, origin });
  const result = {
    status: isSame ? 'UNCHANGED' : 'DECIDED',
    number,
    signals: isSignalled ? house.recipients.length : 0,
  };
  if (decisionId !== undefined) {
    const { status, ...first } = result;
    record.decisionIds[`${organisation} ${decisionId}`] = {
      house: house.number,
      routing,
      result: first,
    };
  }
  if (isSignalled) for (const recipient of house.recipients) issueSignal(record, house, recipient);
  return result;
}

/**
 * Stores a decision; it becomes the current one unless it only differs from one that stands above.
 *
 * @param {{ decidedAt: number, takenFrom?: string }} first when it was decided, and the MRN of the goods on which it was, if
 *   it is taken over from these
 * @returns its number on its house consignment
 */
export function store(
  record,
  house,
  decision,
  { organisation, client, origin },
  details = {},
  first = { decidedAt: record.step },
) {
  const { reason, decisionId } = decision;
  const takesEffect = replaces(origin, house.current) || decision.expected !== undefined;
  const number = ++house.decisions;
  const routing = routingOf(decision);
  addEvent(record, house, {
    event: 'DECIDED',
    organisation,
    client,
    details: {
      number,
      origin,
      ...(!takesEffect && { takesEffect }),
      ...routing,
      ...(reason && { reason }),
      ...(decisionId && { decisionId }),
      ...details,
    },
  });
  house.difference =
    takesEffect || isSameRouting(routing, routingOf(house.decision ?? UNDECIDED))
      ? undefined
      : { number, ...routing };
  if (takesEffect) {
    house.current = { ...routing, number, origin, organisation, client, reason, ...first };
    if (origin === 'OFFICER') {
      house.officerDecidedAt = Math.max(house.officerDecidedAt ?? 0, first.decidedAt);
    }
    house.decision = routing.routing === 'UNDECIDED' ? null : { ...routing, origin };
  }
  return number;
}

function refused(code) {
  return { status: 'REFUSED', codes: [code] };
}

function conflict(current) {
  return { status: 'CONFLICT', current: current?.number ?? null };
}
