// An organisation that a case registers, with a client whose key is made here.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { ScopeName } from '@landfall/contract';
import type { HttpResponse } from '../http/exchange.js';
import type { Identity } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectStatus, readObject } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { newOrganisation } from './identifiers.js';
import { shortForm } from './subject-tokens.js';

/**
 * Registers a new organisation with one client, whose key is made here; returns the identity of the client.
 *
 * @param scope what it is granted
 */
export async function registerClient(
  context: CaseContext,
  scope: ScopeName = 'movement/entry',
): Promise<Identity> {
  const { baseUrl, identityProvider, scopePrefix } = context.settings;
  if (!identityProvider.url.startsWith(`${baseUrl}/`)) {
    throw new NotTestedError('the identity provider is not part of the tested service');
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomUUID();
  const identity: Identity = {
    kind: 'domestic',
    organisation: newOrganisation(),
    clientId: `conformance-${keyId}`,
    scopes: [`${scopePrefix}${scope}`],
    privateKey,
    certificates: [],
    keyId,
  };
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: keyId }];
  const json = {
    name: 'Conformance suite',
    kind: 'domestic',
    grantedScopes: [scope],
    clients: [{ client_id: identity.clientId, keys }],
  };
  const path = { id: identity.organisation };
  expectStatus(await context.as('authority').call('putOrganisation', { path, json }), 200);
  return identity;
}

/** Obtains a customs token, or the response of the step that refuses it. */
export async function obtain(context: CaseContext, identity: Identity): Promise<HttpResponse> {
  const granted = await context.requestAccessTokenOf(identity);
  if (granted.status !== 200) return granted;
  return context.exchange(shortForm(String(readObject(granted).access_token)));
}
