// What the operations of movement messages send and receive beside the messages themselves.
import { type Static, Type } from 'typebox';
import { ValidationErrorCode } from '../errors.js';
import { MRN_PATTERN, Mrn, RequestId } from '../identifiers.js';
import { keysOf } from '../keys-of.js';
import { feedPaging, paging } from '../paging.js';
import { incompleteReasons } from './codes/procedures.js';
import { movementLevels, movementMessages } from './levels.js';
import { modes } from './modes.js';
import { HouseConsignmentMessage } from './schema/house-consignment.js';
import { MasterConsignmentMessage } from './schema/master-consignment.js';
import { Document } from './schema/parts.js';
import { RelationMessage } from './schema/relation.js';
import { TransportMessage } from './schema/transport.js';

/** The mode of transport, as it is in addresses. */
export const ModeParameter = Type.Enum(keysOf(modes), {
  description: 'The mode of transport; it says which scope is needed',
});

/** The version of a mode, as it is in addresses. */
export const VersionParameter = Type.Enum(['v1', 'v2'], {
  description: `The version of the mode: ${keysOf(modes)
    .map((name) => `\`${name}/${modes[name].version}\``)
    .join(', ')}`,
});

/** The level of a message, as it is in addresses. */
export const LevelParameter = Type.Enum(keysOf(movementLevels), {
  description: 'The level of the message',
});

/** What a request was about, as it is in the address of its status. */
export const MessageParameter = Type.Enum(keysOf(movementMessages), {
  description: 'The level of the message, or `relation`',
});

/** The MRN of a movement message. */
export const MovementMrn = Type.String({
  pattern: MRN_PATTERN,
  description: 'Movement reference number (MRN) that the service gave the message',
  examples: ['26NO7K2M4Q9XWR5HT0'],
});

/** The level of a message in statuses, by the level in addresses. */
export const movementLevelCodes = {
  transport: 'TRANSPORT',
  'master-consignment': 'MASTER_CONSIGNMENT',
  'house-consignment': 'HOUSE_CONSIGNMENT',
} as const satisfies Record<keyof typeof movementLevels, string>;

const levelCode = Type.Enum(Object.values(movementLevelCodes));

/** What requests are about, as their statuses say it: a message of a level, a relation, or the arrival of a transport. */
export const movementSubjectCodes = {
  ...movementLevelCodes,
  relation: 'RELATION',
  'transport-arrival': 'ARRIVAL',
} as const;

/** What a request is about, as the address of its status names it. */
export type MovementSubject = keyof typeof movementSubjectCodes;

/** What a request does with a message, by the method of the request. */
export const movementOperations = { POST: 'LODGE', PUT: 'REPLACE', DELETE: 'CANCEL' } as const;

/** What a request does with a message. */
export type MovementOperation = (typeof movementOperations)[keyof typeof movementOperations];

/** The states of a message. Only a current one holds its key, and can be replaced. */
export const movementStates = {
  CURRENT: 'lodged, and neither replaced by an end nor ended',
  CANCELLED: 'cancelled by whoever lodged it, or by the authority',
  EXPIRED:
    'a transport that did not arrive, or a consignment that no current transport reaches and that was not presented',
  CLOSED:
    'arrived or presented some time ago, and all that it reaches is decided: its queries and signals stay',
} as const;

/** The state of a message. */
export const MovementState = Type.Enum(keysOf(movementStates), {
  description: Object.entries(movementStates)
    .map(([state, meaning]) => `\`${state}\`: ${meaning}`)
    .join('; '),
});

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** What an incomplete house consignment lacks. */
export const incompleteReasonList = Type.Array(
  Type.Enum(keysOf(incompleteReasons), {
    description: Object.entries(incompleteReasons)
      .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
      .join('; '),
  }),
  {
    description:
      'House consignments alone: why it is incomplete. It is accepted; what is missing comes with a replacement',
  },
);

/** The response to a message that was received. */
export const MovementAccepted = Type.Object(
  { requestId: RequestId },
  {
    $id: 'MovementAccepted',
    description: 'The request is decided and durable: its status can be read',
  },
);

/** The outcome of one request about a movement message. */
export const MovementStatus = Type.Object(
  {
    requestId: RequestId,
    status: Type.Enum(['SUCCESS', 'FAILURE'], {
      description: '`FAILURE`: nothing was changed, and the requestId is used',
    }),
    notificationDate: instant('When the request was recorded'),
    mrn: Type.Optional({
      ...MovementMrn,
      description: 'Only with `SUCCESS`: the MRN of the message',
    }),
    mode: Type.Enum(keysOf(modes)),
    level: Type.Enum(Object.values(movementSubjectCodes), {
      description:
        '`ARRIVAL`: the arrival of a transport, whose MRN and mode the status has; it is always `LODGE`',
    }),
    operation: Type.Enum(Object.values(movementOperations)),
    cancelledBy: Type.Optional(
      Type.Enum(['AUTHORITY'], {
        description:
          'The customs authority has cancelled the message: whoever lodged it and the representative that it names have this status, without a request of their own',
      }),
    ),
    incompleteDocumentationReasonList: Type.Optional(incompleteReasonList),
    validationErrorList: Type.Optional(
      Type.Array(
        Type.Object(
          {
            description: Type.String({ description: 'The broken rule, for people' }),
            code: ValidationErrorCode,
            pointer: Type.Object(
              {
                messageElementPath: Type.String({
                  description:
                    "Path of the member, from the body's root, with indexes in brackets: `consignmentHouseLevel.previousDocuments[0].referenceNumber`",
                }),
              },
              { $id: 'MovementErrorPointer', description: 'Where the rule is broken' },
            ),
          },
          { $id: 'MovementStatusError', description: 'One broken rule of a refused message' },
        ),
        { description: 'Only with `FAILURE`: every broken rule' },
      ),
    ),
  },
  { $id: 'MovementStatus', description: 'The outcome of one request about a movement message' },
);
export type MovementStatus = Static<typeof MovementStatus>;

