// Every command that changes data, killed when its change was carried out and started again, twice at once: the reader of one
// takes a single line, the output of the other goes to a full disk. Running it again does nothing twice, except what is listed.
// A run of all tests draws some of the commands.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Landfall } from '@landfall/client';
import * as operations from '@landfall/client/operations';
import type { Playground } from '@landfall/playground';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { startCountingProxy } from '../testing/counting-proxy.js';
import { landfallScript, startLandfall, testEnvironment } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { changingSubcommands, writeSubcommandFiles } from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

/** Commands of which each run is one more, and in which list: they have no id that a second run could give again. */
const oneMore: Record<string, string> = {
  present: 'listValidationStatuses',
  'movement lodge': 'listMovementStatuses',
  'movement relate': 'listMovementStatuses',
  'authority decide': 'listRoutingDecisions',
  'push create': 'listSubscriptions',
  'routing-run create': 'listRoutingRuns',
  'scenario create': 'scenarios',
};

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;
const proxies = [
  await startCountingProxy(() => playground.baseUrl),
  await startCountingProxy(() => playground.baseUrl),
] as const;

before(async () => {
  playground = await startPlayground(data);
  await writeSubcommandFiles(folder, data);
});
after(() => playground.close());

const changing = changingSubcommands(folder, data);

/** Everything of which the service has a list, whoever may read it. */
const lists = Object.entries(operations)
  .filter(([name, { path }]) => /^(list|readRoutingSignals)/.test(name) && !path.includes('{'))
  // Names are of organisations that the request names.
  .filter(([name]) => name !== 'listOrganisationNames')
  // Code lists are for everybody, and no command changes how many there are.
  .flatMap(([name, { access }]) => (typeof access === 'string' ? [] : { name, access }));
const clients = new Map<string, Landfall>();

/** Starts a command: its first line is read, or its output goes to a disk that is full. */
function start(line: string, index: 0 | 1, output: 'first line' | 'full disk') {
  const proxy = proxies[index];
  proxy.arrived = 0;
  proxy.done = 0;
  const words = [...line.split(' '), '--data', data, '--url', proxy.url];
  const command = [process.execPath, ...process.execArgv, landfallScript, ...words];
  const shell =
    output === 'full disk' ? 'exec "$@" > /dev/full' : '"$@" | head -1; exit $PIPESTATUS';
  const child = spawn('bash', ['-c', shell, 'bash', ...command], {
    env: testEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.resume();
  return once(child, 'close').then(([code]) => ({ code, stderr, proxy: { ...proxy } }));
}

test('there are commands that change data', () => assert(changing.length >= 25));

for (const [name, words, identity] of drawCases('killed commands', changing, 10)) {
  const line = `${name} ${words} --as ${identity}`.replaceAll(/ +/g, ' ');
  test(`landfall ${name}: killed, and run again twice at once`, { timeout: 60_000 }, async () => {
    const [proxy] = proxies;
    const kept = new Promise<ServerResponse>((resolve) => {
      proxy.keep = resolve;
    });
    proxy.done = 0;
    const killed = startLandfall([...line.split(' '), '--data', data, '--url', proxy.url]);
    await Promise.race([kept, killed.ended]);
    killed.process.kill('SIGKILL');
    proxy.keep = undefined;
    const hasDone = proxy.done > 0;
    const { code } = await killed.ended;
    if (hasDone) assert.notEqual(code, 0, 'it did not have the response');

    const state = await count();
    const runs = await Promise.all([start(line, 0, 'first line'), start(line, 1, 'full disk')]);
    for (const { code, stderr, proxy } of runs) {
      const { done, arrived } = proxy;
      assert.doesNotMatch(stderr, /unexpected error|\n {4}at |node:internal/);
      if (code === 0) assert.equal(done, arrived, 'a change is not done, and the code is 0');
      else assert([1, 3, 4, 141].includes(code), `code ${code}: ${stderr}`);
    }
    if (!hasDone) return;
    const { [oneMore[name] ?? '']: _, ...others } = state;
    const { [oneMore[name] ?? '']: __, ...othersAfter } = await count();
    assert.deepEqual(othersAfter, others, 'something was done twice');
  });
}

/** How many entries each list of the service and of the playground has. */
async function count(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {
    snapshots: playground.snapshots().length,
    scenarios: playground.scenarios.list().length,
  };
  for (const { name, access } of lists) {
    const identity = playground.identities.find(({ scopes }) =>
      scopes.some((scope) => access.some((name) => scope.endsWith(`:${name}`))),
    );
    assert(identity, `nobody may read ${name}`);
    const client =
      clients.get(identity.name) ?? new Landfall(playground.credentials(identity.name));
    clients.set(identity.name, client);
    let entries = 0;
    const list: AsyncIterable<unknown> | Promise<unknown[]> = Reflect.get(client, name).call(
      client,
    );
    for await (const _ of Symbol.asyncIterator in list ? list : await list) entries += 1;
    counts[name] = entries;
  }
  return counts;
}
