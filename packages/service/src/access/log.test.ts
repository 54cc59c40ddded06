// The log contains who was refused and why, and no secrets.
import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  call,
  exchange,
  goodGrant,
  postForm,
  sendGrant,
  signGrant,
  startAccess,
  type TokenResponse,
} from '../testing/running-access.js';

test('no key, assertion or token is ever logged or quoted in an error', async () => {
  const running = await startAccess();
  const carrier = running.credentials('carrier');
  const { d: raw } = createPrivateKey(carrier.private_key).export({ format: 'jwk' });
  const secrets: string[] = [carrier.private_key, String(raw)];
  const reported: string[] = [];
  const note = ({ status, body }: TokenResponse) => {
    if (status >= 400) reported.push(JSON.stringify(body));
  };
  const good = goodGrant(carrier);
  const assertion = await signGrant(good);
  const { body } = await sendGrant(running, assertion);
  const token = String(body.access_token);
  const customs = String((await exchange(running, token)).body.access_token);
  secrets.push(assertion, token, customs);

  // Each is put where something else belongs, so that an error would quote it.
  for (const secret of [assertion, token, customs, carrier.private_key, String(raw)]) {
    note(await sendGrant(running, secret));
    note(await exchange(running, secret));
    const oneLine = secret.replaceAll(/\s/g, '');
    reported.push(await (await call(running, `${oneLine}.`)).text());
    // An unknown path is quoted in its response, and not in the log.
    await call(running, token, `/api/${oneLine}`);
    note(await postForm(`${running.idpUrl}/token`, { grant_type: secret, assertion: secret }));
    note(
      await postForm(`${running.baseUrl}/api/access/external/oauth/token`, {
        grant_type: secret,
        subject_token_type: secret,
        subject_token: secret,
      }),
    );
    const unknownKey = goodGrant(carrier);
    unknownKey.header = { alg: 'ES256', kid: secret };
    note(await sendGrant(running, unknownKey));
    for (const claim of ['iss', 'aud', 'scope', 'iat', 'jti']) {
      const grant = goodGrant(carrier);
      grant.claims[claim] = secret;
      const refused = await signGrant(grant);
      note(await sendGrant(running, refused));
      secrets.push(refused);
    }
  }
  for (const name of await readdir(join(running.dataFolder, 'keys'))) {
    const text = await readFile(join(running.dataFolder, 'keys', name), 'utf8');
    for (const [, secret = ''] of text.matchAll(/"(?:d|privateKey)": "([^"]+)"/g))
      secrets.push(secret);
  }
  await running.close();

  const log = [...running.log, ...reported].join('\n');
  assert.ok(reported.length > 20);
  assert.ok(running.log.length > 20);
  for (const secret of secrets) {
    // Of a token the signature is what nobody may have; of PEM its lines.
    for (const part of secret.split(/[.\n]|\\n/)) {
      if (part.length < 40) continue;
      assert.ok(!log.includes(part), `logged: ${part.slice(0, 8)}...`);
    }
  }
});
