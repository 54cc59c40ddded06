// Arrivals of transports that the authority reports: cameras, airport feeds and officers.
import { type Static, Type } from 'typebox';
import { ValidationError } from '../errors.js';
import { keysOf } from '../keys-of.js';
import { Identifier } from '../patterns.js';
import { Count, Instant } from '../quantities.js';
import { type Arrival, ArrivalCustomsOffice, findArrivalErrors } from './arrival.js';
import { MovementMrn } from './messages.js';
import { type ModeName, modes } from './modes.js';
import type { Registers } from './registers.js';
import { toTheSecond } from './to-the-second.js';

/** Maximum number of arrivals in a JSON array; NDJSON may be of any length. */
export const ARRIVALS_OF_AN_ARRAY = 100;

/** How far the estimated arrival of a transport may be from the one that is reported without its MRN, in hours. */
export const ARRIVAL_SEARCH_HOURS = 12;

/** One arrival: of the transport with an MRN, or of one that is expected. */
export const TransportArrival = Type.Object(
  {
    mrn: Type.Optional({
      ...MovementMrn,
      description:
        'The MRN of the transport. Without it, `mode` and what was read of the transport',
    }),
    mode: Type.Optional(Type.Enum(keysOf(modes), { description: 'Without `mrn`' })),
    identificationNumber: Type.Optional(
      Identifier(35, 'Without `mrn`: the means of transport, exactly as it was lodged', [
        'AB12345',
      ]),
    ),
    conveyanceReferenceNumber: Type.Optional(
      Identifier(17, 'Without `mrn`: the flight, train or voyage, exactly as it was lodged', [
        'LF123',
      ]),
    ),
    dateAndTimeOfArrival: Instant('When the transport arrived; fractions of a second do not count'),
    customsOfficeOfArrival: ArrivalCustomsOffice,
  },
  {
    $id: 'TransportArrival',
    description:
      'The arrival of a transport, named by `mrn`, or by `mode` and at least one of `identificationNumber` and `conveyanceReferenceNumber`',
    examples: [
      {
        mode: 'road',
        identificationNumber: 'AB12345',
        dateAndTimeOfArrival: '2026-05-04T09:30:00Z',
        customsOfficeOfArrival: { referenceNumber: 'NO371001' },
      },
    ],
  },
);
export type TransportArrival = Static<typeof TransportArrival>;

/** The result of one arrival. */
export const TransportArrivalResult = Type.Object(
  {
    line: Type.Integer({
      minimum: 1,
      description: 'Number of the line in the request, or of the element in the array, from 1',
    }),
    status: Type.Enum(['ARRIVED', 'CORRECTED', 'UNCHANGED', 'REFUSED'], {
      description:
        '`ARRIVED`: the transport has arrived now; `CORRECTED`: it had arrived at another time or office; `UNCHANGED`: it had arrived at this time and office; `REFUSED`: the line changed nothing, and `validationErrors` has the reasons',
    }),
    mrn: Type.Optional({ ...MovementMrn, description: 'The MRN of the transport' }),
    houseConsignments: Type.Optional(
      Count(
        'How many house consignments the line has presented, or has connected to a further party',
      ),
    ),
    signals: Type.Optional(
      Count('How many signals that has issued. Decisions that are made because of it issue theirs'),
    ),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: 'Broken rules, at most 100' }),
    ),
  },
  { $id: 'TransportArrivalResult', description: 'The result of one arrival' },
);
export type TransportArrivalResult = Static<typeof TransportArrivalResult>;

/** What was read of a transport whose MRN is not known. */
export type SeenTransport = {
  mode: ModeName;
  identificationNumber: string | undefined;
  conveyanceReferenceNumber: string | undefined;
};

/**
 * When and where a transport has arrived, as it is recorded, and which one it is.
 *
 * @param arrival what was sent, by the schema
 * @returns `errors`: what its customs office and its time break
 */
export function readTransportArrival(
  {
    mrn,
    mode,
    identificationNumber,
    conveyanceReferenceNumber,
    dateAndTimeOfArrival,
    customsOfficeOfArrival,
  }: TransportArrival,
  { isCustomsOffice, now }: Pick<Registers, 'isCustomsOffice'> & { now: Date },
): {
  transport: { mrn: string } | SeenTransport;
  arrival: Omit<Arrival, 'mrn'>;
  errors: ValidationError[];
} {
  const at = toTheSecond(new Date(dateAndTimeOfArrival));
  const office = customsOfficeOfArrival.referenceNumber;
  const errors = findArrivalErrors(at, office, isCustomsOffice, now).map(
    ({ field, error, code }) => ({ field, error, code }),
  );
  if (mrn !== undefined) return { transport: { mrn }, arrival: { at, office }, errors };
  if (mode === undefined) throw new TypeError('an arrival without an MRN has a mode');
  const transport = { mode, identificationNumber, conveyanceReferenceNumber };
  return { transport, arrival: { at, office }, errors };
}
