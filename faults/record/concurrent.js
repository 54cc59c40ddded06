// One episode in which operations run at the same time on both servers, while servers are killed and sessions terminated.
// Their order is not known, so what is read at the end is checked for what holds in every order: `invariants.js`.
import { Client } from './driver/client.js';
import { leaveWorld } from './driver/leave-world.js';
import { FEEDS, Observer } from './driver/observe.js';
import { findBrokenInvariants } from './invariants.js';
import { pickDeclaration, pickRouting } from './operations/goods.js';
import { operations } from './operations/operations.js';
import { presentGoods } from './operations/present.js';

const WORKERS = 6;

/** Makes the declarations that stand before, and the operations that run at the same time. */
export function makeConcurrentWork(random, world, count) {
  const declarations = world.mrns.map((mrn) => ({
    name: 'put',
    officer: 0,
    mrn,
    declaration: pickDeclaration(random, world),
  }));
  const work = [];
  while (work.length < count)
    work.push({ ...makeOne(random, world, work), server: random.below(2) });
  return { declarations, work };
}

function makeOne(random, world, earlier) {
  const officer = random.below(2);
  if (random.chance(0.5)) {
    return { name: 'presentGoods', ...presentGoods.make(random, world, earlier) };
  }
  if (random.chance(0.8)) {
    const decisions = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
      mrn: random.pick(world.mrns),
      transportDocumentHouseLevel: random.pick(world.documents),
      ...pickRouting(random),
      // It names the decision in histories.
      reason: `decision ${earlier.length}.${index}`,
    }));
    return { name: 'decideGoods', officer, form: random.pick(['array', 'lines']), decisions };
  }
  const [line] = operations.upload.make(random, world, []).lines;
  const name = line.houseConsignment === undefined ? 'put' : 'upload';
  const { mrn, ...declaration } = line;
  return { name, officer, ...(name === 'put' ? { mrn, declaration } : { lines: [line] }) };
}

/**
 * Runs them.
 *
 * @returns {Promise<{ done: number, unknown: number, broken: string[] }>}
 */
export async function runConcurrently(run, world, { declarations, work }, { disturbances }) {
  const { service, random } = run;
  const client = new Client(service, run.provider, world);
  const observer = new Observer(client, world, random);
  await client.admit();
  const arrivalsBefore = await observer.arrivals();
  const send = (operation) =>
    client.send(operation.server ?? 0, operations[operation.name].request(operation));
  for (const declaration of declarations) await send(declaration);

  const outcomes = [];
  let next = 0;
  let working = true;
  const works = async () => {
    while (next < work.length) {
      const operation = work[next++];
      const response = await send(operation);
      const isUnknown = response === undefined || response.status === 503;
      outcomes.push({ operation, response: isUnknown ? undefined : response });
    }
  };
  const disturbs = async () => {
    while (working && disturbances) {
      await new Promise((resolve) => setTimeout(resolve, 100 + random.below(400)));
      if (random.chance(0.3)) service.kill(random.below(2));
      else await service.disturb(random.pick(['cancel', 'terminate']));
      await service.restart();
    }
  };
  const readers = world.organisations.flatMap((organisation) =>
    Object.keys(FEEDS).map((kind) => follow(client, random, kind, organisation, () => working)),
  );
  const disturbing = disturbs();
  await Promise.all(Array.from({ length: WORKERS }, works));
  working = false;
  await disturbing;
  await service.settle();
  const followed = await Promise.all(readers);

  const feeds = await observer.readFeeds();
  const goods = await observer.searchAll();
  const histories = new Map();
  for (const { id } of goods) histories.set(id, await observer.history(id));
  const broken = findBrokenInvariants({
    world,
    declarations,
    outcomes,
    followed,
    feeds,
    goods,
    histories,
    arrivals: { before: arrivalsBefore, now: await observer.arrivals() },
  });
  await leaveWorld(service, client, observer);
  client.close();
  const unknown = outcomes.filter(({ response }) => response === undefined).length;
  return { done: outcomes.length, unknown, broken };
}

/** Follows a feed with markers while others write, and until nothing is left. */
async function follow(client, random, kind, organisation, isWorking) {
  const { path, idOf } = FEEDS[kind];
  const ids = [];
  for (;;) {
    const finishing = !isWorking();
    const marker = ids.length === 0 ? '' : `&marker=${ids.at(-1)}`;
    const response = await client.send(random.below(2), {
      by: organisation,
      scope: 'movement/entry',
      path: `${path}?limit=${1 + random.below(5)}${marker}`,
    });
    if (response !== undefined && response.status !== 200 && response.status !== 503) {
      return { kind, organisation, ids, problem: `${response.status} ${response.text}` };
    }
    ids.push(...(response?.body ?? []).map(idOf));
    const isEmpty = response?.status === 200 && response.body.length === 0;
    if (isEmpty && finishing) return { kind, organisation, ids };
    if (response?.status !== 200 || isEmpty)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
