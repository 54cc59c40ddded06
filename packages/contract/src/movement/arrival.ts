// The arrival of a transport: the report, its rules, and what it says to others.
import { type Static, Type } from 'typebox';
import { isMrn, isUuid, RequestId } from '../identifiers.js';
import { isObject } from '../is-object.js';
import { checkMembers } from './check-message.js';
import type { MovementError } from './errors.js';
import { MovementMrn } from './messages.js';
import type { Registers } from './registers.js';
import { Line, UtcInstant } from './schema/parts.js';

/** How far ahead of now an arrival may be, in minutes: clocks differ. */
export const ARRIVAL_AHEAD_MINUTES = 10;

/** How long after an arrival it can still be reported, in hours: a border crossing may have no coverage. */
export const ARRIVAL_REPORT_HOURS = 72;

/** For how long after its arrival is recorded a transport presents what it newly reaches, in hours. */
export const ARRIVAL_PRESENTS_HOURS = 24;

/** Where a transport has arrived. */
export const ArrivalCustomsOffice = Type.Object(
  { referenceNumber: Line(8, 'CL141') },
  { $id: 'ArrivalCustomsOffice', description: 'The customs office at which it arrived' },
);

/** When and where a transport has arrived. */
const arrival = {
  dateAndTimeOfArrival: UtcInstant('When the transport arrived'),
  customsOfficeOfArrival: ArrivalCustomsOffice,
};

const example = {
  mrn: '26NO7K2M4Q9XWR5HT0',
  dateAndTimeOfArrival: '2026-05-04T09:30:00Z',
  customsOfficeOfArrival: { referenceNumber: 'NO371001' },
};

/** The report of an arrival. */
export const TransportArrivalRequest = Type.Object(
  { mrn: MovementMrn, ...arrival, requestId: Type.Optional(RequestId) },
  {
    $id: 'TransportArrivalRequest',
    description: 'The arrival of a transport, with the id of the request',
    examples: [example],
  },
);
export type TransportArrivalRequest = Static<typeof TransportArrivalRequest>;

/** What is read of a report by the rules of messages. Its identifiers have rules of their own. */
const ReadArrival = Type.Object({ mrn: Line(18), ...arrival });

/** When and where a transport has arrived. The time is an instant to the second. */
export type Arrival = { mrn: string; at: string; office: string };

/** What the rules say of a report: refused at once, or what its status has to say. */
export type CheckedArrival =
  | { refused: MovementError[] }
  | { arrival: Arrival; errors: MovementError[] };

/** Length of an instant to the second, without the `Z`. */
const TO_THE_SECOND = 'yyyy-mm-ddThh:mm:ss'.length;

/**
 * Judges the report of an arrival. Whether the transport is there is not judged here.
 *
 * @param body any JSON value
 */
export function checkArrival(
  body: unknown,
  { isCustomsOffice, now }: Pick<Registers, 'isCustomsOffice'> & { now: Date },
): CheckedArrival {
  const checked = checkMembers(ReadArrival, body);
  const refused = [...checked.errors, ...findWrongRequestId(body)];
  if (refused.length > 0) return { refused };
  // Safe cast: no rule found anything, so it is of the schema.
  const read = checked.body as Static<typeof ReadArrival>;
  const { mrn, dateAndTimeOfArrival, customsOfficeOfArrival } = read;
  if (!isMrn(mrn)) {
    const error = 'must be an MRN';
    return { refused: [{ rule: 'arrival.mrn', field: 'mrn', error, code: 'FORMAT' }] };
  }
  const at = `${dateAndTimeOfArrival.slice(0, TO_THE_SECOND)}Z`;
  const office = customsOfficeOfArrival.referenceNumber;
  return {
    arrival: { mrn, at, office },
    errors: findArrivalErrors(at, office, isCustomsOffice, now),
  };
}

/**
 * No client of another service sends one, so a requestId that could not be found again is refused; that of a message is
 * ignored.
 */
function findWrongRequestId(body: unknown): MovementError[] {
  const requestId = isObject(body) ? body.requestId : undefined;
  if (requestId == null || (typeof requestId === 'string' && isUuid(requestId))) return [];
  const error = 'must be a UUID';
  return [{ rule: 'arrival.request-id', field: 'requestId', error, code: 'FORMAT' }];
}

/**
 * What the customs office and the time of an arrival break.
 *
 * @param at an instant
 */
export function findArrivalErrors(
  at: string,
  office: string,
  isCustomsOffice: Registers['isCustomsOffice'],
  now: Date,
): MovementError[] {
  const errors: MovementError[] = [];
  if (!isCustomsOffice(office)) {
    errors.push({
      rule: 'arrival.office',
      field: 'customsOfficeOfArrival.referenceNumber',
      error: 'Must be a valid customs office',
      code: 'UNKNOWN_CODE',
    });
  }
  const aheadMs = Date.parse(at) - now.getTime();
  if (aheadMs > ARRIVAL_AHEAD_MINUTES * 60_000 || -aheadMs > ARRIVAL_REPORT_HOURS * 3_600_000) {
    errors.push({
      rule: 'arrival.time',
      field: 'dateAndTimeOfArrival',
      error: `must be at most ${ARRIVAL_AHEAD_MINUTES} minutes ahead and ${ARRIVAL_REPORT_HOURS} hours back`,
      code: 'TIME_OUT_OF_RANGE',
    });
  }
  return errors;
}
