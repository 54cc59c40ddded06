// Health and metrics of a server.
import { Type } from 'typebox';
import { Versions } from '../versions.js';
import type { Operation } from './operation.js';

export const serviceOperations = {
  getLiveness: {
    operationId: 'getLiveness',
    method: 'GET',
    path: '/livez',
    tag: 'Service',
    summary: 'Check that the process is alive',
    description: 'Responds without using the database.',
    access: 'public',
    responses: { 200: { description: 'Alive', content: { 'text/plain': Type.String() } } },
  },

  getReadiness: {
    operationId: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Check that the service accepts requests',
    description:
      "Checks that the database responds. Production servers also check that their clock differs from the database's by 2 s at most, that the database takes what they write and, if they are configured so, that a standby confirms commits. A server whose identity provider's keys cannot be read is ready and degraded.",
    access: 'public',
    query: Type.Object({
      verbose: Type.Optional(
        Type.String({
          maxLength: 5,
          description:
            'With any value, or none: instead of `OK`, the first line is `ready` or `degraded`, and each following one has a condition with its state',
        }),
      ),
    }),
    responses: { 200: { description: 'Ready', content: { 'text/plain': Type.String() } } },
    problems: [503],
  },

  getVersions: {
    operationId: 'getVersions',
    method: 'GET',
    path: '/api/authority/v1/versions',
    tag: 'Service',
    summary: 'Read the versions of the service and its database',
    description:
      'For the authority only, because known defects of a version help an attacker. Behind a load balancer, those of the server that responds.',
    access: ['authority/registry', 'authority/routing'],
    responses: {
      200: { description: 'The versions', content: { 'application/json': Versions } },
    },
  },

  getMetrics: {
    operationId: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'Service',
    summary: 'Read the metrics',
    description:
      "Prometheus text format. Depending on the server's configuration, metrics require a separate bearer token, or are not served at this address.",
    access: 'public',
    responses: {
      200: { description: 'Metrics', content: { 'text/plain': Type.String() } },
    },
    problems: [401, 404],
  },
} as const satisfies Record<string, Operation>;
