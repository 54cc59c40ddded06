// Identities that are added, replaced and removed while a playground runs, over HTTP and in the process, also in spaces.
import assert from 'node:assert/strict';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { PlaygroundCredentials } from '@landfall/contract';
import { Landfall } from '../../client/dist/index.js';
import { clientOptions } from './client-options.js';
import { startPlayground } from './index.js';
import type { Playground, PlaygroundParts } from './playground.js';
import { parcel } from './testing/client-case.js';

let data: string;
let playground: Playground;
before(async () => {
  data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  playground = await startPlayground({ data });
});
after(async () => {
  await playground.close();
  await rm(data, { recursive: true });
});

async function call(parts: PlaygroundParts, method: string, name: string, body?: object) {
  const response = await fetch(`${parts.baseUrl}/playground/identities/${name}`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const as = (credentials: PlaygroundCredentials) =>
  new Landfall({ ...clientOptions(credentials), retry: false });

const agent = { organisation: '0192:310000086', organisationName: 'Agent' };
const seal = { organisation: 'NTRDE-HRB000077', organisationName: 'Seal' };

for (const [kind, body] of Object.entries({ domestic: agent, foreign: seal })) {
  test(`a ${kind} one is added, replaced and removed: what is withdrawn is refused at once, also after resets`, async () => {
    await using space = await playground.space();
    for (const parts of [playground, space]) {
      const added = await call(parts, 'PUT', 'added', body);
      assert.equal(added.status, 201, JSON.stringify(added.body));
      assert.equal(added.body.base_url, parts.baseUrl);
      assert.deepEqual(parts.grants.get('added'), ['movement/entry']);
      const first = as(added.body);
      await first.presentHouseConsignment(parcel);
      await parts.reset();
      await first.presentHouseConsignment(parcel);
      await as(added.body).testAuth();

      const replaced = await call(parts, 'PUT', 'added', {
        ...body,
        scopes: ['movement/entry', 'movement/air'],
        algorithm: 'RS256',
      });
      assert.equal(replaced.status, 200);
      assert.equal(replaced.body.alg, 'RS256');
      // A domestic client is its id, and every certificate of its organisation is accepted for it; an eSeal is the client.
      const isRefused = async () => {
        if (kind === 'domestic') return as(added.body).testAuth();
        await assert.rejects(as(added.body).testAuth(), { code: 'TOKEN' });
        return assert.rejects(first.testAuth(), { status: 401 });
      };
      await isRefused();
      await as(replaced.body).testAuth();
      await parts.reset();
      await isRefused();
      const last = as(replaced.body);
      await last.testAuth();
      parts.scenarios.add({ kind: 'internal-error', identity: 'added', times: 1 });
      await assert.rejects(last.routingSignals(), { status: 500 });

      assert.equal((await call(parts, 'DELETE', 'added')).status, 204);
      assert.equal((await call(parts, 'DELETE', 'added')).status, 404);
      for (const reset of [false, true]) {
        if (reset) await parts.reset();
        await assert.rejects(as(replaced.body).testAuth(), { code: 'TOKEN' });
        await assert.rejects(as(added.body).testAuth(), { code: 'TOKEN' });
        await assert.rejects(last.testAuth());
      }
      assert.throws(() => parts.credentials('added'), { code: 'UNKNOWN_IDENTITY' });
    }
  });
}

test('a built-in one is replaced and removed too, and another client of its organisation is not', async () => {
  await using space = await playground.space();
  const [before] = space.identities;
  assert(before);
  const { organisation } = before;
  const second = await space.putIdentity({
    ...{ name: 'second', kind: 'domestic', organisation, organisationName: 'Second' },
    ...{ scopes: ['movement/entry', 'movement/rail'], granted: ['movement/rail'] },
  });
  await as(before).presentHouseConsignment(parcel);
  assert.equal((await as(second).routingSignals()).entries.length, 1);
  assert.equal((await call(space, 'DELETE', before.name)).status, 204);
  await assert.rejects(as(before).testAuth(), { code: 'TOKEN' });
  await as(second).testAuth();
  await space.reset();
  await assert.rejects(as(before).testAuth(), { code: 'TOKEN' });
  await as(second).testAuth();
  // Elsewhere it is as before.
  await new Landfall(playground.credentials(before.name)).testAuth();
});

test('snapshots return the data, and changes of identities stay', async () => {
  await playground.snapshot('before');
  const added = await playground.putIdentity({
    ...{ name: 'later', kind: 'domestic', ...agent },
    ...{ scopes: ['movement/entry'], granted: ['movement/entry'] },
  });
  await playground.reset('before');
  await as(added).testAuth();
  assert(await playground.removeIdentity('later'));
  await playground.reset('before');
  await assert.rejects(as(added).testAuth(), { code: 'TOKEN' });
});

test('its files are in the data folder as long as it is there', async () => {
  const { body } = await call(playground, 'PUT', 'filed', agent);
  const file = join(data, 'credentials', 'filed.json');
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), body);
  await access(join(data, 'credentials', 'filed.p12'));
  await call(playground, 'DELETE', 'filed');
  for (const extension of ['json', 'p12', 'jwk', 'key.pem', 'chain.pem']) {
    await assert.rejects(access(join(data, 'credentials', `filed.${extension}`)), extension);
  }
});

test('what breaks a rule is refused by its name, and changes nothing', async () => {
  const names = playground.identities.map(({ name }) => name);
  for (const [name, body, field] of [
    ['Wrong', agent, 'name'],
    ['..%2fx', agent, 'name'],
    ['x'.repeat(61), agent, 'name'],
    ['one', { ...agent, organisation: 'x' }, 'organisation'],
    ['one', { ...agent, scopes: ['nothing'] }, 'scopes'],
    ['one', { ...agent, more: 1 }, 'more'],
    ['one', { ...agent, name: 'other' }, 'name'],
    ['one', { ...agent, privateKey: 'x' }, 'privateKey'],
    ['one', { ...agent, pfx: 'AAAA' }, 'pfx'],
    ['one', { organisationName: 'x' }, 'organisation'],
    ['one', { ...seal, scopes: ['declaration.feed'] }, 'scopes'],
  ] as const) {
    const { status, body: problem } = await call(playground, 'PUT', name, body);
    assert.equal(status, 400, `${name} ${JSON.stringify(body)}`);
    assert.match(problem.validationErrors[0].field, new RegExp(`^${field}`));
  }
  assert.deepEqual(
    playground.identities.map(({ name }) => name),
    names,
  );
});

test('many at once are all registered', async () => {
  await using space = await playground.space();
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, index) => call(space, 'PUT', `agent-${index}`, agent)),
  );
  assert(made.every(({ status }) => status === 201));
  await Promise.all(made.map(({ body }) => as(body).testAuth()));
});
