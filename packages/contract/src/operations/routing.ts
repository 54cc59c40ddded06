// Reading routing signals.
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
      'The signals that this organisation may read, oldest first, after the marker; without a marker from the beginning. Reading with markers returns every signal exactly once, in one order that never changes.',
    access: ['movement/entry'],
    query: RoutingQuery,
    headers: feedHeaders,
    responses: { 200: feedResponse('Routing signals', RoutingSignal) },
  },
} as const satisfies Record<string, Operation>;
