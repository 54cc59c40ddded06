// Describes one operation in the OpenAPI document.
import type { TSchema } from 'typebox';
import { OAuthError, Problem, type ProblemStatus, problems } from '../errors.js';
import type { Operation, OperationResponse } from '../operations/operation.js';
import type { Json, SchemaComponents } from '../schema-components.js';
import { formatScope, scopes as scopeTable } from '../scopes.js';

/** Headers of a problem, by its status. */
const problemHeaders: Partial<Record<ProblemStatus, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'Why the token was refused (RFC 6750)' },
  403: { 'WWW-Authenticate': 'The scopes of which one is required (RFC 6750)' },
  429: { 'Retry-After': 'Seconds until the next request is accepted' },
  503: { 'Retry-After': 'Seconds until the request should be sent again' },
};

/** Headers of an error of a token endpoint, by its status. */
const oauthHeaders: Record<string, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'The same error (RFC 9110)' },
  429: { 'Retry-After': 'Seconds until the next request is accepted' },
};

/** Descriptions of the errors of a token endpoint, by their status. */
const oauthRefusals = {
  400: 'Refused',
  401: 'The client is unknown or not accepted',
  429: 'Too many requests from one address or by one client',
};

/** Describes one operation, and adds its named schemas to the components. */
export function describeOperation(
  operation: Operation,
  components: SchemaComponents,
  scopePrefix: string,
): Json {
  const { operationId, tag, summary, body, access } = operation;
  const parameters = describeParameters(operation, components);
  return {
    operationId,
    tags: [tag],
    summary,
    description: describePurpose(operation, scopePrefix),
    security: access === 'public' ? [] : [{ customsToken: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: describeContent(body, components) } }),
    responses: describeResponses(operation, components),
  };
}

function describePurpose({ description, access, scopeOfMode }: Operation, prefix: string): string {
  if (access === 'public' || access === 'any-token') return description;
  const scopes = access.map((name) => `\`${formatScope(name, { prefix })}\``).join(' or ');
  const foreign = access.some((name) => scopeTable[name].foreign);
  const which = scopeOfMode ? ', that of the mode' : '';
  return `${description}\n\nScope: ${scopes}${which}${foreign ? ', or its `eu/` form for foreign businesses' : ''}.`;
}

function describeParameters(
  { parameters = {}, query, headers = {}, requiresIfMatch }: Operation,
  components: SchemaComponents,
): Json[] {
  const describe = (name: string, location: 'path' | 'query', schema: TSchema): Json => {
    const { description: _, ...rest } = components.describe(schema);
    const description = 'description' in schema ? schema.description : undefined;
    // The cast is true because a query is an object.
    const requiredInQuery = (query as { required?: readonly string[] } | undefined)?.required ?? [];
    const required = location === 'path' || requiredInQuery.includes(name);
    return {
      name,
      in: location,
      required,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  };
  return [
    ...Object.entries(parameters).map(([name, schema]) => describe(name, 'path', schema)),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) =>
      describe(name, 'query', schema),
    ),
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: requiresIfMatch === true && name === 'If-Match',
      description,
      schema: { type: 'string' },
    })),
  ];
}

function describeResponses(operation: Operation, components: SchemaComponents): Json {
  const problem = (description: string, headers?: Record<string, string>): Json => ({
    description,
    ...(headers && { headers: describeHeaders(headers) }),
    content: describeContent({ 'application/problem+json': Problem }, components),
  });
  const responses: Json = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    responses[status] = describeResponse(response, components);
  }
  if (operation.oauthErrors) {
    for (const [status, description] of Object.entries(oauthRefusals)) {
      const headers = oauthHeaders[status];
      responses[status] = describeResponse(
        { description, ...(headers && { headers }), content: { 'application/json': OAuthError } },
        components,
      );
    }
  }
  for (const status of problemsOf(operation)) {
    responses[status] = problem(problems[status].when, problemHeaders[status]);
  }
  responses['4XX'] = problem('Any other problem with the request');
  responses['5XX'] = problem('Any other problem of the service');
  return responses;
}

/**
 * The problems of an operation: its own, and those that follow from its definition. 405 belongs to an address and 500 is
 * never expected, so no operation declares them.
 */
function problemsOf({
  access,
  responses,
  body,
  oauthErrors,
  problems,
  requiresIfMatch,
}: Operation): ProblemStatus[] {
  const hasContent = Object.values(responses).some(({ content }) => content !== undefined);
  const statuses = new Set<ProblemStatus>(problems);
  const add = (condition: boolean, ...added: ProblemStatus[]) => {
    if (condition) for (const status of added) statuses.add(status);
  };
  add(requiresIfMatch === true, 412, 428);
  // Every operation refuses unknown query parameters, even if it has no parameters.
  add(oauthErrors === undefined, 400);
  add(access !== 'public', 401, 429, 503);
  add(Array.isArray(access), 403);
  add(Array.isArray(access) && hasContent, 406);
  // A token endpoint reports an invalid body in the form of OAuth.
  add(oauthErrors === undefined && body !== undefined, 413, 415);
  add(oauthErrors === true, 503);
  return [...statuses].sort((one, other) => one - other);
}

function describeResponse(
  { description, headers, content }: OperationResponse,
  components: SchemaComponents,
): Json {
  return {
    description,
    ...(headers && { headers: describeHeaders(headers) }),
    ...(content && { content: describeContent(content, components) }),
  };
}

function describeHeaders(headers: Record<string, string>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

function describeContent(content: Record<string, TSchema>, components: SchemaComponents): Json {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [
      mediaType,
      { schema: components.describe(schema) },
    ]),
  );
}
