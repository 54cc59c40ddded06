// The commands of organisations against a real playground.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall } from '../../testing/run-landfall.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
let playground: Playground;
before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

async function run(line: string, { code = 0, input = '' } = {}): Promise<string> {
  const result = await runCommand([...line.split(' '), '--data', data], { input });
  assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
  return code === 0 ? result.stdout : result.stderr;
}

const newcomer = '0192:310000051';

it('list shows all organisations, and where more begin', async () => {
  const table = await run('organisation list');
  assert.match(table, /^id +name +kind +blocked +granted\n/);
  assert.match(table, /\n0192:310000051 +Playground newcomer +domestic +no +none\n/);
  const all = JSON.parse(await run('organisation list --json'));
  const [first, second] = all;
  assert.deepEqual(
    JSON.parse(await run(`organisation names ${second.id} ${first.id} 0192:999999999 --json`)),
    [first, second].map(({ id, name }) => ({ id, name })),
  );
  assert.equal(all.length, table.trimEnd().split('\n').length - 1);
  assert.match(
    await run('organisation list --limit 2'),
    new RegExp(`\nMore results: .* organisation list --limit 2 --marker ${all[1].id} --data `),
  );
  const rest = JSON.parse(await run(`organisation list --marker ${all[1].id} --json`));
  assert.deepEqual(rest, all.slice(2));
});

it('view shows an organisation', async () => {
  assert.match(
    await run(`organisation view ${newcomer}`),
    /0192:310000051 {2}Playground newcomer\n {2}kind {5}domestic\n {2}granted {2}none\n {2}numbers {2}none\n {2}clients {2}playground-newcomer\n/,
  );
  assert.match(await run('organisation view NTRNO-2', { code: 1 }), /refused \(404/);
});

it('grant, revoke, block and unblock change nothing else', async () => {
  await run(`organisation grant ${newcomer} movement/entry movement/air`);
  const blocked = await run(`organisation block ${newcomer}`);
  assert.match(blocked, /granted {2}movement\/air, movement\/entry\n[\s\S]*blocked {2}yes/);
  await run(`organisation revoke ${newcomer} movement/air`);
  const back = JSON.parse(await run(`organisation unblock ${newcomer} --json`));
  const { name, grantedScopes, blocked: isBlocked, clients } = back;
  assert.deepEqual(
    [name, grantedScopes, isBlocked, clients.length],
    ['Playground newcomer', ['movement/entry'], false, 1],
  );
});

it('block and unblock change one client', async () => {
  const own = 'playground-newcomer';
  const view = async (id: string) => JSON.parse(await run(`organisation view ${id} --json`));
  const { clients: before } = await view(newcomer);
  assert.match(
    await run(`organisation block ${newcomer} --client ${own.toUpperCase()}`),
    /clients {2}playground-newcomer \(blocked\)\n {2}blocked {2}no/,
  );
  await run(`organisation unblock ${newcomer} --client ${own}`);
  assert.deepEqual((await view(newcomer)).clients, before);
  const missing = await run(`organisation unblock ${newcomer} --client other`, { code: 2 });
  assert.match(missing, /has no client other; its clients: playground-newcomer/);
});

it('block says when it may meet nobody, and what could meet nobody is refused', async () => {
  const block = (line: string) =>
    runCommand(['organisation', 'block', ...line.split(' '), '--data', data]);
  const domestic = '0192:974760673';
  await run(`organisation create ${domestic} --name Domestic`);
  const unknown = await block(`${domestic} --client misspelt`);
  assert.equal(unknown.code, 0);
  assert.match(unknown.stderr, /misspelt was not registered for .* meets nobody if/);
  await run('organisation create NTRNO-6 --name Six');
  const nothing = await block('NTRNO-6');
  assert.match(nothing.stderr, /NTRNO-6 is granted nothing/);
  const other = await block(`${domestic} --client playground-carrier`);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /belongs to another organisation/);
  const separated = await block('NTRNO-6 --client eidas-4D:2A');
  assert.equal(separated.code, 1);
  assert.match(separated.stderr, /must be eidas- and the serial number/);
  for (const id of ['NTRNO-6', domestic]) {
    const seal = await block(`${id} --client eidas-4d2a`);
    assert.equal(seal.code, id === domestic ? 1 : 0, seal.stderr);
  }
});

