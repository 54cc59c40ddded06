// Every operation of the service: its one name, its address, who may call it and what goes in and out. One table, and so
// longer than other files: routes, the OpenAPI document, the SDK and the command are made from it.
import { type TSchema, Type } from 'typebox';
import {
  AccessToken,
  AuthorizationServerMetadata,
  CustomsToken,
  ExchangeRequest,
  GrantRequest,
  JsonWebKeySet,
} from './access.js';
import { CodeListImported } from './code-lists/import.js';
import type { ProblemStatus } from './errors.js';
import { Mrn, RequestId } from './identifiers.js';
import { Organisation, OrganisationEntry, OrganisationIdentifier } from './organisation.js';
import { PresentationAccepted, type PresentationPath, presentationLevels } from './presentation.js';
import { RoutingQuery, RoutingSignal } from './routing.js';
import type { ScopeName } from './scopes.js';
import { ValidationStatus, ValidationStatusQuery } from './validation-status.js';

/** One answer other than a problem. */
export type OperationAnswer = {
  description: string;
  /** Schema by media type. */
  content?: Record<string, TSchema>;
  /** Headers with their descriptions. */
  headers?: Record<string, string>;
};

/** One operation of the service. */
export type Operation = {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT';
  /** Below the base address; `{name}` stands for a parameter. */
  path: string;
  tag: 'Presentation' | 'Routing' | 'Access' | 'Authority' | 'Service';
  summary: string;
  description: string;
  /** Any one of these scopes opens it; `'any-token'`: any valid customs token; `'public'`: no token. */
  access: readonly ScopeName[] | 'any-token' | 'public';
  parameters?: Record<string, TSchema>;
  query?: TSchema & { properties: Record<string, TSchema> };
  /** Request headers with their descriptions, beyond those of HTTP itself. */
  headers?: Record<string, string>;
  /** Body schema by media type. */
  body?: Record<string, TSchema>;
  answers: Record<number, OperationAnswer>;
  /** Problems that it may answer; those that any operation may answer are added. */
  problems: readonly ProblemStatus[];
  /** Errors in OAuth's own form instead of problems. */
  oauthErrors?: true;
};

/** What the addresses of the playground's own identity provider begin with. */
export const IDENTITY_PROVIDER_PATH = '/idp';

const presentationBase = '/api/movement/presentation/v1';
const statusPath = `${presentationBase}/validation-status`;

const levelNames = {
  'house-consignment': ['HouseConsignment', 'a house consignment'],
  'master-consignment': ['MasterConsignment', 'all house consignments under a master document'],
  container: ['Container', 'all house consignments in a container'],
  receptacle: ['Receptacle', 'all house consignments in a receptacle'],
  'entry-summary-declaration': [
    'EntrySummaryDeclaration',
    'all house consignments of an entry summary declaration',
  ],
} as const satisfies Record<PresentationPath, readonly [string, string]>;

function presentation<Path extends PresentationPath>(path: Path) {
  const [name, what] = levelNames[path];
  return {
    operationId: `present${name}` as const,
    method: 'POST',
    path: `${presentationBase}/${path}`,
    tag: 'Presentation',
    summary: `Present ${what}`,
    description: `Tells customs that ${what} has arrived. When the answer comes, the presentation is durable, every house consignment under the reference is presented, and the signals already decided are readable. A requestId is spent by the first call that carries it, whatever its outcome.`,
    access: ['movement/entry'],
    body: { 'application/json': presentationLevels[path].body },
    answers: {
      202: {
        description: 'Presented',
        content: { 'application/json': PresentationAccepted },
        headers: { Location: 'Address of the validation status of this request' },
      },
    },
    problems: [400, 413, 415, 503],
  } as const satisfies Operation;
}

const feedHeaders = {
  Prefer:
    '`wait=20` holds an empty answer back up to so many seconds (60 at most) until there is something (RFC 7240)',
  'Last-Event-ID': 'With `text/event-stream`: go on after this id, as `marker` does',
};

