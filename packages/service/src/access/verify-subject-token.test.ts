// The tokens of the identity provider that the exchange refuses.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { assertRefused, forge, forgeTyped, validClaims } from '../testing/forged-tokens.js';
import {
  exchange,
  getAccessToken,
  makeClock,
  type Running,
  startAccess,
} from '../testing/running-access.js';
import { openKeyRing } from './signing-keys/key-ring.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

test('a token that is unreadable, not signed by the identity provider, or expired is refused', async () => {
  assertRefused(
    await exchange(running, 'x'),
    'invalid_request',
    /is not a signed JWT in compact form/,
  );
  const keys = await openKeyRing(
    { folder: join(running.dataFolder, 'other') },
    'identity-provider',
    running.clock,
  );
  keys.close();
  assertRefused(
    await exchange(running, await keys.sign(validClaims(running))),
    'invalid_request',
    /does not verify/,
  );
  const past = Math.floor(Date.now() / 1000) - 60;
  assertRefused(
    await exchange(running, await forge(running, { exp: past })),
    'invalid_request',
    /has expired: exp is \d+$/,
  );
});

test('a refusal that the operator of the provider can correct names the chapter of the guide', async () => {
  for (const claims of [
    { consumer: undefined },
    { client_id: 'a b' },
    { aud: 'https://x.example' },
  ]) {
    assertRefused(
      await exchange(running, await forge(running, claims)),
      'invalid_request',
      /; what the identity provider must issue: docs\/guide\/identity-provider\.md$/,
    );
  }
});

test('the type of a token may be at+jwt or JWT or be missing, and nothing else', async () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', undefined]) {
    const { status, body } = await exchange(running, await forgeTyped(running, typ));
    assert.equal(status, 200, `${typ}: ${body.error_description}`);
  }
  for (const typ of ['logout+jwt', 'dpop+jwt', 'id+jwt', 'secevent+jwt', 'JOSE', '']) {
    assertRefused(
      await exchange(running, await forgeTyped(running, typ)),
      'invalid_request',
      /typ is/,
    );
  }
});

test('a token is refused from the second of its expiry', async () => {
  const clock = makeClock();
  const other = await startAccess({ clock });
  const token = await getAccessToken(other, 'carrier');
  clock.moveOn(110);
  assert.equal((await exchange(other, token)).status, 200);
  clock.moveOn(10);
  assertRefused(await exchange(other, token), 'invalid_request', /has expired/);
  await other.close();
});

test('a token that is valid for more than a day is refused, whatever its iat says', async () => {
  const now = Math.floor(Date.now() / 1000);
  const years = 10 * 365 * 86_400;
  for (const claims of [
    { iat: now, exp: now + years },
    { iat: undefined, exp: now + years },
    { iat: now + years - 60, exp: now + years },
    { iat: now - years, exp: now + 60 },
    { iat: now, exp: now + 86_460 },
  ] as JWTPayload[]) {
    assertRefused(
      await exchange(running, await forge(running, claims)),
      'invalid_request',
      /86400 s/,
    );
  }
  assert.equal(
    (await exchange(running, await forge(running, { iat: now, exp: now + 86_400 }))).status,
    200,
  );
});

test('a token of another issuer or for another audience is refused; one for this service is accepted', async () => {
  assertRefused(
    await exchange(running, await forge(running, { iss: 'https://x.example' })),
    'invalid_request',
    /iss is/,
  );
  assertRefused(
    await exchange(running, await forge(running, { aud: 'https://x.example' })),
    'invalid_request',
    /is for/,
  );
  assert.equal(
    (await exchange(running, await forge(running, { aud: running.baseUrl }))).status,
    200,
  );
});

test('a token that names no organisation, client or scope is refused', async () => {
  for (const consumer of [
    null,
    {},
    { authority: 'other', ID: '0192:310000019' },
    { authority: 'iso6523-actorid-upis', ID: 'NTRDE-HRB000001' },
    { authority: 'etsi-en-319-412', ID: '0192:310000019' },
  ]) {
    assertRefused(
      await exchange(running, await forge(running, { consumer })),
      'invalid_request',
      /consumer|organisation/,
    );
  }
  assertRefused(
    await exchange(running, await forge(running, { client_id: 7 })),
    'invalid_request',
    /^client_id is 7 and must be/,
  );
  assertRefused(
    await exchange(running, await forge(running, { scope: ' ' })),
    'invalid_request',
    /no scope/,
  );
});
