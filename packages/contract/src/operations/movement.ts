// Lodging, replacing and cancelling movement messages, and reading what became of them.
import { type TSchema, Type } from 'typebox';
import { RequestId } from '../identifiers.js';
import {
  ARRIVAL_AHEAD_MINUTES,
  ARRIVAL_PRESENTS_HOURS,
  ARRIVAL_REPORT_HOURS,
  TransportArrivalRequest,
} from '../movement/arrival.js';
import { type MovementLevel, movementLevels, movementMessages } from '../movement/levels.js';
import {
  LevelParameter,
  MAX_RELATIONS,
  MessageParameter,
  ModeParameter,
  Movement,
  MovementAccepted,
  MovementMrn,
  MovementQuery,
  MovementStatus,
  MovementStatusQuery,
  MovementSummary,
  VersionParameter,
} from '../movement/messages.js';
import { modes } from '../movement/modes.js';
import {
  EntryStatus,
  HouseDocumentStatus,
  MAX_QUERIED_CONSIGNMENTS,
  MasterDescendants,
  MasterDocumentStatus,
  MovementReceptacleId,
  TransportDescendants,
  TransportDocumentQuery,
} from '../movement/queries.js';
import type { ScopeName } from '../scopes.js';
import { feedHeaders, feedResponse, pageHeaders } from './feed.js';
import { lines } from './media-types.js';
import type { Operation } from './operation.js';

const base = '/api/movement/{mode}/{version}';
const arrivalBase = '/api/movement/arrival';
const statusBase = '/api/movement/{mode}/status/{version}';

/** The scope of each mode; the address says which one is needed. */
const modeScopes: readonly ScopeName[] = Object.values(modes).map(({ scope }) => scope);

const byMode = { access: modeScopes, scopeOfMode: true } as const;
const modeParameters = { mode: ModeParameter, version: VersionParameter };

const levelNames = {
  transport: ['Transport', 'a transport'],
  'master-consignment': ['MasterConsignment', 'a master consignment'],
  'house-consignment': ['HouseConsignment', 'a house consignment'],
} as const satisfies Record<MovementLevel, readonly [string, string]>;

const accepted = {
  202: {
    description: 'The outcome is decided and durable',
    content: { 'application/json': MovementAccepted },
    headers: { Location: 'Address of the status of this request' },
  },
};

const ownRequestId =
  'A `requestId` of the body, if it is a UUID, is that of the request; without one, the service makes it. It is unique in the organisation: one that was used is refused with `REQUEST_ID_REUSED`.';

function body(level: MovementLevel) {
  const { schema, maxBytes } = movementLevels[level];
  const [name, what] = levelNames[level];
  const sent: TSchema = Type.Object(
    { ...schema.properties, requestId: Type.Optional(RequestId) },
    { $id: `${name}Request`, description: `The message of ${what}, with the id of the request` },
  );
  return { body: { 'application/json': sent }, maxBodyBytes: maxBytes } as const;
}

function lodge<Level extends MovementLevel>(level: Level) {
  const [name, what] = levelNames[level];
  return {
    operationId: `lodge${name}` as const,
    method: 'POST',
    path: `${base}/${level}`,
    tag: 'Movement',
    summary: `Lodge ${what}`,
    description: `Lodges ${what}. What one member shows by itself is refused at once, with 400: nothing is stored. What members show together, code lists, registers and other messages are judged by the status, which can be read when the response arrives: \`FAILURE\` names every broken rule, and \`SUCCESS\` has the MRN. ${ownRequestId}`,
    ...byMode,
    parameters: modeParameters,
    ...body(level),
    responses: accepted,
    problems: [404],
  } as const satisfies Operation;
}

function replace<Level extends MovementLevel>(level: Level) {
  const [name, what] = levelNames[level];
  return {
    operationId: `replace${name}` as const,
    method: 'PUT',
    path: `${base}/${level}/{mrn}`,
    tag: 'Movement',
    summary: `Replace ${what}`,
    description: `Replaces the whole message, by the rules of lodging. Members of its key must stay as they are (\`KEY_CHANGED\`): cancel it and lodge it again. What is presented keeps what it was presented by (\`PRESENTED\`). The same message again is \`SUCCESS\` and changes nothing. ${ownRequestId}`,
    ...byMode,
    parameters: { ...modeParameters, mrn: MovementMrn },
    ...body(level),
    responses: accepted,
    problems: [404],
  } as const satisfies Operation;
}

/** Who asks about a message. */
const parties =
  'For whoever lodged the message and the representative that it names; 404 for others.';
