// The control addresses of identities: a list, their credentials, and identities that are added, replaced and removed.
import { DatasetIdentity, organisationKind, type PlaygroundCredentials } from '@landfall/contract';
import { HttpError, type OwnAddresses, ValidationFailedError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { toIdentity } from '../dataset/prepare-dataset.js';
import { PlaygroundOptionError } from '../option-error.js';
import type { PlaygroundParts } from '../playground.js';
import { addControlOperation } from './control-operation.js';

/** Its name is in the address. */
const { name: _, ...members } = DatasetIdentity.properties;
const IdentityBody = Type.Object(members, { additionalProperties: false });
type IdentityBody = Static<typeof IdentityBody>;

/** Adds them. */
export function addIdentityRoutes(
  app: FastifyInstance,
  playground: Pick<PlaygroundParts, 'identities' | 'putIdentity' | 'removeIdentity'>,
  addresses: OwnAddresses,
): void {
  addControlOperation(app, { method: 'GET', path: '/credentials' }, (_input, _reply, { headers }) =>
    describeAccess(playground.identities, addresses.of(headers)),
  );

  addControlOperation(app, { method: 'GET', path: '/identities' }, () => ({
    identities: playground.identities.map(({ name, kind, organisation, client_id, scopes }) => ({
      name,
      kind,
      organisation,
      client_id,
      scopes,
    })),
  }));

  addControlOperation<IdentityBody>(
    app,
    { method: 'PUT', path: '/identities/:name', body: IdentityBody },
    async ({ body, params: { name = '' } }, reply, { headers }) => {
      const isNew = !playground.identities.some((each) => each.name === name);
      const identity = toIdentity({ ...body, name });
      const kind = organisationKind(identity.organisation);
      const put = await playground
        .putIdentity({ ...identity, kind })
        .catch((error: unknown) => refuse(error));
      reply.code(isNew ? 201 : 200);
      return atAddress(put, addresses.of(headers));
    },
  );

  addControlOperation(
    app,
    { method: 'DELETE', path: '/identities/:name' },
    async ({ params: { name = '' } }, reply) => {
      if (!(await playground.removeIdentity(name))) {
        throw new HttpError(404, 'There is no identity of this name');
      }
      return reply.code(204).send();
    },
  );
}

function refuse(error: unknown): never {
  if (!(error instanceof PlaygroundOptionError)) throw error;
  if (error.errors.length === 0) throw new HttpError(429, error.message);
  throw new ValidationFailedError([...error.errors]);
}

/** What a client needs to act as the identities, at an address of the service. */
export function describeAccess(identities: readonly PlaygroundCredentials[], baseUrl: string) {
  return {
    baseUrl,
    idpUrl: `${baseUrl}/idp`,
    identities: identities.map((each) => atAddress(each, baseUrl)),
  };
}

function atAddress(credentials: PlaygroundCredentials, baseUrl: string): PlaygroundCredentials {
  return { ...credentials, base_url: baseUrl, idp_url: `${baseUrl}/idp` };
}
