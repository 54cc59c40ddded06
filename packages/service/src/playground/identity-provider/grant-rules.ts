// The rules for a grant, each by its name, in the order in which the identity provider refuses.
import { tellValue } from '../../access/oauth-refusal.js';
import { chainRules, leafRule, validityRule } from './chain-rules.js';
import {
  checkAudience,
  checkBegun,
  checkKeyAlgorithm,
  checkLifetime,
  checkNotOver,
  checkSignature,
} from './check-grant.js';
import { checkRepresentation, hasRepresentation } from './check-representation.js';
import { checkGranted } from './check-scopes.js';
import { type GrantContext, known } from './grant-context.js';
import { type GrantRule, rule, toText } from './grant-rule.js';
import { checkOwner, isRegistered } from './identify-domestic.js';
import {
  checkEntireChain,
  checkNotBlocked,
  holdScopes,
  readIdentifier,
} from './identify-foreign.js';
import { UndeterminedError } from './undetermined-error.js';

/**
 * The rules that apply to a grant, in groups: which the next ones are is seen from the facts once those before them
 * were gone through.
 */
export async function* grantRules(grant: GrantContext): AsyncGenerator<GrantRule[]> {
  yield [
    rule('form', () => {
      grant.parts();
      return 'a signed JWT in compact form';
    }),
  ];
  if ((await known(grant.parts)) === undefined) return;
  yield readableRules(grant);
  const kind = await known(grant.kind);
  if (kind === 'domestic') yield domesticRules(grant);
  if (kind === 'foreign') yield foreignRules(grant);
  yield commonRules(grant);
  if (kind !== undefined) yield [rule('granted', () => checkScopeHolder(grant, kind))];
}

/** What must be readable of it before anything is looked up. */
function readableRules(grant: GrantContext): GrantRule[] {
  return [
    rule('algorithm', () => `alg is ${grant.algorithm()}`),
    rule('x5c', () => {
      const x5c = grant.x5c();
      return x5c === undefined ? 'not given: the key is named by kid' : `an array of ${x5c.length}`;
    }),
    rule('claims', () => {
      grant.kid();
      const issuer = grant.issuer();
      grant.audience();
      grant.scopes();
      readTimes(grant);
      grant.jti();
      return () => `iss is ${tellValue(issuer)}; aud, scope, iat and exp are there`;
    }),
    rule('certificates', () => {
      const chain = grant.chain();
      return () => (chain === undefined ? 'none' : `the leaf is of ${tellValue(chain[0].subject)}`);
    }),
  ];
}

/** What must hold whoever gives it. */
function commonRules(grant: GrantContext): GrantRule[] {
  const { knowledge, now } = grant;
  return [
    rule('signature', async () => {
      const key = await grant.key();
      checkKeyAlgorithm(await grant.registeredKey(), grant.algorithm());
      await checkSignature(grant.assertion, grant.algorithm(), key);
      return 'made with the key that the grant names';
    }),
    rule('aud', () => {
      const audience = grant.audience();
      const { issuer } = knowledge;
      if (issuer === undefined) {
        throw new UndeterminedError('MP-110', `aud is ${audience.map(tellValue).join(', ')}`);
      }
      checkAudience(audience, issuer);
      return () => `it is for ${tellValue(issuer)}`;
    }),
    rule('begun', () => {
      const times = readTimes(grant);
      checkBegun(times, now);
      return () => `iat is ${toText(times.issuedAt)}`;
    }),
    rule('not-over', () => {
      const times = readTimes(grant);
      checkNotOver(times, now);
      return () => `exp is ${toText(times.expiresAt)}`;
    }),
    rule('lifetime', () => {
      const times = readTimes(grant);
      checkLifetime(times, now);
      return `good for ${times.expiresAt - times.issuedAt} s`;
    }),
    rule('representation', async () => {
      const { claims } = grant.parts();
      if (!hasRepresentation(claims)) return 'no claim asks to act for another organisation';
      checkRepresentation(claims, await grant.grantor());
      return 'it names its own organisation alone';
    }),
    rule('scope', async () => {
      await grant.grantScopes();
      return () => grant.scopes().map(tellValue).join(', ');
    }),
  ];
}

async function domesticRules(grant: GrantContext): Promise<GrantRule[]> {
  const registered = rule('client', async () => {
    const { clientId, organisation } = await grant.client();
    return () => `${tellValue(clientId)} of ${tellValue(organisation)}`;
  });
  const chain = await known(grant.chain);
  if (chain === undefined) {
    const key = rule('key', async () => {
      await grant.key();
      return () => `kid is ${tellValue(grant.kid())}`;
    });
    return [registered, key];
  }
  const owner = rule('organisation', async () => {
    const client = await grant.client();
    checkOwner(chain[0], client);
    return () => `the certificate is made out to ${tellValue(client.organisation)}`;
  });
  const client = await known(grant.client);
  const trusted =
    client !== undefined && isRegistered(chain[0], client)
      ? [
          leafRule(chain[0]),
          rule('trust', () => 'the certificate is registered with the client'),
          validityRule([chain[0]], grant.now),
        ]
      : await chainRules(grant, chain, client === undefined);
  return [registered, owner, ...trusted];
}

async function foreignRules(grant: GrantContext): Promise<GrantRule[]> {
  const chain = await known(grant.chain);
  if (chain === undefined) return [];
  const [seal] = chain;
  return [
    rule('entire-chain', () => {
      checkEntireChain(chain);
      return `the eSeal and ${chain.length - 1} above it`;
    }),
    ...(await chainRules(grant, chain, false)),
    rule('organisation', () => `organizationIdentifier is ${tellValue(readIdentifier(seal))}`),
    rule('business', async () => {
      const owner = await grant.sealOwner();
      checkNotBlocked(seal, owner);
      return owner === undefined ? 'not known to the authority' : 'known to the authority';
    }),
  ];
}

async function checkScopeHolder(
  grant: GrantContext,
  kind: 'domestic' | 'foreign',
): Promise<string> {
  const scopes = await grant.grantScopes();
  const chain = grant.chain();
  if (kind === 'domestic' || chain === undefined) {
    const { scopes: registered, ...client } = await grant.client();
    checkGranted(scopes, { ...client, registered: registered ?? undefined });
  } else if (scopes.length > 0) {
    checkGranted(scopes, holdScopes(chain[0], await grant.sealOwner()));
  }
  return 'its giver may ask for it';
}

function readTimes(grant: GrantContext) {
  return {
    issuedAt: grant.issuedAt(),
    expiresAt: grant.expiresAt(),
    notBefore: grant.notBefore(),
  };
}