const partiesAndCarrier =
  'For whoever lodged the transport, the representative and the carrier that it names; 404 for others.';
const byDocument =
  'Among the messages that this organisation has lodged or that name it as representative, the current one with this document, otherwise the last; 404 without any.';
const atMost = `More than ${MAX_QUERIED_CONSIGNMENTS.toLocaleString('en-GB')} house consignments are refused with \`SIZE\`.`;
const askForEach = `${atMost.slice(0, -1)}: ask for each master consignment.`;
const ofEnded = 'Nothing couples to a message that has ended.';

function query<const Id extends string, const Shape extends TSchema>(
  operationId: Id,
  path: string,
  words: { summary: string; description: string },
  response: Shape,
) {
  return {
    operationId,
    method: 'GET',
    path: `${statusBase}/${path}`,
    tag: 'Movement',
    ...words,
    ...byMode,
    parameters: { ...modeParameters, mrn: MovementMrn },
    responses: { 200: { description: words.summary, content: { 'application/json': response } } },
    problems: [400, 404],
  } as const satisfies Operation;
}

const anyLevel = { ...modeParameters, level: LevelParameter };

export const movementOperations = {
  lodgeTransport: lodge('transport'),
  lodgeMasterConsignment: lodge('master-consignment'),
  lodgeHouseConsignment: lodge('house-consignment'),
  replaceTransport: replace('transport'),
  replaceMasterConsignment: replace('master-consignment'),
  replaceHouseConsignment: replace('house-consignment'),

  cancelMovement: {
    operationId: 'cancelMovement',
    method: 'DELETE',
    path: `${base}/{level}/{mrn}`,
    tag: 'Movement',
    summary: 'Cancel a movement message',
    description:
      'Cancels a message, which frees its key. What is presented is not cancelled (`PRESENTED`). Cancelling what was cancelled is `SUCCESS` and changes nothing. A body is read as JSON whatever its `Content-Type` says, and may be absent: nothing of it but a `requestId` is used. What begins as an object or an array of JSON and cannot be read, or has a member twice, is refused.',
    ...byMode,
    parameters: { ...anyLevel, mrn: MovementMrn },
    responses: accepted,
    problems: [404, 413, 415],
  },

  lodgeRelation: {
    operationId: 'lodgeRelation',
    method: 'POST',
    path: `${base}/relation`,
    tag: 'Movement',
    summary: 'Relate two messages',
    description: `Couples two current messages of this mode by their MRNs, whoever has lodged them: a master or a house consignment to a transport, or a house consignment to a master consignment. Whoever knows both MRNs may do it. It counts like a coupling by documents in everything: what it hangs on a transport that arrives, or that has arrived within ${ARRIVAL_PRESENTS_HOURS} hours, is presented when the response arrives. A relation leads nowhere when one of the two has ended, and a replacement keeps it.

The status is \`FAILURE\` if the types cannot hang on each other (\`INCOMPATIBLE\`), if one of the MRNs is not that of a current message of its type and of this mode (\`REFERENCE_NOT_FOUND\`), and if the two are related already (\`DUPLICATE\`, with the MRN of the relation if it is of the same organisation). ${ownRequestId}`,
    ...byMode,
    parameters: modeParameters,
    body: {
      'application/json': Type.Object(
        {
          ...movementMessages.relation.schema.properties,
          requestId: Type.Optional(RequestId),
        },
        { $id: 'RelationRequest', description: 'A relation, with the id of the request' },
      ),
    },
    maxBodyBytes: movementMessages.relation.maxBytes,
    responses: accepted,
    problems: [404],
  },

  cancelRelation: {
    operationId: 'cancelRelation',
    method: 'DELETE',
    path: `${base}/relation/{mrn}`,
    tag: 'Movement',
    summary: 'Cancel a relation',
    description: `Cancels a relation by its own MRN, for whoever made it and for those who have lodged the two messages; 404 for others. \`getMovement\` of either message names at most ${MAX_RELATIONS} of its relations. The status is \`FAILURE\` if goods were presented because of it (\`PRESENTED\`), or if one of the two messages has ended (\`NOT_CURRENT\`). Cancelling what was cancelled is \`SUCCESS\` and changes nothing. A body is read as JSON whatever its \`Content-Type\` says, and may be absent: nothing of it but a \`requestId\` is used. This address is an addition of Landfall.`,
    ...byMode,
    parameters: { ...modeParameters, mrn: MovementMrn },
    responses: accepted,
    problems: [404, 413, 415],
  },

  getMovement: {
    operationId: 'getMovement',
    method: 'GET',
    path: `${base}/{level}/{mrn}`,
    tag: 'Movement',
    summary: 'Read a movement message',
    description:
      'The message as it was last accepted, with its state, for whoever lodged it and the representative that it names. 404 for what is unknown, of another level or mode, or of others. This operation is an addition of Landfall.',
    ...byMode,
    parameters: { ...anyLevel, mrn: MovementMrn },
    responses: {
      200: { description: 'The message', content: { 'application/json': Movement } },
    },
    problems: [404],
  },

  listMovements: {
    operationId: 'listMovements',
    method: 'GET',
    path: `${base}/{level}`,
    tag: 'Movement',
    summary: 'List movement messages',
    description:
      'The messages that this organisation has lodged, and those that name it as representative, newest first. A request examines a limited number of messages, so a page with filters may be short or empty although more follow: `Link` says so. This operation is an addition of Landfall.',
    ...byMode,
    parameters: anyLevel,
    query: MovementQuery,
    responses: {
      200: {
        description: 'Messages, newest first; empty if there are none',
        content: {
          'application/json': Type.Array(MovementSummary),
          'application/x-ndjson': lines('One JSON object a line', MovementSummary),
        },
        headers: pageHeaders,
      },
    },
    problems: [404],
  },

  getMovementStatus: {
    operationId: 'getMovementStatus',
    method: 'GET',
    path: `${statusBase}/{level}/validation-status/{requestId}`,
    tag: 'Movement',
    summary: 'Read the status of one request',
    description:
      'The outcome of one request of this organisation about a message of this mode and level, or about a relation of this mode; 404 for any other requestId.',
    ...byMode,
    parameters: { ...modeParameters, level: MessageParameter, requestId: RequestId },
    headers: { Prefer: feedHeaders.Prefer },
    responses: {
      200: { description: 'The status', content: { 'application/json': MovementStatus } },
    },
    problems: [404],
  },

  reportArrival: {
    operationId: 'reportArrival',
    method: 'POST',
    path: `${arrivalBase}/v1/transport-arrival`,
    tag: 'Movement',
    summary: 'Report the arrival of a transport',
    description: `Reports that a transport has arrived, by whoever lodged it, its representative or its carrier; to others it is 404. The master consignments that it names, their house consignments and its direct ones are presented on behalf of those who lodged them, at the customs office of arrival. Submitter and representative of the transport are connected to all of them, those of a master consignment to what is under it, and those of a house consignment to that one. When the response arrives, all of this has happened, and what the live routing profile decides on arrival is decided. What is lodged, replaced or related within ${ARRIVAL_PRESENTS_HOURS} hours after that is presented when its response arrives.\n\nThe status is \`FAILURE\` if the transport has ended (\`NOT_CURRENT\`), if the office is not in CL141 (\`UNKNOWN_CODE\`), or if the time is more than ${ARRIVAL_AHEAD_MINUTES} minutes ahead or ${ARRIVAL_REPORT_HOURS} hours back (\`TIME_OUT_OF_RANGE\`). The same time and office again is \`SUCCESS\` and changes nothing; another one is \`ALREADY_ARRIVED\`. An arrival is not taken back. ${ownRequestId} Another value is refused.`,
    access: ['movement/transportarrival'],
    body: { 'application/json': TransportArrivalRequest },
    responses: accepted,
    problems: [404],
  },

  getArrivalStatus: {
    operationId: 'getArrivalStatus',
    method: 'GET',
    path: `${arrivalBase}/status/v1/transport-arrival/validation-status/{requestId}`,
    tag: 'Movement',
    summary: 'Read the status of one reported arrival',
    description:
      'The outcome of one arrival that this organisation has reported; 404 for any other requestId.',
    access: ['movement/transportarrival'],
    parameters: { requestId: RequestId },
    headers: { Prefer: feedHeaders.Prefer },
    responses: {
      200: { description: 'The status', content: { 'application/json': MovementStatus } },
    },
    problems: [404],
  },

  listMovementStatuses: {
    operationId: 'listMovementStatuses',
    method: 'GET',
    path: '/api/movement/status/v1/validation-status',
    tag: 'Movement',
    summary: 'Read the status of all requests about movement messages',
    description:
      'Every request of this organisation about movement messages of any mode whose status is kept, oldest first. The marker is the requestId of the last status that was read. A marker after which statuses are no longer kept is refused with `MARKER_EXPIRED`: start again without a marker. This operation is an addition of Landfall.',
    access: [...modeScopes, 'movement/transportarrival'],
    query: MovementStatusQuery,
    headers: feedHeaders,
    responses: { 200: feedResponse('Statuses', MovementStatus) },
  },

  getTransportDescendants: query(
    'getTransportDescendants',
    'transport/{mrn}/status-with-descendants',
    {
      summary: 'Read all that a transport reaches',
      description: `The master and house consignments of a transport with their weights and statuses, also those that it names and that are not lodged. ${partiesAndCarrier} ${ofEnded} ${askForEach}`,
    },
    TransportDescendants,
  ),

  getMasterDescendants: query(
    'getMasterDescendants',
    'master-consignment/{mrn}/status-with-descendants',
    {
      summary: 'Read the house consignments of a master consignment',
      description: `A master consignment and its house consignments with their weights and statuses. ${parties} ${ofEnded} ${atMost}`,
    },
    MasterDescendants,
  ),

  listMasterDocumentsOfTransport: query(
    'listMasterDocumentsOfTransport',
    'transport/{mrn}/master-consignment/transport-document/status',
    {
      summary: 'Read the status of the master consignments of a transport',
      description: `The master consignments that a transport names, in its order, also those that are not lodged. ${parties} ${ofEnded} ${askForEach}`,
    },
    Type.Array(MasterDocumentStatus),
  ),

  listHouseDocumentsOfTransport: query(
    'listHouseDocumentsOfTransport',
    'transport/{mrn}/house-consignment/transport-document/status',
    {
      summary: 'Read the status of the house consignments of a transport',
      description: `All house consignments that a transport reaches, each once, and those that it names itself and that are not lodged: in the order in which it names their master consignments, then by time of lodging. ${parties} ${ofEnded} ${askForEach}`,
    },
    Type.Array(HouseDocumentStatus),
  ),

  listHouseDocumentsOfMaster: query(
    'listHouseDocumentsOfMaster',
    'master-consignment/{mrn}/transport-document/status',
    {
      summary: 'Read the status of the house consignments of a master consignment',
      description: `The house consignments under a master consignment, by time of lodging. ${parties} ${ofEnded} ${atMost}`,
    },
    Type.Array(HouseDocumentStatus),
  ),

  findHouseDocumentsOfMaster: {
    ...query(
      'findHouseDocumentsOfMaster',
      'master-consignment/transport-document/status',
      {
        summary: 'Read the status of the house consignments of a master document',
        description: `The house consignments under a master consignment that is named by its document, by time of lodging. ${byDocument} ${ofEnded} ${atMost}`,
      },
      Type.Array(HouseDocumentStatus),
    ),
    parameters: modeParameters,
    query: TransportDocumentQuery,
  },

  getHouseDocument: query(
    'getHouseDocument',
    'house-consignment/{mrn}/transport-document/status',
    {
      summary: 'Read the status of a house consignment',
      description: `Whether a house consignment is complete, and what is missing. ${parties}`,
    },
    HouseDocumentStatus,
  ),

  findHouseDocument: {
    ...query(
      'findHouseDocument',
      'house-consignment/transport-document/status',
      {
        summary: 'Read the status of a house document',
        description: `Whether a house consignment that is named by its document is complete, and what is missing. ${byDocument}`,
      },
      HouseDocumentStatus,
    ),
    parameters: modeParameters,
    query: TransportDocumentQuery,
  },

  listHouseDocumentsOfReceptacle: {
    ...query(
      'listHouseDocumentsOfReceptacle',
      'house-consignment/postal-receptacle/{id}/transport-document/status',
      {
        summary: 'Read the status of the house consignments in a receptacle',
        description: `The current house consignments in a receptacle of mail that this organisation has lodged, or that name it as representative, by time of lodging; empty if there are none. ${atMost}`,
      },
      Type.Array(HouseDocumentStatus),
    ),
    parameters: { ...modeParameters, id: MovementReceptacleId },
  },

  getEntryStatus: {
    ...query(
      'getEntryStatus',
      'entry/status/{mrn}',
      {
        summary: 'Read whether the goods of a transport may be unloaded',
        description: `\`true\` when the transport has arrived, every document that it names is lodged, and all of its house consignments, at least one, are decided \`TO_ENTRY\`, or \`TO_CONTROL\` with \`AFTER_ENTRY\`. ${partiesAndCarrier}`,
      },
      EntryStatus,
    ),
    headers: {
      Prefer:
        '`wait=20` delays the response until it is `true` or its reasons have changed, for up to 20 s (maximum 60 s) (RFC 7240)',
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
