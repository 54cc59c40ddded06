// `landfall movement generate`: each kind of journey goes from lodging to entry, as the guide shows it for one of them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keysOf } from '@landfall/contract';
import { journeyKinds } from '@landfall/samples';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
const playground = await startPlayground(data);
after(() => playground.close());

const run = (line: string, input = '') =>
  runCommand(['movement', ...line.split(' '), '--data', data], { input });

async function succeed(line: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(line, input);
  assert.equal(code, 0, stderr + stdout);
  return stdout;
}

async function generate(line: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['movement', 'generate', ...line.split(' ')]);
  assert.equal(code, 0, stderr);
  return stdout;
}

for (const kind of keysOf(journeyKinds)) {
  const { mode, office } = journeyKinds[kind];

  async function lodge(options: string): Promise<string> {
    const lodged = await succeed(
      `lodge --mode ${mode} --file - --json`,
      await generate(`${kind} ${options}`),
    );
    const last = lodged
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert(
      last.every(({ status }) => status === 'LODGED'),
      lodged,
    );
    const [transport] = JSON.parse(await succeed(`list transport --mode ${mode} --json`));
    return transport.mrn;
  }

  test(`a ${kind} goes from lodging to entry`, async () => {
    const mrn = await lodge('--houses 30 --seed 1');
    assert.match(await succeed(`view ${mrn} --mode ${mode}`), /^Nothing is missing\.$/m);
    await succeed(`arrive ${mrn} --office ${office}`);
    await succeed(`entry ${mrn} --mode ${mode} --wait --within 60`);
  });

  test(`a ${kind} with incomplete house consignments may not be unloaded, and says why`, async () => {
    const mrn = await lodge('--houses 5 --incomplete 100 --seed 2');
    assert.match(await succeed(`view ${mrn} --mode ${mode}`), /^Missing: 5 incomplete\.$/m);
    await succeed(`arrive ${mrn} --office ${office}`);
    const { code, stderr } = await run(`entry ${mrn} --mode ${mode}`);
    assert.equal(code, 5, stderr);
    assert.match(stderr, /\(INCOMPLETE\)|\(HOUSE_INCOMPLETE\)/);
  });
}

test('the carrier and the time are those of the options', async () => {
  const lines = (
    await generate('lorry --houses 2 --carrier NO888888888 --arrives 2027-01-02T03:04Z')
  ).trimEnd();
  const transport = JSON.parse(lines.split('\n').at(-1) ?? '');
  assert.equal(transport.carrier.identificationNumber, 'NO888888888');
  assert.equal(transport.estimatedDateAndTimeOfArrival, '2027-01-02T03:04:00Z');
});

test('what is no option says what it must be', async () => {
  for (const [line, reason] of [
    ['zeppelin', /Allowed choices are lorry/],
    ['lorry --houses 0', /--houses/],
    ['lorry --incomplete 101', /--incomplete/],
    ['lorry --arrives tomorrow', /must be a time in UTC/],
    ['lorry --arrives 2027-02-30T00:00Z', /must be a time in UTC/],
    ['lorry --dataset carrier --arrives 2027-01-02T03:04Z', /cannot be used with/],
  ] as const) {
    const { code, stderr } = await runCommand(['movement', 'generate', ...line.split(' ')]);
    assert.equal(code, 2, line);
    assert.match(stderr, reason);
  }
});
