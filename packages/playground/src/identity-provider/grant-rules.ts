// The rules for a grant, in the order in which the identity provider checks them. The token doctor uses the same list.
import { quoteValue } from '@landfall/service/tokens';
import { chainRules, leafRule, validityRule } from './chain-rules.js';
import {
  checkAudience,
  checkBegun,
  checkKeyAlgorithm,
  checkLifetime,
  checkNotOver,
  checkResources,
  checkSignature,
} from './check-grant.js';
import { checkRepresentation, hasRepresentation } from './check-representation.js';
import { checkGranted } from './check-scopes.js';
import { determined, type GrantContext } from './grant-context.js';
import { UndeterminedError } from './grant-errors.js';
import { formatTime, type GrantRule, rule } from './grant-rule.js';
import {
  checkEntireChain,
  checkNotBlocked,
  checkOwner,
  holdScopes,
  isRegistered,
  readIdentifier,
} from './grantor.js';

/** The rules that apply to a grant. They depend on its grantor and on the number of its certificates. */
export async function listGrantRules(grant: GrantContext): Promise<GrantRule[]> {
  const form = rule('form', () => {
    grant.parts();
    return 'a signed JWT in compact form';
  });
  if ((await determined(grant.parts)) === undefined) return [form];
  const kind = await determined(grant.kind);
  return [
    form,
    ...readableRules(grant),
    ...(kind === 'domestic' ? await domesticRules(grant) : []),
    ...(kind === 'foreign' ? await foreignRules(grant) : []),
    ...commonRules(grant),
    ...(kind === undefined ? [] : [rule('granted', () => checkScopeHolder(grant, kind))]),
  ];
}

/** The rules for the form of the header and the claims. */
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
      return `iss is ${quoteValue(issuer)}; aud, scope, iat and exp are there`;
    }),
    rule('certificates', () => {
      const chain = grant.chain();
      return chain === undefined ? 'none' : `the leaf is of ${quoteValue(chain[0].subject)}`;
    }),
  ];
}

/** The rules for all grantors. */
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
      const { issuer, issuers } = knowledge;
      if (issuer === undefined) {
        throw new UndeterminedError('MP-110', `aud is ${audience.map(quoteValue).join(', ')}`);
      }
      return `it is for ${quoteValue(checkAudience(audience, issuer, issuers))}`;
    }),
    rule('resource', () => {
      const resources = grant.resources();
      if (resources.length === 0) return 'not given: the token is for the service';
      const found = `resource is ${resources.map(quoteValue).join(', ')}`;
      const { audiences } = knowledge;
      if (audiences === undefined) throw new UndeterminedError('MP-011', found);
      checkResources(resources, audiences);
      return found;
    }),
    rule('begun', () => {
      const times = readTimes(grant);
      checkBegun(times, now);
      return `iat is ${formatTime(times.issuedAt)}`;
    }),
    rule('not-over', () => {
      const times = readTimes(grant);
      checkNotOver(times, now);
      return `exp is ${formatTime(times.expiresAt)}`;
    }),
    rule('lifetime', () => {
      const times = readTimes(grant);
      checkLifetime(times, now);
      return `good for ${times.expiresAt - times.issuedAt} s`;
    }),
    rule('representation', async () => {
      const { claims } = grant.parts();
      if (!hasRepresentation(claims)) return 'no claim requests to act for another organisation';
      checkRepresentation(claims, await grant.grantor());
      return 'it names its own organisation alone';
    }),
    rule('scope', async () => {
      await grant.grantScopes();
      return grant.scopes().map(quoteValue).join(', ');
    }),
  ];
}

async function domesticRules(grant: GrantContext): Promise<GrantRule[]> {
  const registered = rule('client', async () => {
    const { clientId, organisation } = await grant.client();
    return `${quoteValue(clientId)} of ${quoteValue(organisation)}`;
  });
  const chain = await determined(grant.chain);
  if (chain === undefined) {
    const key = rule('key', async () => {
      await grant.key();
      return `kid is ${quoteValue(grant.kid())}`;
    });
    return [registered, key];
  }
  const owner = rule('organisation', async () => {
    const client = await grant.client();
    checkOwner(chain[0], client);
    return `the certificate is made out to ${quoteValue(client.organisation)}`;
  });
  const client = await determined(grant.client);
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
  const chain = await determined(grant.chain);
  if (chain === undefined) return [];
  const [seal] = chain;
  return [
    rule('entire-chain', () => {
      checkEntireChain(chain);
      return `the eSeal and ${chain.length - 1} above it`;
    }),
    ...(await chainRules(grant, chain, false)),
    rule('organisation', () => `organizationIdentifier is ${quoteValue(readIdentifier(seal))}`),
    rule('business', async () => {
      const owner = await grant.sealOwner();
      checkNotBlocked(seal, owner);
      return owner === undefined
        ? 'not registered with the authority'
        : 'registered with the authority';
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
  return 'its giver may request it';
}

function readTimes(grant: GrantContext) {
  return {
    issuedAt: grant.issuedAt(),
    expiresAt: grant.expiresAt(),
    notBefore: grant.notBefore(),
  };
}
