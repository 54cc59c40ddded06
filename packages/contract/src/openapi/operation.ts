// One operation as the OpenAPI document says it.
import type { TSchema } from 'typebox';
import { OAuthError, Problem, type ProblemStatus, problems } from '../errors.js';
import type { Operation, OperationAnswer } from '../operations.js';
import { formatScope, scopes as scopeTable } from '../scopes.js';
import type { Json, SchemaComponents } from './schema.js';

/** Headers that a problem comes with, by its status. */
const problemHeaders: Partial<Record<ProblemStatus, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'What is wrong with the token (RFC 6750)' },
  403: { 'WWW-Authenticate': 'The scopes of which one is needed (RFC 6750)' },
  429: { 'Retry-After': 'Seconds until the next request is accepted' },
  503: { 'Retry-After': 'Seconds after which to try again' },
};

/** Headers that a token endpoint's refusal comes with, by its status. */
const oauthHeaders: Record<string, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'The error once more (RFC 9110)' },
  429: { 'Retry-After': 'Seconds until the next request is accepted' },
};

/** What a token endpoint says of a refusal, by its status. */
const oauthRefusals = {
  400: 'Refused',
  401: 'The client is not known or not accepted',
  429: 'Too many requests from one address or by one client',
};

/** Describes one operation, adding the schemas that it needs to the components. */
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
    responses: describeAnswers(operation, components),
  };
}

function describePurpose({ description, access }: Operation, prefix: string): string {
  if (access === 'public' || access === 'any-token') return description;
  const scopes = access.map((name) => `\`${formatScope(name, { prefix })}\``).join(' or ');
  const foreign = access.some((name) => scopeTable[name].foreign);
  return `${description}\n\nScope: ${scopes}${foreign ? ', or its `eu/` form for foreign businesses' : ''}.`;
}

function describeParameters(
  { parameters = {}, query, headers = {} }: Operation,
  components: SchemaComponents,
): Json[] {
  const describe = (name: string, place: string, schema: TSchema): Json => {
    const { description, ...rest } = components.describe(schema);
    const required = place === 'path';
    return {
      name,
      in: place,
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
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
}

function describeAnswers(operation: Operation, components: SchemaComponents): Json {
  const problem = (description: string, headers?: Record<string, string>): Json => ({
    description,
    ...(headers && { headers: describeHeaders(headers) }),
    content: describeContent({ 'application/problem+json': Problem }, components),
  });
  const answers: Json = {};
  for (const [status, answer] of Object.entries(operation.answers)) {
    answers[status] = describeAnswer(answer, components);
  }
  if (operation.oauthErrors) {
    for (const [status, description] of Object.entries(oauthRefusals)) {
      const headers = oauthHeaders[status];
      answers[status] = describeAnswer(
        { description, ...(headers && { headers }), content: { 'application/json': OAuthError } },
        components,
      );
    }
  }
  for (const status of problemsOf(operation)) {
    answers[status] = problem(problems[status].when, problemHeaders[status]);
  }
  answers['4XX'] = problem('Any other problem with the request');
  answers['5XX'] = problem('Any other problem of the service');
  return answers;
}

/**
 * The problems that an operation may answer: its own, and those that follow from what it is. 405 belongs to an address
 * and 500 is never expected, so they are declared for none.
 */
function problemsOf({ access, answers, body, oauthErrors, problems }: Operation): ProblemStatus[] {
  const hasContent = Object.values(answers).some(({ content }) => content !== undefined);
  const statuses = new Set<ProblemStatus>(problems);
  const add = (condition: boolean, ...added: ProblemStatus[]) => {
    if (condition) for (const status of added) statuses.add(status);
  };
  // A query parameter that is not known is refused everywhere, also where none is.
  add(oauthErrors === undefined, 400);
  add(access !== 'public', 401, 429, 503);
  add(Array.isArray(access), 403);
  add(Array.isArray(access) && hasContent, 406);
  // A token endpoint answers what is wrong with its body in OAuth's own form.
  add(oauthErrors === undefined && body !== undefined, 413, 415);
  add(oauthErrors === true, 503);
  return [...statuses].sort((one, other) => one - other);
}

function describeAnswer(
  { description, headers, content }: OperationAnswer,
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
