// The OpenAPI 3.1 document, made from the table of operations and the schemas.
import type { TSchema } from 'typebox';
import { OAuthError, Problem, type ProblemStatus, problems } from './errors.js';
import { type Operation, type OperationAnswer, operations } from './operations.js';
import { DEFAULT_SCOPE_PREFIX, formatScope, scopes } from './scopes.js';

type Json = Record<string, unknown>;

const tags: Record<Operation['tag'], string> = {
  Presentation: 'Tell customs that goods have arrived, and read what became of it',
  Routing: 'Whether a consignment goes to control or to entry',
  Access: 'The two exchanges that end in a customs token',
  Authority: "The customs authority's own side",
  Service: 'Health of the service',
};

/** Problems that any operation with a token may answer. */
const tokenProblems: readonly ProblemStatus[] = [401, 403, 429];

/**
 * Makes the OpenAPI document.
 *
 * @param options `serverUrl`: the base address to name; `version`: the version of the document; `scopePrefix`
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
  const components = new Map<string, Json>();
  const schema = (source: TSchema) => refer(source, components);
  const paths: Record<string, Json> = {};
  for (const operation of Object.values(operations) as Operation[]) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, schema, scopePrefix),
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
    servers: [{ url: serverUrl, description: 'This server' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        customsToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `A customs token. Scopes: ${Object.entries(scopes)
            .map(
              ([name, { api }]) =>
                `\`${formatScope(name as keyof typeof scopes, { prefix: scopePrefix })}\` (${api})`,
            )
            .join(', ')}.`,
        },
      },
      schemas: Object.fromEntries(components),
    },
  };
}

function describeOperation(
  operation: Operation,
  schema: (source: TSchema) => Json,
  scopePrefix: string,
): Json {
  const withToken = operation.access !== 'public';
  const access = Array.isArray(operation.access) ? (operation.access as string[]) : [];
  const scopeTexts = access.map((name) =>
    formatScope(name as keyof typeof scopes, { prefix: scopePrefix }),
  );
  const parameters = describeParameters(operation, schema);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description:
      scopeTexts.length === 0
        ? operation.description
        : `${operation.description}\n\nScope: ${scopeTexts.map((text) => `\`${text}\``).join(' or ')}, or its \`eu/\` form for foreign businesses.`,
    security: withToken ? [{ customsToken: [] }] : [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined
      ? {}
      : { requestBody: { required: true, content: describeContent(operation.body, schema) } }),
    responses: describeAnswers(operation, schema, withToken),
  };
}

function describeParameters(operation: Operation, schema: (source: TSchema) => Json): Json[] {
  const describe = (name: string, place: string, source: TSchema, required: boolean): Json => {
    const { description, ...rest } = schema(source);
    return { name, in: place, required, ...(description ? { description } : {}), schema: rest };
  };
  return [
    ...Object.entries(operation.parameters ?? {}).map(([name, source]) =>
      describe(name, 'path', source, true),
    ),
    ...Object.entries(operation.query?.properties ?? {}).map(([name, source]) =>
      describe(name, 'query', source, false),
    ),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
}

function describeAnswers(
  operation: Operation,
  schema: (source: TSchema) => Json,
  withToken: boolean,
): Json {
  const answers: Json = {};
  for (const [status, answer] of Object.entries(operation.answers)) {
    answers[status] = describeAnswer(answer, schema);
  }
  if (operation.oauthErrors) {
    for (const [status, description] of [
      [400, 'Refused'],
      [401, 'The client is not known or not accepted'],
    ] as const) {
      answers[status] = {
        description,
        content: { 'application/json': { schema: schema(OAuthError) } },
      };
    }
  }
  const statuses = [...operation.problems, ...(withToken ? tokenProblems : [])];
  for (const status of [...new Set(statuses)].sort((one, other) => one - other)) {
    answers[status] = {
      description: problems[status].when,
      content: { 'application/problem+json': { schema: schema(Problem) } },
    };
  }
  answers['4XX'] = {
    description: 'Any other problem with the request',
    content: { 'application/problem+json': { schema: schema(Problem) } },
  };
  return answers;
}

function describeAnswer(answer: OperationAnswer, schema: (source: TSchema) => Json): Json {
  return {
    description: answer.description,
    ...(answer.headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' } },
            ]),
          ),
        }),
    ...(answer.content === undefined ? {} : { content: describeContent(answer.content, schema) }),
  };
}

function describeContent(
  content: Record<string, TSchema>,
  schema: (source: TSchema) => Json,
): Json {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, source]) => [mediaType, { schema: schema(source) }]),
  );
}

/** A schema as the document says it: those with an `$id` become components and are referred to. */
function refer(source: TSchema, components: Map<string, Json>): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    if ('$id' in value && typeof value.$id === 'string') {
      const { $id: name, ...rest } = value;
      if (!components.has(name)) {
        components.set(name, {});
        components.set(name, walk(rest) as Json);
      }
      return { $ref: `#/components/schemas/${name}` };
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]));
  };
  // The cast is true because a schema is an object, and walking an object gives an object.
  return walk(source) as Json;
}
