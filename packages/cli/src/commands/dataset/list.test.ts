// `landfall dataset list`: what can be presented, by level and filter, in pages; only on a playground.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { makeRunLine } from '../../testing/run-line.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
let playground: Playground;

const run = makeRunLine(data);

before(async () => {
  playground = await startPlayground(data);
  await run('present house-consignment --as carrier --document HC001 --type N740');
});
after(() => playground.close());

it('shows house consignments that match, and prints one array with --json', async () => {
  assert.match(await run('dataset list --presented yes'), /^document .*\nHC001 .* SIGNALLED /);
  const listed: { transportDocumentHouseLevel: { documentNumber: string } }[] = JSON.parse(
    await run('dataset list --presented no --json'),
  );
  assert.equal(listed.length, 7);
  assert.equal(await run('dataset list --identity newcomer'), 'Nothing matches.\n');
});

it('shows the references of a level with the numbers of their goods, and the next page', async () => {
  const declarations = await run('dataset list --level entry-summary-declaration --limit 3');
  assert.match(declarations, /^reference +house consignments +presented +decided/);
  assert.match(declarations, /^23NO00000000000003 +2 +1 +2 +/m);
  const [, next = ''] = /^More results: .*(dataset list .*) --data /m.exec(declarations) ?? [];
  assert.match(await run(next), /^reference .*\n23NO00000000000004 /);
});

it('reports what a playground refuses, and wrong usage', async () => {
  assert.match(await run('dataset list --identity nobody', 1), /identity: must be one of carrier,/);
  assert.match(await run('dataset list --mrn x', 1), /mrn: must be an MRN/);
  assert.match(await run('dataset list --presented perhaps', 2), /Allowed choices are yes, no/);
});

it('says that another service is not a playground', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    // The cast is true of a server that listens on a port.
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    assert.match(
      await run(`dataset list --url ${url}`, 1),
      new RegExp(`^error: ${url} is not a playground, and only a playground has this; start one:`),
    );
  } finally {
    server.close();
  }
});
