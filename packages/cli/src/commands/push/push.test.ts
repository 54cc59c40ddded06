// `landfall push`, with a receiver that verifies what it gets.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, it } from 'node:test';
import {
  PushError,
  type SubscriptionAttempt,
  type SubscriptionWithSecret,
  type VerifiedPush,
  verifyPush,
} from '@landfall/client';
import type { Playground } from '@landfall/playground';
import { startLandfall } from '../../testing/run-landfall.js';
import { makeRunLine } from '../../testing/run-line.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const run = makeRunLine(data);
let playground: Playground;

let secrets: string[] = [];
let pushes: VerifiedPush[] = [];
/** Answers instead of confirming, if it returns true. */
let answer: (push: VerifiedPush, response: ServerResponse) => boolean = () => false;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  try {
    const push = await verifyPush({ headers: request.headers, body }, secrets);
    pushes.push(push);
    if (answer(push, response)) return;
    if (push.type === 'subscription.verification') return response.end(push.challenge);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof PushError ? 400 : 500).end();
  }
});
let receiver: string;
const secret = `whsec_${randomBytes(32).toString('base64')}`;

before(async () => {
  playground = await startPlayground(data);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because the server listens on a port.
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await playground.close();
});
beforeEach(async () => {
  await playground.reset();
  secrets = [secret];
  pushes = [];
  answer = () => false;
});

/** The ids of the entries that came, in their order. */
const entries = () =>
  pushes.flatMap((push) =>
    push.type === 'routing.signals' ? push.data.map(({ routingResult }) => routingResult.id) : [],
  );
const present = (document: string) =>
  run(`present house-consignment --document ${document} --type N740`);
const listen = (words: string) =>
  startLandfall([
    ...`push listen --forward-to ${receiver} --secret ${secret} --json`.split(' '),
    ...`${words} --data ${data}`.trim().split(' '),
  ]);
