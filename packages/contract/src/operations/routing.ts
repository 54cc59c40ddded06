// Reading routing signals, and checking whether goods may be released.
import { ExplanationQuery, RoutingExplanation } from '../explanation.js';
import { MAX_CHECKED_CONSIGNMENTS, ReleaseCheck, ReleaseQuery } from '../release.js';
import { RoutingQuery, RoutingSignal } from '../routing.js';
import { feedHeaders, feedResponse } from './feed.js';
import type { Operation } from './operation.js';

export const routingOperations = {
  readRoutingSignals: {
    operationId: 'readRoutingSignals',
    method: 'GET',
    path: '/api/movement/routing/v1/house-consignment',
    tag: 'Routing',
    summary: 'Read routing signals',
    description:
      'The signals that this organisation may read, oldest first, after the marker; without a marker from the oldest that is kept. Reading with markers returns every signal exactly once, in one order that never changes. A marker after which signals are no longer kept is refused with `MARKER_EXPIRED`: start again without a marker.',
    access: ['movement/entry'],
    query: RoutingQuery,
    headers: feedHeaders,
    responses: { 200: feedResponse('Routing signals', RoutingSignal) },
  },

  checkRelease: {
    operationId: 'checkRelease',
    method: 'GET',
    path: '/api/movement/routing/v1/release',
    tag: 'Routing',
    summary: 'Check whether goods may be released',
    description: `The current routing of the house consignments that an identifier identifies, as far as this organisation may know of them: those whose signals it reads or will read. Goods of others are \`UNKNOWN\`, as goods that do not exist. With a scope of the authority, all pre-notified goods are examined. At most ${MAX_CHECKED_CONSIGNMENTS.toLocaleString('en-GB')} house consignments are. Signals that the response contains are recorded as read. This operation is an addition of Landfall.`,
    access: ['movement/entry', 'authority/registry', 'authority/routing'],
    query: ReleaseQuery,
    headers: {
      Prefer:
        '`wait=20` delays the response while the outcome is `UNDECIDED`, for up to 20 s (maximum 60 s) (RFC 7240)',
    },
    responses: {
      200: {
        description: 'What may be done with the goods',
        content: { 'application/json': ReleaseCheck },
      },
    },
  },

  explainRouting: {
    operationId: 'explainRouting',
    method: 'GET',
    path: '/api/movement/routing/v1/explanation',
    tag: 'Routing',
    summary: 'Explain why there is no signal',
    description:
      'Why this organisation reads no signal of a house consignment, what to do, and where the signal is if there is one. Only what concerns the caller is said: goods of others are explained in the same words and time as goods that do not exist. `REFERENCE_AMBIGUOUS` if it may know of several with this document: give its `type` and the `mrn`. This operation is an addition of Landfall.',
    access: ['movement/entry'],
    query: ExplanationQuery,
    responses: {
      200: {
        description: 'The reason, and what to do',
        content: { 'application/json': RoutingExplanation },
      },
    },
  },
} as const satisfies Record<string, Operation>;
