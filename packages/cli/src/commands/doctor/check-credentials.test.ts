// Certificates that expire or are not valid yet, at each time; and versions that differ.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Credentials } from '@landfall/client';
import { readPlaygroundCredentials, runPlayground } from '../../testing/doctored-playground.js';
import { checkCertificates } from './check-credentials.js';
import { compareVersions } from './check-versions.js';
import { checkClocks } from './measure-clock.js';

runPlayground();

const DAY = 86_400_000;

it('the dates of every certificate are checked', async () => {
  const { x5c, private_key: key } = await readPlaygroundCredentials('express');
  const credentials: Credentials = {
    kind: 'foreign',
    clientId: 'x',
    key,
    certificates: x5c,
    identityProvider: { url: 'https://idp.example' },
  };
  const leaf = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'));
  const end = Date.parse(leaf.validTo);
  const outcomes = (time: number, changed: Partial<Credentials> = {}) =>
    // The cast is true because only the certificates change.
    checkCertificates({ ...credentials, ...changed } as Credentials, new Date(time)).map(
      ({ outcome, detail }) => `${outcome} ${detail}`,
    );
  assert.match(outcomes(end - 40 * DAY).join(), /^ok Playground Express with a chain of 2, /);
  assert.match(outcomes(end - 10 * DAY - 1).join(), /^warning .*Express expires on .*in 10 days/);
  assert.match(outcomes(end + 1).join(), /^failed .*expired on/);
  assert.match(outcomes(Date.parse(leaf.validFrom) - DAY).join(), /^failed .*is valid from/);
  assert.match(outcomes(0, { certificates: [] }).join(), /^skipped/);
});

describe('limits', () => {
  it('of clocks: 10 s, and one minute if it is behind', () => {
    const outcome = (seconds: number) => checkClocks(new Map([['x', seconds]]))[0]?.outcome;
    assert.deepEqual([0, 10, -10, 11, -11, -59, -60].map(outcome), [
      'ok',
      'ok',
      'ok',
      'failed',
      'warning',
      'warning',
      'failed',
    ]);
    assert.equal(checkClocks(new Map())[0]?.outcome, 'skipped');
  });

  it('of versions: another service is a warning, an old database fails', () => {
    const outcomes = (service: string, version: string) =>
      compareVersions({ service, database: { kind: 'postgresql', version } }, '0.1.0').map(
        ({ outcome }) => outcome,
      );
    assert.deepEqual(outcomes('0.1.0', '15.20 (Debian 15.20-0)'), ['ok', 'ok']);
    assert.deepEqual(outcomes('0.2.0', '17.1'), ['warning', 'ok']);
    assert.deepEqual(outcomes('0.1.0', '14.9'), ['ok', 'failed']);
  });
});
