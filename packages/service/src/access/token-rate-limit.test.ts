// Token endpoints are limited by address and by client, in OAuth's form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exchange,
  getAccessToken,
  goodGrant,
  postForm,
  sendGrant,
  startAccess,
  type TokenResponse,
} from '../testing/running-access.js';

/** Requests at once: more than the limit lets through even when they fall into many windows of a second. */
const REQUESTS = 60;

/** What token requests say when a limit that counts their bodies refuses them. */
const BODY_RULE = '; one with a body counts as one for each 4 KiB of it';

function assertLimited({ status, headers, body }: TokenResponse, subject: string): void {
  const rule = subject === 'address' ? BODY_RULE : '';
  assert.equal(status, 429);
  assert.equal(body.error, 'temporarily_unavailable');
  assert.match(
    String(body.error_description),
    new RegExp(
      `^This ${subject} may make 2 requests a second${rule} \\(correlation id: [0-9a-f-]{36}\\)$`,
    ),
  );
  assert.equal(headers.get('retry-after'), '1');
  assert.equal(headers.get('ratelimit-policy'), `"${subject}";q=2;w=1`);
  assert.equal(headers.get('cache-control'), 'no-store');
}

const together = (send: () => Promise<TokenResponse>) =>
  Promise.all(Array.from({ length: REQUESTS }, send));

test('the token requests of an address are limited, whatever their content', async () => {
  const running = await startAccess({ tokenRates: { address: 2 } });
  for (const url of [
    `${running.idpUrl}/token`,
    `${running.baseUrl}/api/access/external/oauth/token`,
  ]) {
    const responses = await together(() => postForm(url, { grant_type: 'x' }));
    const limited = responses.filter(({ status }) => status === 429);
    assert.ok(limited.length > 0);
    for (const response of limited) assertLimited(response, 'address');
    assert.ok(running.log.some((line) => line.includes('temporarily_unavailable')));
  }
  await running.close();
});

test('the token requests of a client are limited, and those of other clients are not affected', async () => {
  const running = await startAccess({ tokenRates: { client: 2 } });
  const other = await getAccessToken(running, 'forwarder');
  const [grants, forged] = await Promise.all([
    together(() => sendGrant(running, goodGrant(running.credentials('carrier')))),
    // A forged grant does not count against the client that it names.
    together(() => {
      const grant = goodGrant(running.credentials('carrier'));
      return sendGrant(running, {
        ...grant,
        claims: { ...grant.claims, iss: 'playground-express' },
      });
    }),
  ]);
  const limited = grants.filter(({ status }) => status === 429);
  assert.ok(limited.length > 0);
  for (const response of limited) assertLimited(response, 'client');
  assert.ok(grants.some(({ status }) => status === 200));
  assert.ok(forged.every(({ status }) => status === 401));
  assert.equal((await exchange(running, other)).status, 200);

  const exchanged = await together(() => exchange(running, other));
  const held = exchanged.filter(({ status }) => status === 429);
  assert.ok(held.length > 0);
  for (const response of held) assertLimited(response, 'client');
  await running.close();
});
