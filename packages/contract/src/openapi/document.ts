// The OpenAPI 3.1 document, made from the table of operations and the schemas.
import { keysOf } from '../keys-of.js';
import { type Operation, operations } from '../operations.js';
import { DEFAULT_SCOPE_PREFIX, formatScope, scopes } from '../scopes.js';
import { describeOperation } from './operation.js';
import { type Json, SchemaComponents } from './schema.js';

const tags: Record<Operation['tag'], string> = {
  Presentation: 'Tell customs that goods have arrived, and read what became of it',
  Routing: 'Whether a consignment goes to control or to entry',
  Access: 'The two exchanges that end in a customs token',
  Authority: "The customs authority's own side",
  Service: 'Health of the service',
};

/**
 * Makes the OpenAPI document.
 *
 * @param options `serverUrl`: the base address to name, without a slash at the end; `version`: the version of
 *   the document; `scopePrefix`: what scopes begin with (default `customs:`)
 * @example
 * const document = makeOpenApiDocument({ serverUrl: 'http://localhost:8080', version: '1.0.0' });
 * document.openapi; // '3.1.0'
 */
export function makeOpenApiDocument({
  serverUrl,
  version,
  scopePrefix = DEFAULT_SCOPE_PREFIX,
}: {
  serverUrl: string;
  version: string;
  scopePrefix?: string;
}): Json {
  const components = new SchemaComponents();
  const table: Operation[] = Object.values(operations);
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
        'Present goods when they arrive, read whether they go to control or to entry, and get the tokens for it.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'The server that this document comes from',
        variables: { baseUrl: { default: serverUrl, description: 'Base address of the service' } },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
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
