// Listing and searching house consignments, and reading their history.
import { Type } from 'typebox';
import {
  HouseConsignment,
  HouseConsignmentEvent,
  HouseConsignmentQuery,
  HouseConsignmentSearch,
  HouseConsignmentSearchQuery,
  SEARCH_EXAMINED,
  SEARCH_LIMIT,
} from '../../house-consignment.js';
import { KeptDecision } from '../../routing-decision.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

export const houseConsignmentOperations = {
  listHouseConsignments: {
    operationId: 'listHouseConsignments',
    method: 'GET',
    path: '/api/authority/v1/house-consignments',
    tag: 'Authority',
    summary: 'List the house consignments that match filters',
    description:
      'Every house consignment that matches all given parameters exactly, page by page, in the order in which they were pre-notified; with `mrn`, unless `state=WITHDRAWN`, in that of the characters of the numbers of their house documents. `searchHouseConsignments` finds some by the beginning of an identifier. A page may have fewer than `limit` entries, or none, although more follow: a search without a document, receptacle, container or ENS scans a limited number of house consignments for each page. `Link` says whether more may follow. What was withdrawn is found with `state=WITHDRAWN` alone.',
    access: ['authority/registry', 'authority/routing'],
    query: HouseConsignmentQuery,
    responses: {
      200: {
        description: 'House consignments',
        content: { 'application/json': Type.Array(HouseConsignment) },
        headers: pageHeaders,
      },
    },
  },

  searchHouseConsignments: {
    operationId: 'searchHouseConsignments',
    method: 'GET',
    path: '/api/authority/v1/house-consignment-search',
    tag: 'Authority',
    summary: 'Search house consignments by the beginning of an identifier',
    description: `House consignments with any identifier that begins with these characters, for a search field while somebody types: at most ${SEARCH_LIMIT}, without pages. It examines the first ${SEARCH_EXAMINED} identifiers of each kind. Without \`complete\` there may be more, which more characters find. \`listHouseConsignments\` has all that match filters.`,
    access: ['authority/registry', 'authority/routing'],
    query: HouseConsignmentSearchQuery,
    responses: {
      200: {
        description: 'What was found',
        content: { 'application/json': HouseConsignmentSearch },
      },
    },
  },

  getHouseConsignment: {
    operationId: 'getHouseConsignment',
    method: 'GET',
    path: '/api/authority/v1/house-consignments/{id}',
    tag: 'Authority',
    summary: 'Read a house consignment',
    description:
      'A house consignment in its current state, also one that was withdrawn. It is 404 after retention has removed it.',
    access: ['authority/registry', 'authority/routing'],
    parameters: {
      id: Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    },
    responses: {
      200: {
        description: 'The house consignment',
        content: { 'application/json': HouseConsignment },
      },
    },
    problems: [404],
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

  getHouseConsignmentDecisions: {
    operationId: 'getHouseConsignmentDecisions',
    method: 'GET',
    path: '/api/authority/v1/house-consignments/{id}/decisions',
    tag: 'Authority',
    summary: 'Read the decisions on a house consignment',
    description:
      'Every decision on a house consignment, in the order of their numbers, also those that took no effect. The last one that takes effect is the current one. They remain after the house consignment is withdrawn, and apply again if it is sent again.',
    access: ['authority/registry', 'authority/routing'],
    parameters: {
      id: Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    },
    responses: {
      200: {
        description: 'The decisions; none if it is undecided and always was',
        content: { 'application/json': Type.Array(KeptDecision) },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
