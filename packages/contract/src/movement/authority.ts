// What the authority reads of movement messages: the transports that are expected and have arrived, and any message.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from '../code-lists/customs-offices.js';
import { MRN_PATTERN } from '../identifiers.js';
import { keysOf } from '../keys-of.js';
import { OrganisationIdentifier } from '../organisation.js';
import { pageLimit } from '../paging.js';
import { definePattern, Identifier, OneLine } from '../patterns.js';
import { Instant } from '../quantities.js';
import {
  listedMembers,
  MovementMrn,
  MovementState,
  movementMembers,
  readMovementMembers,
} from './messages.js';
import { modes } from './modes.js';

/** How many transports one request for a page examines. */
export const TRANSPORTS_EXAMINED = 10_000;

/** How many messages are named above and below one that is read. */
export const MAX_COUPLED = 100;

/** Which transport is the last one of a page: its estimated arrival and its MRN. */
const TRANSPORT_MARKER_PATTERN = definePattern(
  `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z_${MRN_PATTERN.slice(1)}`,
  'must be the marker of a page, as Link has it',
);

const submitter = {
  ...OrganisationIdentifier,
  description: 'The organisation that has lodged the message',
};

/** The query of the list of transports. */
export const TransportQuery = Type.Object({
  mode: Type.Optional(Type.Enum(keysOf(modes), { description: 'Only this mode of transport' })),
  identificationNumber: Type.Optional(
    Identifier(35, 'Only this means of transport, exactly as it was lodged', ['AB12345']),
  ),
  office: Type.Optional(
    Type.String({
      pattern: CUSTOMS_OFFICE_PATTERN,
      description:
        'Only transports that have arrived at this customs office, or are expected at it: that of first entry, until they arrive',
    }),
  ),
  state: Type.Optional(MovementState),
  arrived: Type.Optional(
    Type.Boolean({ description: 'Only transports that have arrived, or only those that have not' }),
  ),
  from: Type.Optional(Instant('Estimated to arrive at this time or later')),
  to: Type.Optional(Instant('Estimated to arrive before this time')),
  marker: Type.Optional(
    Type.String({
      pattern: TRANSPORT_MARKER_PATTERN,
      description:
        'Where the page before ended: the estimated arrival and the MRN of a transport, as `Link` has them; the page begins after it',
      examples: ['2026-05-04T09:30:00.000000Z_26NO7K2M4Q9XWR5HT0'],
    }),
  ),
  limit: pageLimit,
});
export type TransportQuery = Static<typeof TransportQuery>;

const {
  carrierIdentificationNumber,
  identificationNumber,
  conveyanceReferenceNumber,
  scheduledDateAndTimeOfArrival,
  ...documents
} = listedMembers;
const { complete, ...ofTransport } = movementMembers;

/** A transport as officers list it. */
export const ExpectedTransport = Type.Object(
  {
    ...ofTransport,
    identificationNumber: Type.String({ description: 'Of the means of transport' }),
    conveyanceReferenceNumber,
    carrierIdentificationNumber: Type.String({ description: 'Of the carrier, as it was lodged' }),
    scheduledDateAndTimeOfArrival: Instant('When it is scheduled to arrive'),
    estimatedDateAndTimeOfArrival: Instant('When it is estimated to arrive'),
    customsOfficeOfFirstEntry: Type.String({ description: 'Where it is to arrive' }),
    submitter,
    representative: Type.Optional({
      ...OrganisationIdentifier,
      description: 'The representative that it names, if that is an organisation of the service',
    }),
    carrier: Type.Optional({
      ...OrganisationIdentifier,
      description: 'The carrier, if that is an organisation of the service',
    }),
  },
  {
    $id: 'ExpectedTransport',
    description: 'A transport that is expected, has arrived or has ended',
  },
);
export type ExpectedTransport = Static<typeof ExpectedTransport>;

/** A message to which another one is coupled. */
export const CoupledMovement = Type.Object(
  {
    mrn: MovementMrn,
    relation: Type.Optional({
      ...MovementMrn,
      description: 'If the two are related directly: the MRN of the relation',
    }),
    level: movementMembers.level,
    state: MovementState,
    ...documents,
    carrierIdentificationNumber,
    identificationNumber,
    conveyanceReferenceNumber,
    scheduledDateAndTimeOfArrival,
  },
  { $id: 'CoupledMovement', description: 'A message that another one is coupled to' },
);
export type CoupledMovement = Static<typeof CoupledMovement>;

const coupled = (description: string) =>
  Type.Array(CoupledMovement, { maxItems: MAX_COUPLED, description });

/** A message as the authority reads it. */
export const LodgedMovement = Type.Object(
  {
    ...readMovementMembers,
    submitter,
    representative: ExpectedTransport.properties.representative,
    carrier: ExpectedTransport.properties.carrier,
    houseConsignmentId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Of a house consignment: its id, by which `getHouseConsignment` reads its decision',
      }),
    ),
    above: coupled(`What it hangs on: master consignments and transports, at most ${MAX_COUPLED}`),
    below: coupled(
      `What hangs on it: master consignments and house consignments, at most ${MAX_COUPLED}. Those of its master consignments are below these`,
    ),
    moreAbove: Type.Boolean({ description: 'Whether it may hang on more than `above` has' }),
    moreBelow: Type.Boolean({ description: 'Whether more may hang on it than `below` has' }),
  },
  { $id: 'LodgedMovement', description: 'A movement message as the authority reads it' },
);
export type LodgedMovement = Static<typeof LodgedMovement>;

/** Why the authority cancels a message. */
export const AuthorityCancellation = Type.Object(
  {
    reason: OneLine(500, 'The reason, for the audit trail; only the authority can read it'),
  },
  {
    $id: 'AuthorityCancellation',
    description: 'Why the authority cancels a message',
    examples: [{ reason: 'the sender is insolvent, and another carrier has the vehicle' }],
  },
);
export type AuthorityCancellation = Static<typeof AuthorityCancellation>;

/** A message that the authority has cancelled. */
export const CancelledMovement = Type.Object(
  {
    mrn: MovementMrn,
    status: Type.Enum(['CANCELLED', 'UNCHANGED'], {
      description: '`UNCHANGED`: it had been cancelled before',
    }),
  },
  { $id: 'CancelledMovement', description: 'A message that the authority has cancelled' },
);
export type CancelledMovement = Static<typeof CancelledMovement>;
