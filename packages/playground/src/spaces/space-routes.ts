// The control addresses of spaces, and what a request gets whose space does not exist.
import type { IncomingHttpHeaders } from 'node:http';
import { HttpError, type OwnAddresses, ValidationFailedError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { addControlOperation } from '../control/control-operation.js';
import { describeAccess } from '../control/identity-routes.js';
import { CONTROL_PATH, SPACES_PATH } from '../control-path.js';
import { type PlaygroundSpace, SpaceError } from '../playground.js';
import type { Spaces } from './spaces.js';

const SpaceBody = Type.Object(
  { name: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
type SpaceBody = Static<typeof SpaceBody>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Adds them. */
export function addSpaceRoutes(
  app: FastifyInstance,
  spaces: Spaces,
  addresses: OwnAddresses,
): void {
  const addressOf = ({ name }: PlaygroundSpace, headers: IncomingHttpHeaders) =>
    `${addresses.of(headers)}${SPACES_PATH}/${name}`;

  addControlOperation(app, { method: 'GET', path: '/spaces' }, (_input, _reply, { headers }) => ({
    spaces: spaces.list().map((space) => summarise(space, addressOf(space, headers))),
  }));

  addControlOperation<SpaceBody>(
    app,
    { method: 'POST', path: '/spaces', body: SpaceBody },
    async ({ body: { name } }, reply, { headers }) => {
      const space = await spaces.create(name).catch((error: unknown) => {
        throw error instanceof SpaceError ? toResponse(error) : error;
      });
      reply.code(201).header('Location', `${CONTROL_PATH}/spaces/${space.name}`);
      return describe(space, addressOf(space, headers));
    },
  );

  addControlOperation(
    app,
    { method: 'GET', path: '/spaces/:name' },
    ({ params }, _reply, { headers }) => {
      const space = find(spaces, params);
      return describe(space, addressOf(space, headers));
    },
  );

  addControlOperation(
    app,
    { method: 'DELETE', path: '/spaces/:name' },
    async ({ params }, reply) => {
      await find(spaces, params).close();
      return reply.code(204).send();
    },
  );

  for (const url of [`${SPACES_PATH}/:name`, `${SPACES_PATH}/:name/*`]) {
    app.route<{ Params: { name: string } }>({
      method: METHODS,
      url,
      // Before the body is read.
      onRequest: async ({ params: { name } }) => {
        throw noSpace(spaces, name);
      },
      handler: async () => undefined,
    });
  }
}

function find(spaces: Spaces, { name = '' }: Record<string, string>): PlaygroundSpace {
  const space = spaces.find(name);
  if (space === undefined) throw noSpace(spaces, name);
  return space;
}

function noSpace(spaces: Spaces, name: string): HttpError {
  return new HttpError(404, `There is no space ${name}: ${spaces.explainAbsence()}`);
}

function toResponse({ code, message, rule }: SpaceError): Error {
  if (code === 'TOO_MANY_SPACES') return new HttpError(429, message, { 'Retry-After': '10' });
  return new ValidationFailedError([{ field: 'name', error: rule, code: 'FORMAT' }]);
}

function summarise({ name, createdAt }: PlaygroundSpace, baseUrl: string) {
  return { name, baseUrl, idpUrl: `${baseUrl}/idp`, createdAt: createdAt.toISOString() };
}

/** With what `landfall playground --json` prints of a playground: its credentials have the private keys. */
function describe(space: PlaygroundSpace, baseUrl: string) {
  return { ...summarise(space, baseUrl), ...describeAccess(space.identities, baseUrl) };
}
