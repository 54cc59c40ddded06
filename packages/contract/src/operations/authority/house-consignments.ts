// Finding house consignments and reading their history.
import { Type } from 'typebox';
import {
  HouseConsignment,
  HouseConsignmentEvent,
  HouseConsignmentQuery,
} from '../../house-consignment.js';
import type { Operation } from '../operation.js';

export const houseConsignmentOperations = {
  findHouseConsignments: {
    operationId: 'findHouseConsignments',
    method: 'GET',
    path: '/api/authority/v1/house-consignments',
    tag: 'Authority',
    summary: 'Find house consignments',
    description:
      'House consignments that match all given parameters, in the order in which they were pre-notified. A page may have fewer than `limit` entries, or none, although more follow: a search without a document, receptacle, container or ENS scans a limited number of house consignments for each page. `Link` says whether more may follow.',
    access: ['authority/registry', 'authority/routing'],
    query: HouseConsignmentQuery,
    responses: {
      200: {
        description: 'House consignments',
        content: { 'application/json': Type.Array(HouseConsignment) },
        headers: { Link: '`rel="next"` if more may follow' },
      },
    },
  },

  getHouseConsignmentHistory: {
    operationId: 'getHouseConsignmentHistory',
    method: 'GET',
    path: '/api/authority/v1/house-consignments/{id}/history',
    tag: 'Authority',
    summary: 'Read the history of a house consignment',
    description:
      'When it was pre-notified, changed, decided and presented, to whom signals were issued, and who read them first; oldest first. The history remains after the house consignment is withdrawn.',
    access: ['authority/registry', 'authority/routing'],
    parameters: {
      id: Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    },
    responses: {
      200: {
        description: 'The history',
        content: { 'application/json': Type.Array(HouseConsignmentEvent) },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
