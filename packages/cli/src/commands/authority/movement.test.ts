// `landfall authority transport` and `landfall authority movement` against a real playground.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ExpectedTransport, LodgedMovement } from '@landfall/client';
import { CARRIER, houseMessage, transportMessage } from '../../testing/movement-messages.js';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
const playground = await startPlayground(data);
after(() => playground.close());

async function run(line: string | readonly string[], { code = 0, input = '' } = {}) {
  const words = typeof line === 'string' ? line.split(' ') : line;
  const result = await runCommand([...words, '--data', data], { input });
  assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
  return result;
}

/** Lodges a message, and returns its MRN. */
async function lodge(message: object): Promise<string> {
  const line = 'movement lodge --mode road --file - --json --as haulier';
  return JSON.parse((await run(line, { input: JSON.stringify(message) })).stdout).mrn;
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const lodgeTransport = (means: string, hours: number) =>
  lodge({
    ...transportMessage(means, [], [`H${means}`]),
    estimatedDateAndTimeOfArrival: inHours(hours),
  });

test('transports are listed by their estimated arrival, page by page', async () => {
  const second = await lodgeTransport('TL2', 2);
  const first = await lodgeTransport('TL1', 1);
  const { stdout } = await run('authority transport list --expected --office NO371001');
  const [heading = '', ...lines] = stdout.trimEnd().split('\n');
  assert.match(heading, /^MRN +state +mode +means +estimated +arrived +office +carrier/);
  assert.deepEqual(
    lines.map((line) => line.split(/ +/)[0]),
    [first, second],
  );
  assert.match(lines[0] ?? '', / CURRENT +road +TL1 .* NO371001 /);
  const page = await run('authority transport list --expected --limit 1 --json');
  const [one] = JSON.parse(page.stdout) as ExpectedTransport[];
  assert.equal(one?.mrn, first);
  const marker = /--marker (\S+)/.exec(page.stderr)?.[1] ?? assert.fail(page.stderr);
  assert.match(page.stderr, /authority transport list --expected --limit 1 --marker/);
  const next = await run(`authority transport list --expected --marker ${marker} --json`);
  assert.deepEqual(
    (JSON.parse(next.stdout) as ExpectedTransport[]).map(({ mrn }) => mrn),
    [second],
  );
  await run(`authority arrive --mrn ${first} --office NO351001`);
  const arrived = await run('authority transport list --arrived --office NO351001 --json');
  assert.deepEqual(
    (JSON.parse(arrived.stdout) as ExpectedTransport[]).map(({ mrn }) => mrn),
    [first],
  );
  const none = await run(`authority transport list --means TL1 --from ${inHours(1.5)}`);
  assert.equal(none.stdout, 'No transports match.\n');
  const wrong = await run('authority transport list --from yesterday', { code: 1 });
  assert.match(wrong.stderr, /from: must be a date-time/);
  await run('authority transport list --expected --state CLOSED', { code: 2 });
});

test('a message is shown with its parties and what it is coupled to', async () => {
  const transport = await lodgeTransport('TS1', 3);
  const house = await lodge(
    houseMessage('HTS1', {
      directConsignment: true,
      transportLevel: { carrierIdentificationNumber: CARRIER },
    }),
  );
  const { stdout } = await run(`authority movement show ${transport}`);
  assert.match(stdout, new RegExp(`^CURRENT  ${transport}\n  message +transport, road\n`));
  assert.match(stdout, /\n {2}submitter +0192:310000124\n/);
  assert.match(stdout, /"identificationNumber": "TS1"/);
  assert.match(stdout, new RegExp(`\nBelow it:\n  ${house}  house-consignment  HTS1 N730`));
  const json = await run(`authority movement show ${house} --json`);
  const movement = JSON.parse(json.stdout) as LodgedMovement;
  assert.deepEqual(
    movement.above.map(({ mrn }) => mrn),
    [transport],
  );
  const shown = await run(`authority movement show ${house}`);
  assert.match(shown.stdout, new RegExp(`house consignment +${movement.houseConsignmentId}`));
  assert.match(shown.stdout, new RegExp(`\nAbove it:\n  ${transport}  transport  TS1 `));
});

test('a message is cancelled with a reason, and whoever lodged it reads that the authority did it', async () => {
  const mrn = await lodgeTransport('TC1', 4);
  const words = ['authority', 'movement', 'cancel', mrn, '--reason', 'the sender is insolvent'];
  assert.equal((await run(words)).stdout, `Cancelled. MRN ${mrn}: its key is free\n`);
  assert.equal((await run(words)).stdout, `Unchanged. MRN ${mrn} had been cancelled before\n`);
  const json = JSON.parse((await run([...words, '--json'])).stdout);
  assert.deepEqual(json, { mrn, status: 'UNCHANGED' });
  const statuses = await run('movement status list --as haulier');
  assert.match(
    statuses.stdout,
    new RegExp(`SUCCESS +CANCEL .* ${mrn} .*\n +cancelled by the customs authority`),
  );
  const { stderr } = await run(['authority', 'movement', 'cancel', mrn], { code: 2 });
  assert.match(stderr, /--reason/);
  await lodgeTransport('TC1', 4);
});

test('what has arrived is not cancelled, and what is unknown is said to be', async () => {
  const mrn = await lodgeTransport('TC2', 5);
  await run(`authority arrive --mrn ${mrn} --office NO371001`);
  const { stderr } = await run(`authority movement cancel ${mrn} --reason trial`, { code: 1 });
  assert.match(stderr, /MRN: must not be cancelled: the transport has arrived \(PRESENTED\)/);
  const unknown = '26NO000000000000T0';
  for (const words of [`show ${unknown}`, `cancel ${unknown} --reason trial`]) {
    const result = await run(`authority movement ${words}`, { code: 1 });
    assert.match(result.stderr, /There is no movement message 26NO000000000000T0/);
  }
});
