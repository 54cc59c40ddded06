// The status of the service, for operators.
import { ServiceStatus, ServiceStatusQuery } from '../../service-status.js';
import type { Operation } from '../operation.js';

export const serviceStatusOperations = {
  getServiceStatus: {
    operationId: 'getServiceStatus',
    method: 'GET',
    path: '/api/authority/v1/service-status',
    tag: 'Authority',
    summary: 'Read the status of the service',
    description:
      'What is wrong now, with what an operator does about it; and rates, durations, errors, queues, callers, servers and lags of the last hours. Every server writes its figures once a minute, so the response of any server has those of all. Figures are kept for a day.',
    access: ['authority/operations'],
    query: ServiceStatusQuery,
    responses: {
      200: {
        description: 'The status',
        content: { 'application/json': ServiceStatus },
      },
    },
  },
} as const satisfies Record<string, Operation>;
