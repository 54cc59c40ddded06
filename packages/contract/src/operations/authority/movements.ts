// The transports that are expected and have arrived, and reading and cancelling any movement message.
import { Type } from 'typebox';
import {
  AuthorityCancellation,
  CancelledMovement,
  ExpectedTransport,
  LodgedMovement,
  MAX_COUPLED,
  TRANSPORTS_EXAMINED,
  TransportQuery,
} from '../../movement/authority.js';
import { MovementMrn } from '../../movement/messages.js';
import { pageHeaders } from '../feed.js';
import { lines } from '../media-types.js';
import type { Operation } from '../operation.js';

const movementPath = '/api/authority/v1/movements/{mrn}';

export const authorityMovementOperations = {
  listTransports: {
    operationId: 'listTransports',
    method: 'GET',
    path: '/api/authority/v1/transports',
    tag: 'Authority',
    summary: 'List transports',
    description: `The transports of all organisations that match all given parameters, page by page, by their estimated arrival, the first ones first: what is expected (\`state=CURRENT&arrived=false\`), what has arrived, and what has ended. A page may have fewer than \`limit\` entries, or none, although more follow: it examines ${TRANSPORTS_EXAMINED.toLocaleString('en-GB')} transports. \`Link\` says whether more may follow; \`from\` leaves out those of earlier days. A transport whose estimated arrival is replaced while pages are read may be on two of them, or on none.`,
    access: ['authority/registry', 'authority/routing'],
    query: TransportQuery,
    responses: {
      200: {
        description: 'Transports; empty if there are none',
        content: {
          'application/json': Type.Array(ExpectedTransport),
          'application/x-ndjson': lines('One transport per line', ExpectedTransport),
        },
        headers: pageHeaders,
      },
    },
  },

  getMovementAsAuthority: {
    operationId: 'getMovementAsAuthority',
    method: 'GET',
    path: movementPath,
    tag: 'Authority',
    summary: 'Read a movement message of any organisation',
    description: `The message as it was last accepted, with its state, its parties, and what it is coupled to: at most ${MAX_COUPLED} messages above it, and as many below it. Each reading is recorded in the audit trail, with the digest of the text. 404 for what is no movement message, and after retention has removed it.`,
    access: ['authority/registry', 'authority/routing'],
    parameters: { mrn: MovementMrn },
    responses: {
      200: { description: 'The message', content: { 'application/json': LodgedMovement } },
    },
    problems: [404],
  },

  cancelMovementAsAuthority: {
    operationId: 'cancelMovementAsAuthority',
    method: 'DELETE',
    path: movementPath,
    tag: 'Authority',
    summary: 'Cancel a movement message of any organisation',
    description:
      'Cancels a message that is not presented, which frees its key: one that was lodged by mistake, or whose sender does not exist any more; or a relation, because of which no goods were presented. It is refused with `PRESENTED` if the transport has arrived, or if the goods are presented, and with `NOT_CURRENT` if the message has expired or is closed. The same request again changes nothing. Whoever lodged the message and the representative that it names, or whoever made the relation, have a status in their feeds, with `cancelledBy`. The reason is in the audit trail alone.',
    access: ['authority/registry'],
    parameters: { mrn: MovementMrn },
    body: { 'application/json': AuthorityCancellation },
    responses: {
      200: {
        description: 'The message is cancelled',
        content: { 'application/json': CancelledMovement },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
