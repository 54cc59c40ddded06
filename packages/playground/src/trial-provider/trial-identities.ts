// The clients and the people of a trial provider.
import { join } from 'node:path';
import {
  type PlaygroundCredentials,
  type PlaygroundIdentity,
  parseScope,
  playgroundIdentities,
} from '@landfall/contract';
import { readIssuer, readKept } from '../certificates.js';
import { openAuthority, openCertificate } from '../identities.js';
import type { GrantKnowledge } from '../identity-provider/grant-context.js';
import { describeCredentials, writeCredentials } from '../make-credentials.js';

/** The clients: the authority, and two who present goods. */
const NAMES = ['authority', 'carrier', 'forwarder'];

/** Somebody who signs in to the console. */
export type Person = { name: string; role: string; organisation: string };

/** The scopes of each role, as `LANDFALL_CONSOLE_ROLES` has them. */
export const ROLES =
  'officer=authority/registry,authority/routing,authority/operations; gate=movement/entry';

/** The clients with their credentials, which are written to files, and the certificates that they are checked with. */
export async function prepareTrialIdentities(
  folder: string,
  addresses: { baseUrl: string; idpUrl: string; scopePrefix: string },
): Promise<{ credentials: PlaygroundCredentials[]; trustedIssuers: string[]; persons: Person[] }> {
  const now = new Date();
  const authority = await openAuthority(join(folder, 'keys', 'trial-authority.json'), now, now);
  const issuer = await readIssuer(authority);
  const identities = playgroundIdentities.filter(({ name }) => NAMES.includes(name));
  const credentials = await Promise.all(
    identities.map(async (identity) => {
      const files = join(folder, 'credentials');
      const file = join(files, `${identity.name}.json`);
      const kept = await openCertificate(file, authority, issuer, identity, now, now);
      const described = await describeCredentials(identity, kept, authority, addresses);
      const written = { ...described, client_id: `trial-${identity.name}` };
      await writeCredentials(files, written);
      return written;
    }),
  );
  const organisationOf = (wanted: string) =>
    identities.find(({ name }) => name === wanted)?.organisation ?? '';
  return {
    credentials,
    trustedIssuers: [readKept(authority.root).toString('pem')],
    persons: [
      { name: 'officer', role: 'officer', organisation: organisationOf('authority') },
      { name: 'gate', role: 'gate', organisation: organisationOf('carrier') },
    ],
  };
}

/** Finds the clients in their credentials: a trial provider has no database. */
export function findInCredentials(
  credentials: readonly PlaygroundCredentials[],
  scopePrefix: string,
): Pick<GrantKnowledge, 'findClient' | 'findSealOwner'> {
  const scopesOf = (texts: readonly string[]): PlaygroundIdentity['scopes'] =>
    texts.flatMap((text) => parseScope(text, scopePrefix)?.name ?? []);
  return {
    findClient: async (clientId) => {
      const found = credentials.find(({ client_id: id }) => id === clientId);
      if (found === undefined) return undefined;
      return {
        clientId,
        organisation: found.organisation,
        kind: 'domestic',
        blocked: false,
        scopes: [...scopesOf(found.scopes)],
        granted: [],
        certificates: found.x5c.slice(0, 1),
        keys: [],
      };
    },
    findSealOwner: async () => undefined,
  };
}
