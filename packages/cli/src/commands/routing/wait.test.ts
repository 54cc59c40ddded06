// `landfall routing wait` prints each document of a list once, ends when all have their routing, and says what is left.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runCommand } from '../../testing/run-command.js';
import { issueSignals, registerHouses, startService } from '../../testing/start-service.js';

const service = await startService('embedded');
const decided = await issueSignals(service, ['TO_ENTRY', 'TO_CONTROL']);
const [waiting = ''] = await registerHouses(service, 1);
await service.run(`present house-consignment --document ${waiting} --type N740`);

const run = (...words: string[]) =>
  runCommand(['routing', 'wait', ...words, '--data', service.data]);
const list = join(service.data, 'parcels.csv');
writeFileSync(
  list,
  ['documentNumber,type', ...[...decided, waiting].map((one) => `${one},N740`)].join('\n'),
);
const store = join(service.data, 'wait.position');

it('ends when all have their routing', async () => {
  const [document = ''] = decided;
  const { code, stdout, stderr } = await run('--document', document, '--type', 'N740');
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^document +type .*\\n${document} +N740 .* TO_ENTRY`));
  assert.match(stderr, /^1 of 1 have their routing\.$/m);
});

it('says how many are left when the time is over, and how to go on', async () => {
  const { code, stdout, stderr } = await run(
    '--file',
    list,
    '--store',
    store,
    '--within',
    '1',
    '--json',
  );
  assert.equal(code, 5);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ transportDocumentHouseLevel: { documentNumber }, routing }) => [
      documentNumber,
      routing,
    ]),
    [
      [decided[0], 'TO_ENTRY'],
      [decided[1], 'TO_CONTROL'],
    ],
  );
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  assert.deepEqual([error.ending, error.pending], ['PENDING', 1]);
  assert.match(
    error.message,
    /2 of 3 have their routing\.\nTo wait for the others: .* routing wait --file .*parcels\.csv --store .*wait\.position/,
  );
});

it('goes on after the position, and finds what was decided before it', async () => {
  const decision = {
    mrn: waiting.slice(0, waiting.lastIndexOf('-')),
    transportDocumentHouseLevel: { documentNumber: waiting, type: 'N740' },
    routing: 'TO_ENTRY',
    reason: 'checked',
  };
  await service.run('authority decide -', JSON.stringify(decision));
  const { code, stdout, stderr } = await run('--file', list, '--store', store);
  assert.equal(code, 0, stderr);
  for (const document of [...decided, waiting]) assert.equal(stdout.split(document).length, 2);
  assert.match(stderr, /^3 of 3 have their routing\.$/m);
});

it('refuses what is no list of house consignments before it waits', async () => {
  const wrong = join(service.data, 'wrong.csv');
  writeFileSync(wrong, 'documentNumber,type\nHC001,X999\n');
  const { code, stderr } = await run('--file', wrong);
  assert.equal(code, 1);
  assert.match(stderr, /^error: line 2 of .*wrong\.csv is no house consignment: .*type/m);
  assert.equal((await run('--document', 'HC001')).code, 2);
  assert.equal((await run('--file', list, '--document', 'HC001')).code, 2);
  assert.equal((await run('--document', 'HC001', '--type', 'X999')).code, 2);
});
