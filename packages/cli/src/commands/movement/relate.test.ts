// `landfall movement relate` and `unrelate`, also with responses that are lost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { startLossyProxy } from '../../testing/lossy-proxy.js';
import { houseMessage, transportMessage } from '../../testing/movement-messages.js';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const playground = await startPlayground(data);
after(() => playground.close());
const proxy = await startLossyProxy(playground.baseUrl);
proxy.path = '/movement/road/';

const run = (line: string, input: unknown = '') =>
  runCommand(['movement', ...line.split(' '), '--data', data], {
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });

async function json(line: string, input: unknown = '') {
  const { code, stdout, stderr } = await run(`${line} --json`, input);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Lodges a transport with this plate; gives its MRN. */
async function lodgeLorry(plate: string): Promise<string> {
  const { mrn } = await json('lodge --mode road --file -', transportMessage(plate, []));
  return mrn;
}

it('a house consignment is hung on a transport, shown in its tree and by its message, and taken off', async () => {
  const lorry = await lodgeLorry('RE11111');
  const house = houseMessage('RELATED');
  const { mrn: goods } = await json('lodge --mode road --file -', house);
  const pair = `transport ${lorry} house-consignment ${goods} --mode road`;
  const made = await run(`relate ${pair}`);
  assert.equal(made.code, 0, made.stderr);
  const [, relation = ''] =
    /^Related\. MRN (\w{18}), requestId \S+\nTo cancel it: .*movement unrelate/.exec(made.stdout) ??
    [];
  const tree = await run(`view ${lorry} --mode road`);
  assert.match(tree.stdout, new RegExp(`RELATED .*, by the relation ${relation}`));
  const shown = await run(`show house-consignment ${goods} --mode road`);
  assert.match(
    shown.stdout,
    new RegExp(`\\n  relation {2}${relation}: house-consignment on transport\\n`),
  );

  const again = await run(`relate ${pair}`);
  assert.equal(again.code, 1);
  assert.match(again.stderr, new RegExp(`related already: ${relation} \\(DUPLICATE\\)`));
  const backwards = `relate house-consignment ${goods} transport ${lorry} --mode road`;
  assert.match((await run(backwards)).stderr, /\(INCOMPATIBLE\)/);

  const cancelled = await run(`unrelate ${relation} --mode road`);
  assert.match(cancelled.stdout, new RegExp(`^Cancelled\\. MRN ${relation}, requestId \\S+\\n$`));
  assert.equal((await json(`unrelate ${relation} --mode road`)).status, 'SUCCESS');
  assert.doesNotMatch((await run(`view ${lorry} --mode road`)).stdout, /RELATED/);
  const unknown = await run('unrelate 26NO000000000000T0 --mode road');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /26NO000000000000T0/);
});

it('a response that is lost is made up for by the status: nothing is related or cancelled twice', async () => {
  const lorry = await lodgeLorry('RE22222');
  const { mrn: goods } = await json('lodge --mode road --file -', houseMessage('LOST'));
  const pair = `transport ${lorry} house-consignment ${goods} --mode road`;
  proxy.losses = 1;
  const made = await run(`relate ${pair} --url ${proxy.url}`);
  assert.match(made.stdout, /^Related\./, made.stderr);
  assert.equal(proxy.losses, 0);
  const [, relation = ''] = /MRN (\w{18})/.exec(made.stdout) ?? [];
  proxy.losses = 1;
  const cancelled = await run(`unrelate ${relation} --mode road --url ${proxy.url}`);
  assert.match(cancelled.stdout, /^Cancelled\./, cancelled.stderr);
  assert.equal(proxy.losses, 0);
  const statuses: { operation: string; mrn?: string }[] = await json('status list');
  const ofRelation = statuses.filter(({ mrn }) => mrn === relation);
  assert.deepEqual(ofRelation.map(({ operation }) => operation).sort(), ['CANCEL', 'LODGE']);
});