/** The query of the feed of statuses. */
export const MovementStatusQuery = Type.Object(feedPaging('The requestId of the last status'));
export type MovementStatusQuery = Static<typeof MovementStatusQuery>;

/** What is said of a message wherever it is shown. */
export const movementMembers = {
  mrn: MovementMrn,
  mode: Type.Enum(keysOf(modes)),
  level: levelCode,
  state: MovementState,
  lodgedAt: instant('When it was lodged'),
  replacedAt: Type.Optional(instant('When it was last replaced')),
  endedAt: Type.Optional(instant('When it ended; absent while it is current')),
  arrivedAt: Type.Optional(instant('Of a transport that has arrived: when, as it was reported')),
  customsOfficeOfArrival: Type.Optional(
    Type.String({ description: 'Of a transport that has arrived: where' }),
  ),
  complete: Type.Optional(
    Type.Boolean({ description: 'House consignments alone: whether nothing is missing' }),
  ),
};

/** How many relations of a message are named. */
export const MAX_RELATIONS = 100;

/** A relation of a message that is read. The MRN of the other message is not in it: who knows it may use it. */
export const RelationOfMovement = Type.Object(
  {
    mrn: { ...MovementMrn, description: 'The MRN of the relation, by which it is cancelled' },
    parentObjectType: RelationMessage.properties.parentObjectType,
    childObjectType: RelationMessage.properties.childObjectType,
    relatedAt: instant('When it was made'),
  },
  { $id: 'RelationOfMovement', description: 'A relation of a message to another one' },
);
export type RelationOfMovement = Static<typeof RelationOfMovement>;

/** What is said of a message that is read, with the message. */
export const readMovementMembers = {
  ...movementMembers,
  incompleteDocumentationReasonList: Type.Optional(incompleteReasonList),
  relations: Type.Optional(
    Type.Array(RelationOfMovement, {
      maxItems: MAX_RELATIONS,
      description: `Its relations that couple it, whoever has made them, the newest ${MAX_RELATIONS}; absent if there are none`,
    }),
  ),
  message: Type.Optional(
    Type.Union([TransportMessage, MasterConsignmentMessage, HouseConsignmentMessage], {
      description:
        'As it was read: members that the service does not know are left out. Absent if its text was removed, some time after the message had ended',
    }),
  ),
};

/** A message as it was last accepted, with its state. */
export const Movement = Type.Object(readMovementMembers, {
  $id: 'Movement',
  description: 'A movement message as it was last accepted, with its state',
});
export type Movement = Static<typeof Movement>;

/** What identifies a message in a list. */
export const listedMembers = {
  document: Type.Optional(Document),
  carrierIdentificationNumber: Type.Optional(
    Type.String({
      description: 'Of a master consignment, or of what a house consignment hangs on',
    }),
  ),
  masterDocument: Type.Optional(Document),
  receptacleIdentificationNumber: Type.Optional(Type.String()),
  identificationNumber: Type.Optional(
    Type.String({ description: 'Of the means of transport of a transport' }),
  ),
  conveyanceReferenceNumber: Type.Optional(Type.String()),
  scheduledDateAndTimeOfArrival: Type.Optional(instant('Of a transport')),
};

/** A message in a list: what identifies it, and its state. */
export const MovementSummary = Type.Object(
  { ...movementMembers, ...listedMembers },
  { $id: 'MovementSummary', description: 'A movement message in a list' },
);
export type MovementSummary = Static<typeof MovementSummary>;

const exactly = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 70, description }));

/** The query of a list of messages. */
export const MovementQuery = Type.Object({
  documentNumber: exactly('Only messages with this transport document'),
  type: exactly('Only messages whose transport document has this type (CL754)'),
  carrierId: exactly('Only messages that name this carrier'),
  identificationNumber: exactly('Only transports with this means of transport'),
  state: Type.Optional(MovementState),
  marker: Type.Optional({
    ...Mrn,
    description: 'The MRN of the last message that was read; the page begins after it',
  }),
  limit: paging('').limit,
});
export type MovementQuery = Static<typeof MovementQuery>;

/** The body of a cancellation, which may be absent. */
export const Cancellation = Type.Object(
  { documentIssueDate: Type.Optional(instant('When the cancellation was issued; it is not used')) },
  { $id: 'MovementCancellation', description: 'The body of a cancellation' },
);
