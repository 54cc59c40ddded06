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
import {
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  EntrySummaryDeclarationResult,
  HouseConsignmentLine,
  RegistrationResult,
} from './entry-summary-declaration.js';
import type { ProblemStatus } from './errors.js';
import { GoodsItemMessage } from './goods-items/message.js';
import {
  ATOMIC_PUBLISH_BYTES,
  ATOMIC_PUBLISH_LIMIT,
  CurrentGoodsItemsQuery,
  GoodsItemsPublished,
  GoodsItemsQuery,
} from './goods-items/stream.js';
import {
  HouseConsignment,
  HouseConsignmentEvent,
  HouseConsignmentQuery,
} from './house-consignment.js';
import { Mrn, RequestId } from './identifiers.js';
import { Organisation, OrganisationEntry, OrganisationIdentifier } from './organisation.js';
import { PresentationAccepted, type PresentationPath, presentationLevels } from './presentation.js';
import { RoutingQuery, RoutingSignal } from './routing.js';
import {
  DECISIONS_OF_AN_ARRAY,
  RoutingDecision,
  RoutingDecisionResult,
} from './routing-decision.js';
import {
  AppliedRoutingProfile,
  ApplyQuery,
  DryRun,
  DryRunRequest,
  LiveRoutingProfile,
  ProfileName,
  RoutingProfile,
  StoredRoutingProfile,
} from './routing-profile.js';
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
  method: 'DELETE' | 'GET' | 'POST' | 'PUT';
  /** Below the base address; `{name}` stands for a parameter. */
  path: string;
  tag: 'Presentation' | 'Routing' | 'Goods items' | 'Access' | 'Authority' | 'Service';
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
  /** Largest body, in bytes, where it is not the default; of NDJSON, which is read line by line, there is none. */
  maxBodyBytes?: number;
  answers: Record<number, OperationAnswer>;
  /** Problems of its own; those that follow from its access, query, body and media types are added (`problemsOf`). */
  problems: readonly ProblemStatus[];
  /** Errors in OAuth's own form instead of problems. */
  oauthErrors?: true;
};

/** The largest body of an operation that names no other, in bytes. */
export const DEFAULT_MAX_BODY_BYTES = 64 * 1024;

const KIB = 1024;

/** A body of JSON that is read at once: to parse the worst of this size takes some 20 ms. */
const LARGEST_JSON = 512 * KIB;

/** What the addresses of the playground's own identity provider begin with. */
export const IDENTITY_PROVIDER_PATH = '/idp';

const presentationBase = '/api/movement/presentation/v1';
const statusPath = `${presentationBase}/validation-status`;
const goodsItemsPath = '/api/declaration/feed/v1/goods-items';

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
    description: `Tells customs that ${what} has arrived. When the answer comes, the presentation is durable, every house consignment under the reference is presented, and the signals already decided are readable. What is added later is not presented by that: present it by itself, or present the reference again with a new requestId. A requestId is spent by the first call that carries it, whatever its outcome.`,
    access: ['movement/entry'],
    body: { 'application/json': presentationLevels[path].body },
    answers: {
      202: {
        description: 'Presented',
        content: { 'application/json': PresentationAccepted },
        headers: { Location: 'Address of the validation status of this request' },
      },
    },
    problems: [],
  } as const satisfies Operation;
}

const profilesPath = '/api/authority/v1/routing-profiles';
const livePath = '/api/authority/v1/live-routing-profile';

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

/** A body of JSON lines: a text to whoever checks it whole, and what stands in each line for whoever reads about it. */
function lines(description: string, line: TSchema): Record<string, TSchema> {
  const mediaType = 'application/x-ndjson';
  return {
    [mediaType]: Type.String({ description, contentMediaType: mediaType, contentSchema: line }),
  };
}

