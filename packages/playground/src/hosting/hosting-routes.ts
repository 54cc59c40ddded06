// The addresses of a hosted playground: sign-up, opening a space with its access code, what its owner sees and does, and
// what the operator does.
import { addressKey, HttpError, type OwnAddresses } from '@landfall/service/assembly';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { ControlAccess } from '../control/control-access.js';
import { addControlOperation } from '../control/control-operation.js';
import { describeAccess } from '../control/identity-routes.js';
import { SPACES_PATH } from '../control-path.js';
import { HOSTING_PATH } from './find-target.js';
import type { HostedSpaces } from './hosted-spaces.js';
import { OWN_IDENTITY } from './own-identity.js';
import { writeSpaceCookie } from './space-cookie.js';

const SignUpBody = Type.Object(
  {
    organisation: Type.String({
      minLength: 1,
      maxLength: 60,
      // Letters, digits and the punctuation of names, each part with something that is seen.
      pattern: "^[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}.,&()'’/+ -]*$",
      description:
        "letters, digits, blanks and . , & ( ) ' / + -, at most 60; it begins with a letter or a digit",
    }),
  },
  { additionalProperties: false },
);
type SignUpBody = Static<typeof SignUpBody>;

const SessionBody = Type.Object(
  { accessCode: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
);
type SessionBody = Static<typeof SessionBody>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Adds them. */
export function addHostingRoutes(
  app: FastifyInstance,
  hosted: HostedSpaces,
  addresses: OwnAddresses,
  operatorAccess: ControlAccess,
): void {
  /** Everybody, but no page of another site: it could sign a browser in to a space of its own. */
  const anyone = {
    admit: ({ headers }: FastifyRequest) => operatorAccess.refuseOtherPages(headers),
  };
  const open = (reply: FastifyReply, code: string, headers: FastifyRequest['headers']) =>
    reply.header('Set-Cookie', writeSpaceCookie(code, hosted.isSecure(headers)));
  const addressOf = (name: string, headers: FastifyRequest['headers']) =>
    `${addresses.of(headers)}${SPACES_PATH}/${name}`;
  const describe = (name: string, headers: FastifyRequest['headers']) => {
    const baseUrl = addressOf(name, headers);
    return { ...hosted.describe(name), baseUrl, idpUrl: `${baseUrl}/idp`, ...limits() };
  };
  const limits = () => ({ limits: hosted.describeLimits() });
  const requireOwn = (request: FastifyRequest): string => {
    const name = hosted.findOwn(request);
    if (name !== undefined) return name;
    throw new HttpError(
      401,
      'This needs the access code of a space, as Authorization: Bearer <access code>, or by signing in at /console/',
      { 'WWW-Authenticate': 'Bearer realm="space"' },
    );
  };

  addControlOperation(app, { method: 'GET', path: HOSTING_PATH, admission: anyone }, limits);

  addControlOperation<SignUpBody>(
    app,
    { method: 'POST', path: `${HOSTING_PATH}/spaces`, body: SignUpBody, admission: anyone },
    async ({ body: { organisation } }, reply, { ip, headers }) => {
      const { space, code } = await hosted.signUp(organisation.trim(), addressKey(ip));
      open(reply.code(201), code, headers);
      const access = describeAccess(space.identities, addressOf(space.name, headers));
      const own = access.identities.find(({ name }) => name === OWN_IDENTITY);
      return { ...describe(space.name, headers), accessCode: code, credentials: own };
    },
  );

  addControlOperation<SessionBody>(
    app,
    { method: 'POST', path: `${HOSTING_PATH}/session`, body: SessionBody, admission: anyone },
    ({ body: { accessCode } }, reply, { headers }) => {
      const name = hosted.findByCode(accessCode.trim());
      if (name === undefined) {
        throw new HttpError(
          403,
          'No space has this access code: it is mistyped, or the space was deleted',
        );
      }
      open(reply, accessCode.trim(), headers);
      return describe(name, headers);
    },
  );

  addControlOperation(
    app,
    { method: 'DELETE', path: `${HOSTING_PATH}/session`, admission: anyone },
    (_input, reply, { headers }) => open(reply, '', headers).code(204).send(),
  );

  addControlOperation(
    app,
    { method: 'GET', path: `${HOSTING_PATH}/space`, admission: anyone },
    (_input, _reply, request) => describe(requireOwn(request), request.headers),
  );

  addControlOperation(
    app,
    { method: 'DELETE', path: `${HOSTING_PATH}/space`, admission: anyone },
    async (_input, reply, request) => {
      await hosted.remove(requireOwn(request));
      return open(reply, '', request.headers).code(204).send();
    },
  );

  addControlOperation(app, { method: 'GET', path: '/spaces' }, (_input, _reply, { headers }) => ({
    spaces: hosted.list().map((each) => ({ ...each, baseUrl: addressOf(each.name, headers) })),
  }));

  addControlOperation(
    app,
    { method: 'DELETE', path: '/spaces/:name' },
    async ({ params: { name = '' } }, reply) => {
      if (!(await hosted.remove(name))) throw noSpace();
      return reply.code(204).send();
    },
  );

  for (const url of [`${SPACES_PATH}/:name`, `${SPACES_PATH}/:name/*`]) {
    app.route({
      method: METHODS,
      url,
      // Before the body is read.
      onRequest: async () => {
        throw noSpace();
      },
      handler: async () => undefined,
    });
  }
}

function noSpace(): HttpError {
  return new HttpError(
    404,
    'There is nothing at this address: the space was not made or was deleted; the console of every space is at /console/',
  );
}
