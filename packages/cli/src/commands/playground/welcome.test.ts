// The message of a running playground has everything that a new user needs.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import picocolors from 'picocolors';
import { firstPresentation } from '../../output/next-command.js';
import { makeCredentials } from '../../testing/make-credentials.js';
import { welcomeLines } from './welcome.js';

const carrier = makeCredentials();
const newcomer = { ...carrier, name: 'newcomer' };
/** One of a dataset. Its credentials have scopes with a prefix, as they are requested. */
const post = { ...carrier, name: 'post', scopes: ['customs:movement/entry'] };
const text = welcomeLines(
  {
    baseUrl: carrier.base_url,
    idpUrl: carrier.idp_url,
    credentials: [carrier, newcomer, post],
    grants: new Map([
      ['carrier', ['movement/entry', 'movement/air', 'declaration.feed']],
      ['newcomer', []],
      ['post', ['movement/entry']],
    ]),
    data: 'a-folder',
    natsPrefix: 'playground-1a2b3c4d',
    first: firstPresentation(),
  },
  picocolors.createColors(false),
  Number.POSITIVE_INFINITY,
).join('\n');

it('shows the addresses and the path of the credentials', () => {
  assert.match(text, /console {12}http:\/\/127\.0\.0\.1:8080\/console\/\n/);
  assert.match(text, /service {12}http:\/\/127\.0\.0\.1:8080\n/);
  assert.match(text, /identity provider {2}http:\/\/127\.0\.0\.1:8080\/idp\n/);
  assert.match(text, /API reference {6}http:\/\/127\.0\.0\.1:8080\/docs\/api\/\n/);
  assert.match(text, /prefix in NATS {5}playground-1a2b3c4d\n/);
  assert.match(text, /credentials {8}a-folder\/credentials\/<identity>\.json\n/);
});

it('shows the identities and their scopes', () => {
  assert.match(text, /carrier .*movement\/entry, and 2 more\n/);
  assert.match(text, /newcomer .*nothing yet/);
  assert.match(text, /post .* {2}movement\/entry\n/);
});

it('suggests a command with the data folder', () => {
  assert.match(text, /present house-consignment .* --data a-folder\n/);
});
