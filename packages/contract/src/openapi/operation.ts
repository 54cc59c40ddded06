// One operation as the OpenAPI document says it.
import type { TSchema } from 'typebox';
import { OAuthError, Problem, type ProblemStatus, problems } from '../errors.js';
import type { Operation, OperationAnswer } from '../operations.js';
import { formatScope, scopes as scopeTable } from '../scopes.js';
import type { Json, SchemaComponents } from './schema.js';

/** Problems that any operation with a token may answer. */
const tokenProblems: readonly ProblemStatus[] = [401, 403, 429];

/** What a token endpoint says of a refusal, by its status. */
const oauthRefusals = { 400: 'Refused', 401: 'The client is not known or not accepted' };

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
  const problem = (description: string): Json => ({
    description,
    content: describeContent({ 'application/problem+json': Problem }, components),
  });
  const answers: Json = {};
  for (const [status, answer] of Object.entries(operation.answers)) {
    answers[status] = describeAnswer(answer, components);
  }
  if (operation.oauthErrors) {
    for (const [status, description] of Object.entries(oauthRefusals)) {
      answers[status] = {
        description,
        content: describeContent({ 'application/json': OAuthError }, components),
      };
    }
  }
  const withToken = operation.access === 'public' ? [] : tokenProblems;
  for (const status of [...operation.problems, ...withToken]) {
    answers[status] = problem(problems[status].when);
  }
  answers['4XX'] = problem('Any other problem with the request');
  answers['5XX'] = problem('Any other problem of the service');
  return answers;
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