function feedAnswer(what: string, item: TSchema): OperationAnswer {
  return {
    description: `${what}, oldest first; empty when there is nothing new`,
    content: {
      'application/json': Type.Array(item),
      'application/x-ndjson': Type.String({ description: 'One JSON object a line' }),
      'text/event-stream': Type.String({
        description: 'One event each as they come, each with its id; a comment every 15 s',
      }),
    },
    headers: { Link: '`rel="next"` when more may follow' },
  };
}

/** The table of operations, by operationId. */
export const operations = {
  presentHouseConsignment: presentation('house-consignment'),
  presentMasterConsignment: presentation('master-consignment'),
  presentContainer: presentation('container'),
  presentReceptacle: presentation('receptacle'),
  presentEntrySummaryDeclaration: presentation('entry-summary-declaration'),

  listValidationStatuses: {
    operationId: 'listValidationStatuses',
    method: 'GET',
    path: statusPath,
    tag: 'Presentation',
    summary: 'Read the status of all requests',
    description:
      "Every presentation request of the caller's organisation, oldest first. The marker is the requestId of the last one read.",
    access: ['movement/entry'],
    query: ValidationStatusQuery,
    headers: feedHeaders,
    answers: { 200: feedAnswer('Statuses', ValidationStatus) },
    problems: [400, 406, 503],
  },

  getValidationStatus: {
    operationId: 'getValidationStatus',
    method: 'GET',
    path: `${statusPath}/{reference}`,
    tag: 'Presentation',
    summary: 'Read the status of one request, or of those that reached an ENS',
    description:
      'With a requestId: the status of that request, 404 until it is known. With an MRN: a list of the requests whose reference reached that ENS, paged as the list of all.',
    access: ['movement/entry'],
    parameters: {
      reference: Type.Union([RequestId, Mrn], { description: 'A requestId, or the MRN of an ENS' }),
    },
    query: Type.Object({
      marker: ValidationStatusQuery.properties.marker,
      limit: ValidationStatusQuery.properties.limit,
    }),
    headers: feedHeaders,
    answers: {
      200: {
        ...feedAnswer('Statuses', ValidationStatus),
        content: {
          ...feedAnswer('Statuses', ValidationStatus).content,
          'application/json': Type.Union([ValidationStatus, Type.Array(ValidationStatus)]),
        },
      },
    },
    problems: [400, 404, 406, 503],
  },

  readRoutingSignals: {
    operationId: 'readRoutingSignals',
    method: 'GET',
    path: '/api/movement/routing/v1/house-consignment',
    tag: 'Routing',
    summary: 'Read routing signals',
    description:
      'The signals that this organisation may read, oldest first, after the marker; without a marker from the beginning. Reading with markers sees every signal exactly once, in one order that never changes.',
    access: ['movement/entry'],
    query: RoutingQuery,
    headers: feedHeaders,
    answers: { 200: feedAnswer('Routing signals', RoutingSignal) },
    problems: [400, 406, 503],
  },

  exchangeToken: {
    operationId: 'exchangeToken',
    method: 'POST',
    path: '/api/access/external/oauth/token',
    tag: 'Access',
    summary: "Exchange the identity provider's token for a customs token",
    description:
      'The second of the two exchanges. Use the customs token for its whole lifetime and exchange for a new one shortly before it ends.',
    access: 'public',
    body: { 'application/x-www-form-urlencoded': ExchangeRequest },
    answers: {
      200: { description: 'A customs token', content: { 'application/json': CustomsToken } },
    },
    problems: [],
    oauthErrors: true,
  },

  getCustomsKeys: {
    operationId: 'getCustomsKeys',
    method: 'GET',
    path: '/api/access/jwks',
    tag: 'Access',
    summary: 'Keys that customs tokens are signed with',
    description: 'Public keys (RFC 7517), also those that are not used yet.',
    access: 'public',
    answers: {
      200: { description: 'Key set', content: { 'application/json': JsonWebKeySet } },
    },
    problems: [],
  },

  testAuth: {
    operationId: 'testAuth',
    method: 'GET',
    path: '/api/movement/road/v2/test-auth',
    tag: 'Access',
    summary: 'Test a customs token',
    description: '200 with any valid customs token, whatever its scope.',
    access: 'any-token',
    answers: {
      200: { description: 'The token is valid', content: { 'text/plain': Type.String() } },
    },
    problems: [],
  },

  requestAccessToken: {
    operationId: 'requestAccessToken',
    method: 'POST',
    path: `${IDENTITY_PROVIDER_PATH}/token`,
    tag: 'Access',
    summary: "Playground: the identity provider's token for a signed grant",
    description:
      'The first of the two exchanges (RFC 7523). In production the identity provider is an external one.',
    access: 'public',
    body: { 'application/x-www-form-urlencoded': GrantRequest },
    answers: {
      200: {
        description: 'An access token, good for an exchange',
        content: { 'application/json': AccessToken },
      },
    },
    problems: [],
    oauthErrors: true,
  },

  getIdentityProviderKeys: {
    operationId: 'getIdentityProviderKeys',
    method: 'GET',
    path: `${IDENTITY_PROVIDER_PATH}/jwks`,
    tag: 'Access',
    summary: "Playground: the identity provider's keys",
    description: "Public keys of the playground's own identity provider.",
    access: 'public',
    answers: {
      200: { description: 'Key set', content: { 'application/json': JsonWebKeySet } },
    },
    problems: [],
  },

  getIdentityProviderMetadata: {
    operationId: 'getIdentityProviderMetadata',
    method: 'GET',
    path: `${IDENTITY_PROVIDER_PATH}/.well-known/oauth-authorization-server`,
    tag: 'Access',
    summary: 'Playground: what the identity provider offers',
    description: 'Authorization server metadata (RFC 8414).',
    access: 'public',
    answers: {
      200: {
        description: 'Metadata',
        content: { 'application/json': AuthorizationServerMetadata },
      },
    },
    problems: [],
  },

  getOrganisation: {
    operationId: 'getOrganisation',
    method: 'GET',
    path: '/api/authority/v1/organisations/{id}',
    tag: 'Authority',
    summary: 'Read an organisation',
    description: 'Its name, what it is granted, its clients and whether it is blocked.',
    access: ['authority/registry'],
    parameters: { id: OrganisationIdentifier },
    answers: {
      200: { description: 'As it stands', content: { 'application/json': Organisation } },
    },
    problems: [404, 503],
  },

  putOrganisation: {
    operationId: 'putOrganisation',
    method: 'PUT',
    path: '/api/authority/v1/organisations/{id}',
    tag: 'Authority',
    summary: 'Put an organisation',
    description:
      'Replaces all that is said of the organisation; the same again changes nothing. Every server goes by it within a minute. Private keys are refused.',
    access: ['authority/registry'],
    parameters: { id: OrganisationIdentifier },
    body: { 'application/json': OrganisationEntry },
    answers: {
      200: { description: 'As it now stands', content: { 'application/json': Organisation } },
    },
    problems: [400, 413, 415, 503],
  },

  importCustomsOffices: {
    operationId: 'importCustomsOffices',
    method: 'PUT',
    path: '/api/authority/v1/code-lists/cl141',
    tag: 'Authority',
    summary: 'Replace the list of customs offices (CL141)',
    description:
      'CSV with a header line `reference_number,name` and optionally `valid_from,valid_to` (dates). The whole list is replaced, or nothing. Every server uses it within a minute.',
    access: ['authority/registry'],
    body: { 'text/csv': Type.String() },
    answers: {
      200: {
        description: 'The list is in force',
        content: { 'application/json': CodeListImported },
      },
    },
    problems: [400, 413, 415, 503],
  },

  getLiveness: {
    operationId: 'getLiveness',
    method: 'GET',
    path: '/livez',
    tag: 'Service',
    summary: 'Is the process alive',
    description: 'Answers without touching the database.',
    access: 'public',
    answers: { 200: { description: 'Alive', content: { 'text/plain': Type.String() } } },
    problems: [],
  },

  getReadiness: {
    operationId: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Can the service take requests',
    description: 'Checks that the database answers.',
    access: 'public',
    answers: { 200: { description: 'Ready', content: { 'text/plain': Type.String() } } },
    problems: [503],
  },

  getMetrics: {
    operationId: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'Service',
    summary: 'Metrics',
    description: 'Prometheus text format.',
    access: 'public',
    answers: {
      200: { description: 'Metrics', content: { 'text/plain': Type.String() } },
    },
    problems: [],
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation. */
export type OperationId = keyof typeof operations;
