// Examines a grant or a token without a server or a database, with values that its sender has.
import { type PlaygroundCredentials, parseScope } from '@landfall/contract';
import {
  examineToken,
  exchangeAudiences,
  type Finding,
  readPemCertificate,
  recogniseToken,
  type TokenKind,
  type TokenKnowledge,
} from '@landfall/service/tokens';
import { examineGrant } from './examine-grant.js';
import type { GrantKnowledge } from './grant-context.js';
import { UndeterminedError } from './grant-errors.js';

/** The values that the token is compared with. If one is missing, the rules that need it are undetermined. */
export type OfflineKnowledge = TokenKnowledge & {
  /** Certificates (PEM or base64 DER). A chain must lead to one of them. */
  trustedIssuers?: readonly string[];
  /** Registered clients. There may be others. */
  credentials?: readonly PlaygroundCredentials[];
};

/** The kind of the token, and the result of each rule. */
export type Examination = { kind: TokenKind; findings: Finding[] };

/**
 * Examines a grant, a token of the identity provider or a customs token.
 *
 * @param token JWT in compact form
 * @param now the time of the examination
 * @returns one finding for each rule, in the order in which the service refuses; without signatures and keys
 */
export async function examineOffline(
  token: string,
  knowledge: OfflineKnowledge,
  now: Date,
): Promise<Examination> {
  const kind = recogniseToken(token);
  const findings =
    kind === 'grant'
      ? await examineGrant(token, grantKnowledge(knowledge), now)
      : await examineToken(token, kind, knowledge, now);
  return { kind, findings };
}

function grantKnowledge(known: OfflineKnowledge): GrantKnowledge {
  const { baseUrl, issuer, scopePrefix, trustedIssuers, credentials = [] } = known;
  const namesOf = (scopes: readonly string[]) =>
    scopes.flatMap((text) => parseScope(text, scopePrefix)?.name ?? []);
  return {
    scopePrefix,
    ...(issuer === undefined ? {} : { issuer }),
    ...(baseUrl === undefined ? {} : { audiences: exchangeAudiences(baseUrl) }),
    ...(trustedIssuers === undefined
      ? {}
      : { trustedIssuers: trustedIssuers.map(readPemCertificate) }),
    findClient: async (clientId) => {
      const found = credentials.find(
        ({ kind, client_id: id }) => kind === 'domestic' && id === clientId,
      );
      if (found === undefined) {
        throw new UndeterminedError(
          'MP-100',
          'it is not known here whether the client is registered',
        );
      }
      const { organisation, scopes, x5c } = found;
      return {
        clientId,
        organisation,
        kind: 'domestic',
        blocked: false,
        scopes: namesOf(scopes),
        granted: [],
        certificates: x5c.slice(0, 1),
        keys: [],
      };
    },
    findSealOwner: async (identifier) => {
      const found = credentials.find(
        ({ kind, organisation }) => kind === 'foreign' && organisation === identifier,
      );
      if (found === undefined) {
        throw new UndeterminedError('MP-250', 'it is not known here what the business is granted');
      }
      return { kind: 'foreign', blocked: false, granted: namesOf(found.scopes) };
    },
  };
}
