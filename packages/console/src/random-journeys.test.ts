// Random journeys through the console: whatever people do, in whatever order, what the screen says of goods is what the
// service says of them. `LANDFALL_SEED=… LANDFALL_JOURNEY_SECONDS=… npm test -- random-journeys` repeats or lengthens them.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { mrnOf } from '@landfall/client';
import { makeRandom } from '@landfall/samples';
import { noBrowser } from '../../service/dist/testing/browser.js';
import { clientOf } from './testing/flows/act.js';
import { type Journey, placeOf, WALKERS } from './testing/journeys/journey.js';
import { statements } from './testing/journeys/statements.js';
import { steps } from './testing/journeys/steps.js';
import { openConsole } from './testing/open-console.js';

const SEED = Number(process.env.LANDFALL_SEED ?? randomInt(2 ** 31));

/** How long the journeys are, in seconds. */
const SECONDS = Number(process.env.LANDFALL_JOURNEY_SECONDS ?? 30);

/** How many steps a journey has. */
const STEPS = 25;

/** Until when the screen says what the service says, in milliseconds: much longer than it takes on a busy machine. */
const AGREE_WITHIN_MS = 30_000;

test('what the screen says of goods is what the service says of them', {
  skip: noBrowser,
}, async (context) => {
  context.diagnostic(`seed ${SEED}`);
  const console = await openConsole();
  const { playground } = console;
  const random = makeRandom(SEED);
  const clients = {
    carrier: await clientOf(playground, 'carrier'),
    authority: await clientOf(playground, 'authority'),
  };
  const { entries } = await clients.authority.listHouseConsignments({ limit: 100 });
  const documents = [
    ...new Set(entries.map((one) => one.transportDocumentHouseLevel.documentNumber)),
  ];
  const identifiers = [
    ...documents,
    ...entries.flatMap((one) => one.containerId ?? []),
    ...entries.flatMap((one) => one.transportDocumentMasterLevel?.documentNumber ?? []),
    ...entries.map((one) => mrnOf(one)),
    'HC-OF-NOBODY',
    ']C1HC001',
    '*HC002*',
    'hc 001',
  ];
  let stepsTaken = 0;
  const visited = new Set<string>();
  const end = Date.now() + SECONDS * 1000;
  while (Date.now() < end) {
    await console.leave();
    await playground.reset();
    const walker = random.pick(WALKERS);
    const journey: Journey = {
      console,
      random,
      walker,
      clients,
      documents,
      identifiers,
      arrived: [],
      done: [],
    };
    const note = (request: { method(): string; url(): string; postData(): string | null }) => {
      if (request.method() !== 'POST' || !request.url().includes('/presentation/')) return;
      journey.sentRequestId = JSON.parse(request.postData() ?? '{}').requestId;
    };
    console.page.on('request', note);
    try {
      await console.signIn(walker);
      await console.open('/');
      // Every other officer begins with a queue.
      if (walker === 'authority' && random.integer(0, 1) === 0) {
        for (const name of ['goods arrive that wait for a decision', 'opens the queue']) {
          await takeStep(journey, name);
        }
      }
      for (let step = 0; step < STEPS && Date.now() < end; step++) {
        await takeStep(journey);
        stepsTaken++;
        visited.add(placeOf(journey).pathname.replace(/(?<=.\/).*/, ''));
        await agree(journey);
      }
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`${what}\nafter ${journey.done.join('; ')} (seed ${SEED})`, { cause: error });
    } finally {
      console.page.off('request', note);
    }
  }
  context.diagnostic(`${stepsTaken} steps on ${[...visited].sort().join(' ')}`);
  assert(stepsTaken > 5, `${stepsTaken} steps`);
});

/** @param named the step; default: any that is possible */
async function takeStep(journey: Journey, named?: string): Promise<void> {
  const possible = Object.entries(steps).filter(([, step]) => step.isPossible?.(journey) ?? true);
  const chosen = possible.find(([one]) => one === named);
  const [name, step] = chosen ?? journey.random.pick(possible);
  journey.done.push(name);
  await step.take(journey);
}

/** Waits until the page agrees with the service, which may change while both are read. */
async function agree(journey: Journey): Promise<void> {
  const deadline = Date.now() + AGREE_WITHIN_MS;
  for (;;) {
    const { pathname } = placeOf(journey);
    const found = Object.entries(statements).find(([path]) => pathname.startsWith(path));
    const difference = await found?.[1](journey).catch(String);
    if (difference === undefined) return;
    if (Date.now() > deadline) assert.fail(difference);
    await delay(100);
  }
}