const declarationsPath = '/api/authority/v1/entry-summary-declarations';

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
    problems: [],
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
    problems: [404],
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
    problems: [],
  },

  publishGoodsItems: {
    operationId: 'publishGoodsItems',
    method: 'POST',
    path: goodsItemsPath,
    tag: 'Goods items',
    summary: 'Publish goods-item messages',
    description: `One message, an array, or NDJSON of any length. Up to ${ATOMIC_PUBLISH_LIMIT} messages of ${ATOMIC_PUBLISH_BYTES} bytes together are published all or none; a larger NDJSON upload commits in blocks, in order, and a problem states in \`published\` how many messages are stored. A message whose eventId was published before with the same content is a duplicate and is not stored again: an upload may be resubmitted as a whole. Each error names the \`index\` of the message, its \`eventId\` and the member.`,
    access: ['declaration.publish'],
    body: {
      'application/json': Type.Union([
        GoodsItemMessage,
        Type.Array(GoodsItemMessage, { minItems: 1, maxItems: ATOMIC_PUBLISH_LIMIT }),
      ]),
      'application/x-ndjson': Type.String({
        description: 'One message a line; lines come out of the stream byte for byte',
      }),
    },
    maxBodyBytes: 64 * KIB * KIB,
    answers: {
      202: {
        description: 'Published and durable',
        content: { 'application/json': GoodsItemsPublished },
      },
    },
    problems: [],
  },

  listGoodsItems: {
    operationId: 'listGoodsItems',
    method: 'GET',
    path: goodsItemsPath,
    tag: 'Goods items',
    summary: 'Read the stream of goods-item messages',
    description:
      'Every message, in the order in which they apply, after the marker; without a marker from the oldest that is kept. The marker is the eventId of the last message read. Reading with markers sees every message exactly once. A marker that is older than what is kept is refused with `MARKER_EXPIRED`: start again from the current goods items.',
    access: ['declaration.feed'],
    query: GoodsItemsQuery,
    headers: feedHeaders,
    answers: { 200: feedAnswer('Goods-item messages', GoodsItemMessage) },
    problems: [],
  },

  listCurrentGoodsItems: {
    operationId: 'listCurrentGoodsItems',
    method: 'GET',
    path: `${goodsItemsPath}/current`,
    tag: 'Goods items',
    summary: 'Read the current goods items',
    description:
      'The goods items after all additions and removals, each as the message that added it: those of one declaration, or all of them as the start for a new reader. Read every page, then the stream after the marker in `Landfall-Marker`. The result is the same as reading the stream from its beginning, even when messages are published meanwhile. An item that changes meanwhile may be read twice; the later one applies.',
    access: ['declaration.feed'],
    query: CurrentGoodsItemsQuery,
    answers: {
      200: {
        description: 'Current goods items; empty when there are none',
        content: {
          'application/json': Type.Array(GoodsItemMessage),
          'application/x-ndjson': Type.String({ description: 'One message a line' }),
        },
        headers: {
          Link: '`rel="next"` when more may follow',
          'Landfall-Marker':
            'The eventId after which to continue in the stream; the same on every page, and absent while nothing has been published',
        },
      },
    },
    problems: [],
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
    problems: [404],
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
    problems: [],
  },

  putEntrySummaryDeclaration: {
    operationId: 'putEntrySummaryDeclaration',
    method: 'PUT',
    path: `${declarationsPath}/{mrn}`,
    tag: 'Authority',
    summary: 'Register an entry summary declaration, or change it',
    description:
      'Replaces the whole declaration as far as it is not presented; the same again changes nothing. What would change or remove a presented house consignment, or change anything of a declaration of which one is presented, is refused as a whole. Organisations that are not known yet become known. House consignments that are added after the declaration was presented are not presented by that; they are shown with `addedAfterPresentation` until somebody presents them.',
    access: ['authority/registry'],
    parameters: { mrn: Mrn },
    body: { 'application/json': EntrySummaryDeclarationEntry },
    maxBodyBytes: LARGEST_JSON,
    answers: {
      200: {
        description: 'It stood; the body says what changed',
        content: { 'application/json': EntrySummaryDeclarationResult },
      },
      201: {
        description: 'It is registered',
        content: { 'application/json': EntrySummaryDeclarationResult },
      },
    },
    problems: [],
  },

  getEntrySummaryDeclaration: {
    operationId: 'getEntrySummaryDeclaration',
    method: 'GET',
    path: `${declarationsPath}/{mrn}`,
    tag: 'Authority',
    summary: 'Read an entry summary declaration',
    description:
      'As it was registered last, in the form of `PUT`. Putting it again changes nothing; one with more than 2,000 house consignments is registered again line by line. `routing` is what the registration says; decisions made since are told elsewhere.',
    access: ['authority/registry'],
    parameters: { mrn: Mrn },
    answers: {
      200: {
        description: 'As it stands',
        content: { 'application/json': EntrySummaryDeclaration },
      },
    },
    problems: [404],
  },

  deleteEntrySummaryDeclaration: {
    operationId: 'deleteEntrySummaryDeclaration',
    method: 'DELETE',
    path: `${declarationsPath}/{mrn}`,
    tag: 'Authority',
    summary: 'Withdraw an entry summary declaration',
    description:
      'With all its house consignments. Refused when one of them is presented: what is presented is never deleted.',
    access: ['authority/registry'],
    parameters: { mrn: Mrn },
    answers: {
      200: {
        description: 'It is withdrawn',
        content: { 'application/json': EntrySummaryDeclarationResult },
      },
    },
    problems: [404],
  },

  postEntrySummaryDeclarations: {
    operationId: 'postEntrySummaryDeclarations',
    method: 'POST',
    path: declarationsPath,
    tag: 'Authority',
    summary: 'Register very many',
    description:
      'One declaration or one house consignment a line, as many as there are, streamed: results come while lines are still sent, one a line, in order. A line that breaks a rule is refused by itself. When the connection is lost, send the same again: what stands is found unchanged.',
    access: ['authority/registry'],
    body: lines(
      'One JSON object a line, each at most 512 KiB',
      Type.Union([EntrySummaryDeclaration, HouseConsignmentLine]),
    ),
    answers: {
      200: {
        description: 'What has become of each line',
        content: lines('One result a line, in the order of the request', RegistrationResult),
      },
    },
    problems: [],
  },

  findHouseConsignments: {
    operationId: 'findHouseConsignments',
    method: 'GET',
    path: '/api/authority/v1/house-consignments',
    tag: 'Authority',
    summary: 'Find house consignments',
    description:
      'Those that all given members of the query fit, in the order in which they were pre-notified. A page may hold fewer than `limit`, or none, though more follow: `Link` says so, because a search that no document, receptacle, container or ENS narrows down looks at so many at a time.',
    access: ['authority/registry', 'authority/routing'],
    query: HouseConsignmentQuery,
    answers: {
      200: {
        description: 'House consignments as they stand',
        content: { 'application/json': Type.Array(HouseConsignment) },
        headers: { Link: '`rel="next"` when more may follow' },
      },
    },
    problems: [],
  },

  getHouseConsignmentHistory: {
    operationId: 'getHouseConsignmentHistory',
    method: 'GET',
    path: '/api/authority/v1/house-consignments/{id}/history',
    tag: 'Authority',
    summary: 'Read what happened to a house consignment',
    description:
      'Pre-notified, changed, decided, presented, signalled to whom, and read by whom for the first time; oldest first. It goes on to be known after the house consignment was withdrawn.',
    access: ['authority/registry', 'authority/routing'],
    parameters: { id: Type.String({ format: 'uuid', description: 'The id that it is found by' }) },
    answers: {
      200: {
        description: 'What happened',
        content: { 'application/json': Type.Array(HouseConsignmentEvent) },
      },
    },
    problems: [404],
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
    maxBodyBytes: KIB * KIB,
    answers: {
      200: {
        description: 'The list is in force',
        content: { 'application/json': CodeListImported },
      },
    },
    problems: [],
  },

  postRoutingDecisions: {
    operationId: 'postRoutingDecisions',
    method: 'POST',
    path: '/api/authority/v1/routing-decisions',
    tag: 'Authority',
    summary: 'Decide on house consignments',
    description: `Decides on house consignments, before or after they are presented: a signal goes to every organisation connected to the consignment when it is both presented and decided, and again when the decision changes. The same decision again issues none. A JSON array of at most ${DECISIONS_OF_AN_ARRAY} decisions, or NDJSON of any length, one decision a line, which is worked through as it comes: read the answer while sending. Decisions for one consignment apply in their order.\n\nEach decision has a result of its own, in order. What is not pre-notified, what stands under more than one ENS without an \`mrn\`, and what breaks a rule is \`REFUSED\` by line; the others of the request stand. By the time a result comes, it is durable and the signals are readable. An answer that breaks off may be made good by sending all of it again.`,
    access: ['authority/routing'],
    body: {
      'application/json': Type.Array(RoutingDecision, {
        minItems: 1,
        maxItems: DECISIONS_OF_AN_ARRAY,
      }),
      'application/x-ndjson': Type.String({ description: 'One decision a line' }),
    },
    maxBodyBytes: LARGEST_JSON,
    answers: {
      200: {
        description:
          'What became of each decision, in order; in the form of the body unless Accept asks for the other',
        content: {
          'application/json': Type.Array(RoutingDecisionResult),
          'application/x-ndjson': Type.String({ description: 'One result a line' }),
        },
      },
    },
    problems: [],
  },

  listRoutingProfiles: {
    operationId: 'listRoutingProfiles',
    method: 'GET',
    path: profilesPath,
    tag: 'Authority',
    summary: 'List routing profiles',
    description: 'Every version of every profile, by name and version.',
    access: ['authority/routing'],
    answers: {
      200: {
        description: 'All versions',
        content: { 'application/json': Type.Array(StoredRoutingProfile) },
      },
    },
    problems: [],
  },

  putRoutingProfile: {
    operationId: 'putRoutingProfile',
    method: 'PUT',
    path: `${profilesPath}/{name}`,
    tag: 'Authority',
    summary: 'Put a routing profile',
    description:
      'Keeps a new version of the profile; it decides nothing until it is made the live one. What the latest version says already makes no new one. Unlike elsewhere, members that are not known are errors: a condition that is misspelt would be none. Each error names the rule by its place, from 0.',
    access: ['authority/routing'],
    parameters: { name: ProfileName },
    body: { 'application/json': RoutingProfile },
    answers: {
      200: {
        description: 'The latest version',
        content: { 'application/json': StoredRoutingProfile },
      },
    },
    problems: [],
  },

  dryRunRoutingProfile: {
    operationId: 'dryRunRoutingProfile',
    method: 'POST',
    path: `${profilesPath}/{name}/dry-run`,
    tag: 'Authority',
    summary: 'Try a routing profile against stored data',
    description:
      'Tells what a version would decide of the house consignments that were pre-notified last, beside what stands. It decides nothing.',
    access: ['authority/routing'],
    parameters: { name: ProfileName },
    body: { 'application/json': DryRunRequest },
    answers: {
      200: {
        description: 'What it would decide',
        content: { 'application/json': DryRun },
      },
    },
    problems: [404],
  },

  activateRoutingProfile: {
    operationId: 'activateRoutingProfile',
    method: 'PUT',
    path: livePath,
    tag: 'Authority',
    summary: 'Make a version of a routing profile the live one',
    description:
      'From now on it decides for each house consignment that is pre-notified without a decision. Only one version is live. What is undecided already stays so until the live profile is applied.',
    access: ['authority/routing'],
    body: { 'application/json': LiveRoutingProfile },
    answers: {
      200: { description: 'It is live', content: { 'application/json': StoredRoutingProfile } },
    },
    problems: [404],
  },

  deactivateRoutingProfile: {
    operationId: 'deactivateRoutingProfile',
    method: 'DELETE',
    path: livePath,
    tag: 'Authority',
    summary: 'Have no live routing profile',
    description: 'What it has decided stands. Where no profile is live, nothing is done.',
    access: ['authority/routing'],
    answers: { 204: { description: 'None is live' } },
    problems: [],
  },

  applyRoutingProfile: {
    operationId: 'applyRoutingProfile',
    method: 'POST',
    path: `${livePath}/apply`,
    tag: 'Authority',
    summary: 'Have the live routing profile decide what is undecided',
    description:
      'Decides house consignments that were pre-notified without a decision before the profile was live, presented or not, in the order of their ids. Where the answer has a marker, call again with it.',
    access: ['authority/routing'],
    query: ApplyQuery,
    answers: {
      200: {
        description: 'What it has come to',
        content: { 'application/json': AppliedRoutingProfile },
      },
    },
    problems: [404],
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
    description:
      "Prometheus text format. Depending on the server's configuration, metrics require a bearer token of their own, or are not served here.",
    access: 'public',
    answers: {
      200: { description: 'Metrics', content: { 'text/plain': Type.String() } },
    },
    problems: [401, 404],
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation. */
export type OperationId = keyof typeof operations;
