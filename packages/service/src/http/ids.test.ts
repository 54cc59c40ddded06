// Ids that the service creates are UUID v7: those of problems and of tokens.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OAuthError, Problem } from '@landfall/contract';
import { decodeJwt } from 'jose';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';

const v7 = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
let playground: TestPlayground;

before(async () => {
  playground = await TestPlayground.start(await openInMemory());
});
after(() => playground.close());

test("a problem's instance is a UUID v7", async () => {
  const { instance } = (await playground.call('/nothing')).body as Problem;
  assert.match(instance, new RegExp(`^urn:uuid:${v7}$`));
});

test('the jti of a customs token is a UUID v7', async () => {
  assert.match(String(decodeJwt(await playground.token('carrier')).jti), new RegExp(`^${v7}$`));
});

test('the correlation id of a refused grant is a UUID v7', async () => {
  const response = await fetch(`${playground.playground.idpUrl}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'nonsense' }),
  });
  const { error_description } = (await response.json()) as OAuthError;
  assert.match(error_description, new RegExp(`\\(correlation id: ${v7}\\)$`));
});

test('the detail of a single validation error is its field, a colon and the sentence', async () => {
  const { body } = await playground.present('entry-summary-declaration', 'carrier', {
    mrn: '23NO0000000000999X',
  });
  const { detail, validationErrors } = body as Problem;
  assert.equal(validationErrors?.length, 1);
  assert.equal(detail, `mrn: ${validationErrors?.[0]?.error}`);
});
