// The rule of the gate: what may be done with goods, by the signals and statuses that have arrived and by the last check
// of the service.
import {
  type CheckedConsignment,
  mrnOf,
  type ReleaseCheck,
  type RoutingControlLocation,
  type RoutingSignal,
  type ValidationStatus,
} from '@landfall/client';
import { identifierKey } from '@landfall/contract/identifier-key';

/**
 * What the gate says, the most restrictive first. `unavailable`: nothing is known of the goods, and the service cannot be
 * reached.
 */
const outcomes = [
  'control',
  'denied',
  'undecided',
  'pending',
  'notPresented',
  'tooMany',
  'release',
  'unknown',
  'unavailable',
] as const;

/** What applies to all of the goods. */
export type Outcome = (typeof outcomes)[number];

/** A house consignment of the goods. */
export type ReleaseConsignment = {
  mrn: string;
  documentNumber: string;
  type: string;
  state: CheckedConsignment['state'];
  /** When the signal was issued, if it is known. */
  issuedAt: string | undefined;
};

/** What the gate says of goods. */
export type Release = {
  outcome: Outcome;
  /** Where the control is, if it is the same for all. */
  location: RoutingControlLocation | undefined;
  /** How many consignments there are, as far as is known, by their state. */
  counts: Readonly<Record<CheckedConsignment['state'], number>>;
  /** Some of them: first those that go to control. */
  consignments: readonly ReleaseConsignment[];
  /** Whether the identifier is that of other consignments than the one document with this number. */
  isAggregate: boolean;
};

/** How many consignments are listed by their signals. Those of a check are chosen by the service. */
const MAX_LISTED = 50;

const NONE = {
  TO_CONTROL: 0,
  ENTRY_DENIED: 0,
  UNDECIDED: 0,
  ENTRY_PENDING: 0,
  NOT_PRESENTED: 0,
  TO_ENTRY: 0,
};

/** Nothing is known of the goods. */
export function nothingKnown(outcome: 'unknown' | 'unavailable'): Release {
  return { outcome, location: undefined, counts: NONE, consignments: [], isAggregate: false };
}

/**
 * Decides by the last signal of each consignment. One that goes to control decides for all: goods are released only if
 * nothing speaks against it.
 *
 * @param identifier as it was entered
 * @param signals the last signal of each consignment that the identifier identifies
 * @param statuses of the organisation's presentations; they name only the MRN
 */
export function decideBySignals(
  identifier: string,
  signals: readonly RoutingSignal[],
  statuses: readonly ValidationStatus[],
): Release {
  const wanted = identifierKey(identifier);
  const presented = Math.max(
    0,
    ...statuses
      .filter(({ mrn, status }) => status === 'SUCCESS' && mrn === wanted)
      .map(({ houseConsignments }) => houseConsignments),
  );
  const goesToControl = ({ routingResult }: RoutingSignal) =>
    routingResult.routing === 'TO_CONTROL';
  const controls = signals.filter(goesToControl);
  const locations = new Set(
    controls.map(({ routingResult }) => routingResult.routingControlLocation),
  );
  const [location] = locations;
  const counts = { ...NONE, UNDECIDED: Math.max(0, presented - signals.length) };
  for (const { routingResult } of signals) counts[routingResult.routing]++;
  const strictest = BY_STRICTNESS.find((state) => counts[state] > 0);
  const outcome = strictest === undefined ? 'unknown' : outcomeOf[strictest];
  const others = signals.filter((signal) => !goesToControl(signal));
  const listed = [...controls, ...others].slice(0, MAX_LISTED);
  const consignments = listed.map((signal): ReleaseConsignment => {
    const { documentNumber, type } = signal.transportDocumentHouseLevel;
    const { routing, documentIssueDate } = signal.routingResult;
    const mrn = mrnOf(signal);
    return { mrn, documentNumber, type, state: routing, issuedAt: documentIssueDate };
  });
  return {
    outcome,
    location: locations.size === 1 ? location : undefined,
    counts,
    consignments,
    isAggregate: isAggregate(wanted, consignments),
  };
}

/** The states by which goods are judged: the first that one of them has. */
const BY_STRICTNESS = [
  'TO_CONTROL',
  'ENTRY_DENIED',
  'UNDECIDED',
  'ENTRY_PENDING',
  'TO_ENTRY',
] as const;

const outcomeOf: Readonly<Record<ReleaseCheck['outcome'], Outcome>> = {
  TO_CONTROL: 'control',
  ENTRY_DENIED: 'denied',
  UNDECIDED: 'undecided',
  ENTRY_PENDING: 'pending',
  NOT_PRESENTED: 'notPresented',
  TOO_MANY: 'tooMany',
  TO_ENTRY: 'release',
  UNKNOWN: 'unknown',
};

/** What a check of the service says. */
export function decideByCheck(identifier: string, check: ReleaseCheck): Release {
  const consignments = check.houseConsignments.map((one): ReleaseConsignment => {
    const { documentNumber, type } = one.transportDocumentHouseLevel;
    const mrn = mrnOf(one);
    return { mrn, documentNumber, type, state: one.state, issuedAt: one.documentIssueDate };
  });
  return {
    outcome: outcomeOf[check.outcome],
    location: check.routingControlLocation,
    counts: {
      TO_ENTRY: check.toEntry,
      TO_CONTROL: check.toControl,
      ENTRY_DENIED: check.entryDenied ?? 0,
      ENTRY_PENDING: check.entryPending ?? 0,
      UNDECIDED: check.undecided,
      NOT_PRESENTED: check.notPresented,
    },
    consignments,
    isAggregate: isAggregate(identifierKey(identifier), consignments),
  };
}

/**
 * The more restrictive of two results of the same goods, of which either may be older than the other. One that has
 * nothing of the goods does not count.
 */
export function stricter(one: Release, other: Release): Release {
  return outcomes.indexOf(one.outcome) <= outcomes.indexOf(other.outcome) ? one : other;
}

function isAggregate(wanted: string, consignments: readonly ReleaseConsignment[]): boolean {
  return (
    consignments.length > 1 ||
    consignments.some(({ documentNumber }) => identifierKey(documentNumber) !== wanted)
  );
}
