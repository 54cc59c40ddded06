// The facts about one grant. Each is determined on its first use. A fact that cannot be determined always throws the
// same error, so that rules that depend on it are recognised.
import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  type Certificate,
  certificateKey,
  domesticOrganisation,
  organizationIdentifier,
  readCertificate,
} from '@landfall/service/tokens';
import { type Chain, completeChain } from './certificate-chain.js';
import { readGrantScopes } from './check-scopes.js';
import { GrantRefusedError, UndeterminedError } from './grant-errors.js';
import {
  checkClient,
  describeClient,
  describeSeal,
  findRegisteredKey,
  type Grantor,
  readIdentifier,
  type SealOwner,
  sealClientId,
} from './grantor.js';
import type { ClientRow } from './queries.js';
import {
  decodeGrant,
  type Members,
  readAlgorithm,
  readAudience,
  readChain,
  readJti,
  readOptional,
  readResources,
  readScopes,
  readText,
  readTime,
} from './read-grant.js';

/** The values that a grant is compared with. If one is missing, the rules that need it are undetermined. */
export type GrantKnowledge = {
  /** The address of the identity provider, which grants must name. */
  issuer?: string;
  /** Its addresses, if it has several. */
  issuers?: readonly string[];
  /** The names of the service for which the identity provider issues tokens, its address first. */
  audiences?: readonly string[];
  scopePrefix: string;
  trustedIssuers?: readonly Certificate[];
  /** The registered client. May throw UndeterminedError. */
  findClient(clientId: string): Promise<ClientRow | undefined>;
  /** A foreign organisation, and whether its client is blocked. May throw UndeterminedError. */
  findSealOwner(identifier: string, clientId: string): Promise<SealOwner | undefined>;
  /** Whether the client has sent a grant with this jti before. */
  isConsumed?(use: { clientId: string; jti: string }, now: Date): Promise<boolean>;
};

/** The facts about one grant. Each throws GrantRefusedError or UndeterminedError. */
export class GrantContext {
  readonly assertion: string;
  readonly knowledge: GrantKnowledge;
  readonly now: Date;

  constructor(assertion: string, knowledge: GrantKnowledge, now: Date) {
    this.assertion = assertion;
    this.knowledge = knowledge;
    this.now = now;
  }

  readonly parts = once(() => decodeGrant(this.assertion));

  readonly algorithm = this.#header((header) => readAlgorithm(header.alg));
  readonly x5c = this.#header((header) => readChain(header.x5c));
  readonly kid = this.#header((header) => readOptional('kid', header.kid));

  readonly issuer = this.#claims((claims) => readText('iss', claims.iss));
  readonly audience = this.#claims((claims) => readAudience(claims.aud));
  readonly resources = this.#claims((claims) => readResources(claims.resource));
  readonly scopes = this.#claims((claims) => readScopes(claims.scope));
  readonly issuedAt = this.#claims((claims) => readTime('iat', claims.iat));
  readonly expiresAt = this.#claims((claims) => readTime('exp', claims.exp));
  readonly notBefore = this.#claims((claims) =>
    claims.nbf === undefined ? undefined : readTime('nbf', claims.nbf),
  );
  readonly jti = this.#claims((claims) => readJti(claims.jti));

  /** The certificates of x5c; `undefined` if the grant names a registered key instead. */
  readonly chain = once(() => toChain(this.x5c()));

  /** The chain with the trusted issuer at its end. */
  readonly completeChain = once(async () => {
    const { trustedIssuers } = this.knowledge;
    if (trustedIssuers === undefined) {
      throw new UndeterminedError('MP-120', 'it is not known here which issuers are trusted');
    }
    return completeChain(this.#certificates(), trustedIssuers);
  });

  /** The client that iss names. */
  readonly client = once(async () => checkClient(this.issuer(), await this.#registered()));

  /** A grant with an eSeal is foreign, and its iss is ignored. Any other grant is of the client that iss names. */
  readonly kind = once(async (): Promise<Grantor['kind']> => {
    const chain = this.chain();
    if (chain === undefined || domesticOrganisation(chain[0]) !== undefined) return 'domestic';
    if (organizationIdentifier(chain[0]) !== undefined) return 'foreign';
    // Of a certificate without an organisation, the scopes and iss decide the kind.
    const foreignScopes = this.scopes().some((text) =>
      text.startsWith(`${this.knowledge.scopePrefix}eu/`),
    );
    return foreignScopes && (await determined(this.#registered)) === undefined
      ? 'foreign'
      : 'domestic';
  });

  /** The scopes that must be granted. */
  readonly grantScopes = once(async () =>
    readGrantScopes(this.scopes(), await determined(this.kind), this.knowledge.scopePrefix),
  );

  /** The organisation that the eSeal names; `undefined` if the authority has not registered it. */
  readonly sealOwner = once(async () => {
    const [seal] = this.#certificates();
    return this.knowledge.findSealOwner(readIdentifier(seal), sealClientId(seal));
  });

  /** The registered key that kid names; `undefined` if the grant has x5c instead. */
  readonly registeredKey = once(async () =>
    this.chain() === undefined
      ? findRegisteredKey(this.kid(), await this.client(), this.now)
      : undefined,
  );

  /** The key with which the signature must verify. */
  readonly key = once(async (): Promise<KeyObject> => {
    const chain = this.chain();
    if (chain !== undefined) return certificateKey(chain[0]);
    return createPublicKey({ key: (await this.registeredKey()) ?? {}, format: 'jwk' });
  });

  /** The grantor. Call it only if no rule is broken. */
  async grantor(): Promise<Grantor> {
    return (await this.kind()) === 'foreign'
      ? describeSeal(this.#certificates()[0])
      : describeClient(await this.client());
  }

  readonly #registered = once(async () => this.knowledge.findClient(this.issuer()));

  #certificates(): Chain {
    const chain = this.chain();
    if (chain === undefined) throw new GrantRefusedError('MP-120', 'there is no x5c');
    return chain;
  }

  #header<Fact>(read: (header: Members) => Fact): () => Fact {
    return once(() => read(this.parts().header));
  }

  #claims<Fact>(read: (claims: Members) => Fact): () => Fact {
    return once(() => read(this.parts().claims));
  }
}

/** A fact; `undefined` if it cannot be determined. Its own rule reports the reason. */
export async function determined<Fact>(
  fact: () => Fact | Promise<Fact>,
): Promise<Fact | undefined> {
  try {
    return await fact();
  } catch (error) {
    if (error instanceof GrantRefusedError || error instanceof UndeterminedError) return undefined;
    throw error;
  }
}

/** Makes a fact that is determined on its first use. After that it returns the same value or throws the same error. */
function once<Fact>(find: () => Fact): () => Fact {
  let found: { fact: Fact } | { error: unknown } | undefined;
  return () => {
    if (found === undefined) {
      try {
        found = { fact: find() };
      } catch (error) {
        found = { error };
      }
    }
    if ('error' in found) throw found.error;
    return found.fact;
  };
}

function toChain(x5c: readonly string[] | undefined): Chain | undefined {
  if (x5c === undefined) return undefined;
  const [leaf, ...others] = x5c.map((text, index) => {
    const certificate = readCertificate(text);
    if (certificate !== undefined) return certificate;
    throw new GrantRefusedError('MP-120', `member ${index} of x5c is not a certificate`);
  });
  return leaf === undefined ? undefined : [leaf, ...others];
}