const attemptsIn = (text: string): SubscriptionAttempt[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

it('a subscription is created, tested, paused, resumed, rotated and deleted', async () => {
  assert.match(await run('push list'), /^No subscriptions\. Try: .*push create --help/);
  answer = (_, response) => Boolean(response.writeHead(503).end());
  const created: SubscriptionWithSecret = JSON.parse(
    await run(`push create routing ${receiver} --since 2020-01-01T00:00:00Z --json`),
  );
  const { id } = created;
  secrets = [created.secret ?? ''];
  assert.match(await run(`push test ${id}`, 1), /SUBSCRIPTION_STATE/);
  assert.match(await run(`push update ${id} --state PAUSED`), /^\S+ {2}PAUSED\n/);
  answer = () => false;
  assert.match(await run(`push update ${id} --state ACTIVE`), /^\S+ {2}(?:VERIFYING|ACTIVE)\n/);
  while (!(await run(`push view ${id}`)).includes('  ACTIVE\n')) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.match(await run(`push test ${id}`), /TEST +0 +CONFIRMED +204/);
  answer = (_, response) => Boolean(response.writeHead(503).end());
  assert.match(await run(`push test ${id}`, 1), /the receiver answered with another status/);
  answer = () => false;
  const rotated: SubscriptionWithSecret = JSON.parse(await run(`push rotate ${id} --json`));
  secrets = [rotated.secret ?? ''];
  assert.match(await run(`push test ${id}`), /CONFIRMED/);
  assert.match(await run(`push attempts ${id} --outcome CONFIRMED --limit 1`), /--marker \d+/);
  const refused = JSON.parse(await run(`push attempts ${id} --outcome REFUSED --json`));
  assert.equal(refused.at(0)?.status, 503);
  assert.match(await run(`push list`), new RegExp(`${id} +ACTIVE +routing`));
  assert.equal(await run(`push delete ${id}`), `Deleted ${id}.\n`);
  assert.match(await run(`push view ${id}`, 1), /404/);
  assert.match(await run(`push update ${id}`, 2), /give --receiver or --state/);
});

it('listen verifies the receiver, delivers in order, tries again, and continues where it was', async () => {
  await present('HC001');
  let refusals = 2;
  answer = (push, response) => {
    if (push.type !== 'routing.signals' || refusals-- <= 0) return false;
    response.writeHead(503, { 'retry-after': '0' }).end();
    return true;
  };
  const position = join(folder, 'position');
  const first = listen(`--store ${position}`);
  await first.printed(/"CONFIRMED".*"marker"/);
  await present('HC002');
  await first.printed(/"CONFIRMED".*"marker".*\n.*"CONFIRMED".*"marker"/);
  first.process.kill('SIGINT');
  const { code, stdout, stderr } = await first.ended;
  assert.equal(code, 130, stderr);
  assert.deepEqual(
    attemptsIn(stdout).map(({ number, kind, outcome }) => [number, kind, outcome]),
    [
      [1, 'VERIFICATION', 'CONFIRMED'],
      [2, 'ENTRIES', 'REFUSED'],
      [3, 'ENTRIES', 'REFUSED'],
      [4, 'ENTRIES', 'CONFIRMED'],
      [5, 'ENTRIES', 'CONFIRMED'],
    ],
  );
  const [, ...ids] = pushes.map(({ webhookId }) => webhookId);
  assert.equal(new Set(ids.slice(0, 3)).size, 1, 'repeats have the same id');
  assert.equal(new Set(ids).size, 2);

  // What is not confirmed when it is interrupted comes again in the next run, with the same id.
  await run('present container --container JARU0000026');
  answer = (push, response) =>
    push.type === 'routing.signals' && Boolean(response.writeHead(500).end());
  const second = listen(`--store ${position}`);
  await second.printed(/trying again in/);
  second.process.kill('SIGINT');
  assert.equal((await second.ended).code, 130);
  answer = () => false;
  const third = await listen(`--store ${position} --limit 1`).ended;
  assert.equal(third.code, 0, third.stderr);
  const [refused, confirmed] = pushes.filter(({ type }) => type === 'routing.signals').slice(-2);
  assert.equal(refused?.webhookId, confirmed?.webhookId);
  const signals: { routingResult: { id: string } }[] = JSON.parse(await run('routing list --json'));
  assert.deepEqual(
    [...new Set(entries())],
    signals.map(({ routingResult }) => routingResult.id),
  );
});

it('what a receiver confirms while listen is interrupted does not come again', async () => {
  const position = join(folder, 'interrupted');
  await present('HC001');
  let wasConfirmed = false;
  // On a busy machine the command may be interrupted before it has read the head: then the entries rightly come again.
  for (let count = 0; count < 10 && !wasConfirmed; count++) {
    pushes = [];
    const begun = new Promise<ServerResponse>((resolve) => {
      answer = (push, response) => {
        if (push.type !== 'routing.signals') return false;
        // The head confirms; the body is read for a moment.
        response.writeHead(200).write('o');
        resolve(response);
        return true;
      };
    });
    const interrupted = listen(`--store ${position}`);
    const response = await begun;
    setTimeout(() => interrupted.process.kill('SIGINT'), 200);
    setTimeout(() => response.end('k'), 500);
    const { code, stdout } = await interrupted.ended;
    assert.equal(code, 130);
    const { kind, outcome } = attemptsIn(stdout).at(-1) ?? {};
    wasConfirmed = kind === 'ENTRIES' && outcome === 'CONFIRMED';
  }
  assert(wasConfirmed);
  answer = () => false;
  await present('HC002');
  const next = await listen(`--store ${position} --limit 1`).ended;
  assert.equal(next.code, 0, next.stderr);
  assert.equal(new Set(entries()).size, entries().length, 'an entry came twice');
});

it('listen says what is wrong with the receiver, and ends after 410', async () => {
  await present('HC001');
  answer = (push, response) => {
    if (push.type === 'subscription.verification') {
      if (pushes.length > 1) return false;
      response.end('another text');
      return true;
    }
    response.writeHead(410).end();
    return true;
  };
  const { code, stdout, stderr } = await listen('').ended;
  assert.equal(code, 1);
  assert.deepEqual(
    attemptsIn(stdout).map(({ outcome, status }) => [outcome, status]),
    [
      ['WRONG_CHALLENGE', 200],
      ['CONFIRMED', 200],
      ['REFUSED', 410],
    ],
  );
  assert.match(stderr, /did not repeat the challenge; trying again in/);
  assert.match(stderr, /RECEIVER_GONE/);
});

it('listen refuses an address and a secret that are none, before it sends anything', async () => {
  for (const address of ['localhost:3000', 'ftp://localhost', 'http://user@localhost', 'x']) {
    assert.match(await run(`push listen --forward-to ${address}`, 2), /--forward-to must/);
  }
  for (const wrong of ['secret', 'whsec_AAAA', `${secret}${secret}`]) {
    const line = `push listen --forward-to ${receiver} --secret ${wrong}`;
    assert.match(await run(line, 2), /--secret must be whsec_/);
  }
  assert.deepEqual(pushes, []);
});