it('of changes that are made at the same time, none is lost', async () => {
  // Each command reads the organisation before another one changes it.
  playground.scenarios.add({ kind: 'delay', milliseconds: 1000, operation: 'patchOrganisation' });
  const scopes = ['movement/rail', 'movement/maritime'];
  const words = ['organisation', 'grant', newcomer];
  const runs = scopes.map((scope) => runLandfall([...words, scope, '--data', data]));
  for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
  playground.scenarios.clear();
  const { grantedScopes } = JSON.parse(await run(`organisation view ${newcomer} --json`));
  assert.deepEqual(grantedScopes, ['movement/entry', 'movement/maritime', 'movement/rail']);
  await run(`organisation revoke ${newcomer} ${scopes.join(' ')}`);
});

it('of two that create the same organisation at the same time, one succeeds', async () => {
  playground.scenarios.add({ kind: 'delay', milliseconds: 1000, operation: 'putOrganisation' });
  const words = ['organisation', 'create', 'NTRNO-4', '--data', data];
  const runs = ['One', 'Two'].map((name) => runLandfall([...words, '--name', name]));
  const ended = await Promise.all(runs);
  playground.scenarios.clear();
  const succeeded = ended.find(({ code }) => code === 0);
  const failed = ended.find(({ code }) => code === 1);
  assert.match(String(failed?.stderr), /organisation NTRNO-4 exists already; change it with/);
  const { name } = JSON.parse(await run('organisation view NTRNO-4 --json'));
  assert.match(String(succeeded?.stdout), new RegExp(`^NTRNO-4 {2}${name}\n`));
});

it('update makes several changes at once', async () => {
  const said = await run(
    `organisation update ${newcomer} --name Newcomer --grant movement/air --block`,
  );
  assert.match(said, /^0192:310000051 {2}Newcomer\n[\s\S]*movement\/air[\s\S]*blocked {2}yes/);
});

it('create makes a new organisation, and refuses an existing one', async () => {
  const missing = await run('organisation block NTRNO-1', { code: 2 });
  assert.match(missing, /does not exist yet; to create it: .* organisation create NTRNO-1/);
  const made = await run('organisation create NTRNO-1 --name Made --grant movement/entry');
  assert.match(made, /NTRNO-1 {2}Made\n {2}kind {5}foreign\n {2}granted {2}movement\/entry/);
  const again = await run('organisation create NTRNO-1 --name Made', { code: 1 });
  assert.match(again, /exists already/);
});

describe('add-key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const input = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const words = `organisation add-key ${newcomer} - --client extra --kid k1 --json`;

  it('registers the key with the client, once', async () => {
    await run(words, { input });
    const { clients } = JSON.parse(await run(words, { input }));
    const extra = clients.find(({ client_id }: { client_id: string }) => client_id === 'extra');
    assert.equal(extra.keys.length, 1);
    const { kid, kty, crv, d } = extra.keys[0];
    assert.deepEqual([kid, kty, crv, d], ['k1', 'EC', 'P-256', undefined]);
    assert.equal(clients.length, 2);
  });

  it('refuses a private key, and a text that is no key', async () => {
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    assert.match(await run(words, { code: 2, input: secret }), /standard input is a private key/);
    assert.match(await run(words, { code: 2, input: 'x' }), /has no public key or certificate/);
  });
});

it('identification numbers are set, added and removed', async () => {
  const made = await run('organisation create NTRNO-7 --name Seven --numbers de1,SE2');
  assert.match(made, /\n {2}numbers {2}DE1, SE2\n/);
  const words = 'organisation update NTRNO-7 --add-numbers fr3,DE1 --remove-numbers se2 --json';
  assert.deepEqual(JSON.parse(await run(words)).identificationNumbers, ['DE1', 'FR3']);
  const renamed = JSON.parse(await run('organisation update NTRNO-7 --name Other --json'));
  assert.deepEqual(renamed.identificationNumbers, ['DE1', 'FR3']);
  const taken = await run('organisation update NTRNO-6 --add-numbers FR3', { code: 1 });
  assert.match(taken, /identificationNumbers\.0: belongs to another organisation/);
});
