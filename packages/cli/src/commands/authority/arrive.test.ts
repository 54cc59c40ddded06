// `landfall authority arrive` against a real playground: one arrival from options, many from lines.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TransportArrivalResult } from '@landfall/contract';
import { CARRIER, houseMessage, transportMessage } from '../../testing/movement-messages.js';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
const playground = await startPlayground(data);
after(() => playground.close());

async function run(line: string, { code = 0, input = '' } = {}) {
  const result = await runCommand([...line.split(' '), '--data', data], { input });
  assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
  return result;
}

/** Lodges a message, and returns its MRN. */
async function lodge(message: object): Promise<string> {
  const line = 'movement lodge --mode road --file - --json --as haulier';
  return JSON.parse((await run(line, { input: JSON.stringify(message) })).stdout).mrn;
}

/** Lodges a transport that is expected in an hour, with a direct house consignment. */
async function lodgeTransport(means: string): Promise<string> {
  await lodge(
    houseMessage(`H${means}`, {
      directConsignment: true,
      transportLevel: { carrierIdentificationNumber: CARRIER },
    }),
  );
  return lodge({
    ...transportMessage(means, [], [`H${means}`]),
    estimatedDateAndTimeOfArrival: new Date(Date.now() + 3_600_000).toISOString(),
  });
}

test('a transport arrives by its plate, and is corrected by its MRN', async () => {
  const mrn = await lodgeTransport('AR1');
  const arrived = await run('authority arrive --mode road --means AR1 --office NO371001');
  assert.equal(
    arrived.stdout,
    `Arrived. MRN ${mrn}: 1 house consignment presented, 0 signals issued by that\n`,
  );
  const time = `${new Date(Date.now() - 60_000).toISOString().slice(0, 19)}Z`;
  const words = `authority arrive --mrn ${mrn} --office NO351001 --time ${time}`;
  assert.match((await run(words)).stdout, /^Corrected\. MRN \S+: 0 house consignments/);
  const { stdout } = await run(`${words} --json`);
  assert.deepEqual(JSON.parse(stdout), {
    line: 1,
    status: 'UNCHANGED',
    mrn,
    houseConsignments: 0,
    signals: 0,
  });
});

test('a refusal names the member and the code', async () => {
  const { stderr } = await run('authority arrive --mode air --conveyance LF1 --office NO000000', {
    code: 1,
  });
  assert.match(stderr, /refused\n {2}conveyanceReferenceNumber: .* \(REFERENCE_NOT_FOUND\)/);
});

test('lines are reported, and refused one by one', async () => {
  const mrn = await lodgeTransport('AR2');
  const line = JSON.stringify({
    mrn,
    dateAndTimeOfArrival: new Date().toISOString(),
    customsOfficeOfArrival: { referenceNumber: 'NO371001' },
  });
  const input = [line, 'no JSON', line].join('\n');
  const { stdout, stderr } = await run('authority arrive -', { code: 1, input });
  assert.match(stderr, /^line 2 refused\n {2}line: must be valid JSON.* \(FORMAT\)$/m);
  assert.match(stdout, /^3 lines: 1 arrived, 1 unchanged, 1 refused\. /m);
  const results = (await run('authority arrive - --json', { code: 1, input })).stdout
    .trimEnd()
    .split('\n')
    .map((text): TransportArrivalResult => JSON.parse(text));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['UNCHANGED', 'REFUSED', 'UNCHANGED'],
  );
});

test('wrong usage is explained', async () => {
  for (const words of [
    '',
    ' --office NO371001',
    ' --mode road --means X',
    ' --means X --office N',
  ]) {
    const { stderr } = await run(`authority arrive${words}`, { code: 2 });
    assert.match(stderr, /arrive needs a file, or --office and --mrn/);
  }
  const both = await run('authority arrive x.ndjson --mrn 26NO7K2M4Q9XWR5HT0', { code: 2 });
  assert.match(both.stderr, /either a file or options/);
});
