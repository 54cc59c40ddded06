// The OpenAPI 3.1 document, made from the table of operations and the schemas.
import { IDENTITY_PROVIDER_PATH } from '../access.js';
import { keysOf } from '../keys-of.js';
import type { Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';
import { type Json, SchemaComponents } from '../schema-components.js';
import { DEFAULT_SCOPE_PREFIX, formatScope, scopes } from '../scopes.js';
import { describeOperation } from './operation.js';
import { describeWebhooks } from './webhooks.js';

const tags: Record<Operation['tag'], string> = {
  Presentation: 'Report to customs that goods have arrived, and read the outcome',
  Routing: 'Whether a consignment goes to control or to entry',
  Movement: 'Lodge transports, master and house consignments, and read what became of them',
  'Goods items': 'The stream of declaration data, one goods item per event',
  Push: 'Subscribe to feeds, which are sent to an address of yours',
  Documents: 'Upload documents of customs declarations',
  Access: 'The two exchanges that return a customs token',
  Authority: 'Operations for the customs authority',
  Service: 'Health and metrics of the service',
};

/** The server of a document that is not made for one server. */
const anyServer = {
  url: '{baseUrl}',
  description: 'A server of Landfall; the default is the playground',
  variables: {
    baseUrl: { default: 'http://localhost:8080', description: 'Base address of the service' },
  },
};

/**
 * Makes the OpenAPI document.
 *
 * @param options `version`: the version of the document; `serverUrl`: the base address without a slash at the end
 *   (default: a variable); `scopePrefix`: the prefix of scopes (default `customs:`); `identityProvider`: whether the
 *   server has its own identity provider (default true)
 * @example
 * const document = makeOpenApiDocument({ version: '1.0.0', serverUrl: 'https://customs.example' });
 * document.openapi; // '3.1.0'
 */
export function makeOpenApiDocument({
  version,
  serverUrl,
  scopePrefix = DEFAULT_SCOPE_PREFIX,
  identityProvider = true,
}: {
  version: string;
  serverUrl?: string;
  scopePrefix?: string;
  identityProvider?: boolean;
}): Json {
  const components = new SchemaComponents();
  const table: Operation[] = Object.values(operations).filter(
    ({ path }) => identityProvider || !path.startsWith(`${IDENTITY_PROVIDER_PATH}/`),
  );
  const paths: Record<string, Json> = {};
  for (const operation of table) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, components, scopePrefix),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Landfall',
      version,
      summary: 'Presentation, routing and access for goods arriving in a country',
      description:
        'Present goods when they arrive, read whether they go to control or to entry, follow the stream of declared goods items, upload documents, and get the required tokens.',
      contact: { name: 'Landfall maintainers' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [serverUrl === undefined ? anyServer : { url: serverUrl, description: 'This server' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(components),
    components: {
      securitySchemes: {
        customsToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: describeToken(scopePrefix),
        },
      },
      schemas: components.all(),
    },
  };
}

function describeToken(prefix: string): string {
  const list = keysOf(scopes).map(
    (name) => `- \`${formatScope(name, { prefix })}\`: ${scopes[name].api}`,
  );
  return `A customs token. The scopes:\n\n${list.join('\n')}`;
}
