// Tokens for tests of the exchange: those that the identity provider could sign, with any claims.
import assert from 'node:assert/strict';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JWTPayload, SignJWT } from 'jose';
import { openKeyRing } from '../access/signing-keys/key-ring.js';
import type { Running, TokenResponse } from './running-access.js';

/** Checks that the exchange refused a request with this error and a matching description. */
export function assertRefused({ status, body }: TokenResponse, error: string, why: RegExp): void {
  assert.equal(status, 400);
  assert.equal(body.error, error);
  assert.match(String(body.error_description), why);
}

/** The claims of a valid token of the identity provider. */
export const validClaims = ({ idpUrl }: Running) => ({
  iss: idpUrl,
  client_id: 'playground-carrier',
  scope: 'customs:movement/entry',
  consumer: { authority: 'iso6523-actorid-upis', ID: '0192:310000019' },
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 60,
  jti: randomUUID(),
});

/** A token with changed claims, signed with the key of the identity provider. */
export async function forge(running: Running, claims: JWTPayload): Promise<string> {
  const keys = await openKeyRing(
    { folder: join(running.dataFolder, 'keys') },
    'identity-provider',
    running.clock,
  );
  keys.close();
  return keys.sign({ ...validClaims(running), ...claims });
}

/** A token with another type in its header, signed with the key of the identity provider. */
export async function forgeTyped(running: Running, typ: string | undefined): Promise<string> {
  const file = join(running.dataFolder, 'keys', 'identity-provider.json');
  const [{ kid, privateKey }] = JSON.parse(await readFile(file, 'utf8')).keys;
  return new SignJWT(validClaims(running))
    .setProtectedHeader({ alg: 'ES256', kid, ...(typ === undefined ? {} : { typ }) })
    .sign(createPrivateKey({ key: privateKey, format: 'jwk' }));
}
