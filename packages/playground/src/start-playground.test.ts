// Playgrounds in the process of a test: independent of each other, with own data, and gone without a trace.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Landfall } from '../../client/dist/index.js';
import { startPlayground } from './index.js';

const office = { customsOfficeOfPresentation: 'NO351001' };
const parcel = {
  ...office,
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

/** The folder for temporary files of this process. */
const temporary = await mkdtemp(join(tmpdir(), 'landfall-test-'));
process.env.TMPDIR = temporary;
after(() => rm(temporary, { recursive: true }));

test('several run at once, each with its own port, data and identities, and leave no folder behind', async () => {
  const playgrounds = await Promise.all([startPlayground(), startPlayground()]);
  const [first, second] = playgrounds;
  assert.notEqual(first.baseUrl, second.baseUrl);
  const [one, other] = playgrounds.map(
    (playground) => new Landfall(playground.credentials('carrier')),
  );
  await one?.presentHouseConsignment(parcel);
  assert.equal((await one?.routingSignals())?.entries.length, 1);
  assert.equal((await other?.routingSignals())?.entries.length, 0);
  assert.throws(() => first.credentials('nobody'), {
    code: 'UNKNOWN_IDENTITY',
    message: /^there is no identity nobody; there are carrier, forwarder, /,
  });
  await Promise.all(playgrounds.map((playground) => playground.close()));
  assert.deepEqual(await readdir(temporary), []);
  await assert.rejects(fetch(`${first.baseUrl}/livez`));
});

test('own data and own identities', async () => {
  const documentNumber = 'OWN-1';
  await using playground = await startPlayground({
    dataset: [
      {
        mrn: '26NO00000000000018',
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000086',
        houseConsignments: [
          { transportDocumentHouseLevel: { documentNumber, type: 'N740' }, routing: 'TO_ENTRY' },
        ],
      },
    ],
    identities: [
      {
        name: 'handler',
        kind: 'domestic',
        organisation: '0192:310000094',
        organisationName: 'Handler',
        scopes: ['movement/entry'],
        granted: ['movement/entry'],
      },
    ],
  });
  const handler = new Landfall(playground.credentials('handler'));
  await handler.presentHouseConsignment({
    ...office,
    transportDocumentHouseLevel: { documentNumber, type: 'N740' },
  });
  const { entries } = await handler.routingSignals();
  assert.equal(entries[0]?.routingResult.routing, 'TO_ENTRY');
  // The built-in dataset is replaced.
  await assert.rejects(handler.presentHouseConsignment(parcel), { status: 400 });
});

test('an invalid dataset or identity is refused with its member and the rule, and leaves nothing', async () => {
  await assert.rejects(startPlayground({ dataset: [{ mrn: 'x' }] }), {
    code: 'INVALID_DATASET',
    message: /^the dataset in this program has 1 invalid line:\n {2}line 1: /,
  });
  const identity = {
    name: '../carrier',
    kind: 'domestic' as const,
    organisation: '0192:310000094',
    organisationName: 'Handler',
    scopes: [],
    granted: [],
  };
  await assert.rejects(startPlayground({ identities: [identity] }), {
    code: 'PLAYGROUND_OPTION',
    message: /^identities\[0\]\.name must begin with a lower-case letter/,
  });
  await assert.rejects(startPlayground({ identities: [{ ...identity, name: 'carrier' }] }), {
    code: 'PLAYGROUND_OPTION',
    message: 'identities[0].name carrier belongs to another identity',
  });
  assert.deepEqual(await readdir(temporary), []);
});

test('a port that is in use is an error, and no folder is made', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  const data = join(folder, 'data');
  await assert.rejects(startPlayground({ port: address.port, data }), { code: 'EADDRINUSE' });
  assert(!existsSync(data));
  server.close();
  await rm(folder, { recursive: true });
});

test('with a folder, data and credentials are kept', async () => {
  const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  let url = '';
  {
    await using playground = await startPlayground({ data });
    url = playground.baseUrl;
    await new Landfall(playground.credentials('carrier')).presentHouseConsignment(parcel);
  }
  // `await using` has closed it.
  await assert.rejects(fetch(`${url}/livez`));
  assert((await readdir(join(data, 'credentials'))).includes('carrier.json'));
  {
    await using playground = await startPlayground({ data });
    const carrier = new Landfall(playground.credentials('carrier'));
    assert.equal((await carrier.routingSignals()).entries.length, 1);
    await playground.reset();
    assert.equal((await carrier.routingSignals()).entries.length, 0);
  }
  await rm(data, { recursive: true });
});
