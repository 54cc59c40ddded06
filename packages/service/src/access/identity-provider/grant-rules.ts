// The rules for a grant, each by its name, in the order in which the identity provider refuses.
import { tellValue } from '../oauth-refusal.js';
import { chainRules, leafRule, validityRule } from './chain-rules.js';
import {
  checkAudience,
  checkBegun,
  checkLifetime,
  checkNotOver,
  checkSignature,
} from './check-grant.js';
import { checkGranted } from './check-scopes.js';
import { type GrantInQuestion, known } from './grant-in-question.js';
import { type GrantRule, rule, toText } from './grant-rule.js';
import { checkOwner, isRegistered } from './identify-domestic.js';
import {
  checkEntireChain,
  checkNotBlocked,
  holdScopes,
  readIdentifier,
} from './identify-foreign.js';
import { NotKnownError } from './not-known-error.js';

/** The rules that apply to a grant: which these are is seen from the facts as the rules are gone through. */
export async function* grantRules(grant: GrantInQuestion): AsyncGenerator<GrantRule> {
  yield rule('form', async () => {
    await grant.parts();
    return 'a signed JWT in compact form';
  });
  if ((await known(grant.parts)) === undefined) return;
  yield rule('algorithm', async () => `alg is ${await grant.algorithm()}`);
  yield rule('x5c', async () => {
    const x5c = await grant.x5c();
    return x5c === undefined ? 'not given: the key is named by kid' : `an array of ${x5c.length}`;
  });
  yield rule('claims', async () => {
    await grant.kid();
    const issuer = await grant.issuer();
    await grant.audience();
    await grant.scopes();
    await readTimes(grant);
    await grant.jti();
    return `iss is ${tellValue(issuer)}; aud, scope, iat and exp are there`;
  });
  yield rule('certificates', async () => {
    const chain = await grant.chain();
    return chain === undefined ? 'none' : `the leaf is of ${tellValue(chain[0].subject)}`;
  });
  const kind = await known(grant.kind);
  if (kind === 'domestic') yield* domesticRules(grant);
  if (kind === 'foreign') yield* foreignRules(grant);
  yield* commonRules(grant);
  if (kind !== undefined) yield rule('granted', () => checkScopeHolder(grant, kind));
}

/** What must hold whoever gives it. */
async function* commonRules(grant: GrantInQuestion): AsyncGenerator<GrantRule> {
  const { knowledge, now } = grant;
  yield rule('signature', async () => {
    await checkSignature(grant.assertion, await grant.algorithm(), await grant.key());
    return 'made with the key that the grant names';
  });
  yield rule('aud', async () => {
    const audience = await grant.audience();
    if (knowledge.issuer === undefined) {
      throw new NotKnownError('MP-110', `aud is ${audience.map(tellValue).join(', ')}`);
    }
    checkAudience(audience, knowledge.issuer);
    return `it is for ${tellValue(knowledge.issuer)}`;
  });
  yield rule('begun', async () => {
    const times = await readTimes(grant);
    checkBegun(times, now);
    return `iat is ${toText(times.issuedAt)}`;
  });
  yield rule('not-over', async () => {
    const times = await readTimes(grant);
    checkNotOver(times, now);
    return `exp is ${toText(times.expiresAt)}`;
  });
  yield rule('lifetime', async () => {
    const times = await readTimes(grant);
    checkLifetime(times, now);
    return `good for ${times.expiresAt - times.issuedAt} s`;
  });
  yield rule('scope', async () => {
    await grant.grantScopes();
    return (await grant.scopes()).map(tellValue).join(', ');
  });
}

async function* domesticRules(grant: GrantInQuestion): AsyncGenerator<GrantRule> {
  yield rule('client', async () => {
    const { clientId, organisation } = await grant.client();
    return `${tellValue(clientId)} of ${tellValue(organisation)}`;
  });
  const chain = await grant.chain();
  if (chain === undefined) {
    yield rule('key', async () => {
      await grant.key();
      return `kid is ${tellValue(await grant.kid())}`;
    });
    return;
  }
  yield rule('organisation', async () => {
    const client = await grant.client();
    checkOwner(chain[0], client);
    return `the certificate is made out to ${tellValue(client.organisation)}`;
  });
  const client = await known(grant.client);
  if (client !== undefined && isRegistered(chain[0], client)) {
    yield leafRule(chain[0]);
    yield rule('trust', async () => 'the certificate is registered with the client');
    yield validityRule([chain[0]], grant.now);
  } else {
    yield* chainRules(grant, chain, client === undefined);
  }
}

async function* foreignRules(grant: GrantInQuestion): AsyncGenerator<GrantRule> {
  const chain = await grant.chain();
  if (chain === undefined) return;
  const [seal] = chain;
  yield rule('entire-chain', async () => {
    checkEntireChain(chain);
    return `the eSeal and ${chain.length - 1} above it`;
  });
  yield* chainRules(grant, chain, false);
  yield rule(
    'organisation',
    async () => `organizationIdentifier is ${tellValue(readIdentifier(seal))}`,
  );
  yield rule('business', async () => {
    const owner = await grant.sealOwner();
    checkNotBlocked(seal, owner);
    return owner === undefined ? 'not known to the authority' : 'known to the authority';
  });
}

async function checkScopeHolder(
  grant: GrantInQuestion,
  kind: 'domestic' | 'foreign',
): Promise<string> {
  const scopes = await grant.grantScopes();
  const chain = await grant.chain();
  if (kind === 'domestic' || chain === undefined) {
    const { scopes: registered, ...client } = await grant.client();
    checkGranted(scopes, { ...client, registered: registered ?? undefined });
  } else if (scopes.length > 0) {
    checkGranted(scopes, holdScopes(chain[0], await grant.sealOwner()));
  }
  return 'its giver may ask for it';
}

async function readTimes(grant: GrantInQuestion) {
  return {
    issuedAt: await grant.issuedAt(),
    expiresAt: await grant.expiresAt(),
    notBefore: await grant.notBefore(),
  };
}
