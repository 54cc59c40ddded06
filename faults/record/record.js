// The authority's record on two servers, compared with a model of it: see README.md.
import { resolve } from 'node:path';
import { startIdentityProvider } from '../../bench/goods.js';
import { makeCluster, untilReady } from '../own-postgresql.js';
import { checkAuditTrail, checkBreakStays } from './check-verification.js';
import { makeConcurrentWork, runConcurrently } from './concurrent.js';
import { Client } from './driver/client.js';
import { canShiftClocks, Service } from './driver/service.js';
import { runEpisode } from './episode.js';
import { runJourney } from './journey.js';
import { knownFaults, toleratedFaults } from './known-faults.js';
import { checkMixedRead } from './mixed-read.js';
import { makeJourney } from './operations/journey.js';
import { makeSequence } from './operations/operations.js';
import { Random } from './random.js';
import { shrink, transfer } from './shrink.js';
import { makeWorld } from './world.js';

/** The operations of an episode. */
const OPERATIONS = 60;

/** How long shorter sequences are tried after a failure, in milliseconds. */
const SHRINKING_MS = 60_000;

/** What an episode of operations one after the other is about. */
const RECORD = { make: makeSequence, runAll: runEpisode };
const JOURNEYS = { make: makeJourney, runAll: runJourney };

/** How many episodes look for one known fault. */
const EPISODES_FOR_FAULT = 40;

/** The scenario on a PostgreSQL of its own: `npm run faults -- --only record`. */
export async function checkRecord({ folder, seconds, minutes, small, ...settings }) {
  const port = 19_000 + (process.pid % 500) * 2;
  const cluster = makeCluster(folder, port - 1);
  const postgresql = cluster.start();
  await untilReady(cluster.url);
  try {
    return await checkRecordOn({
      ...settings,
      folder,
      databaseUrl: cluster.url,
      durationMs: 1000 * (minutes > 0 ? minutes * 60 : small ? 1 : seconds),
    });
  } finally {
    postgresql.kill('SIGKILL');
  }
}

/**
 * Runs episodes on a database of their own until the time has passed or one fails.
 *
 * @param {{ databaseUrl: string, folder: string, durationMs: number, seed: number, report: (line: string) => void,
 *   operations?: number, isMigrated?: boolean, build?: string, strict?: boolean, fixed?: string, findKnown?: boolean, shiftClocks?: boolean, journeysOnly?: boolean }} settings `build`: the
 *   root of the checkout whose servers are run; `operations`: of each episode; `findKnown`: looks for each known fault instead
 * @returns a description of everything that is wrong
 */
export async function checkRecordOn({
  databaseUrl,
  folder,
  durationMs,
  seed,
  report,
  operations = OPERATIONS,
  isMigrated = false,
  build = resolve(import.meta.dirname, '../..'),
  strict,
  fixed,
  findKnown = false,
  shiftClocks = true,
  journeysOnly = false,
}) {
  const known = toleratedFaults(findKnown ? {} : { strict, fixed });
  const shiftedClocks = shiftClocks && canShiftClocks;
  report(`seed ${seed}, ${known.size} known faults are tolerated, servers of ${build}`);
  if (shiftClocks && !canShiftClocks) {
    report('the clocks of the servers are equal: apt-get install libfaketime');
  }
  const provider = await startIdentityProvider();
  let service;
  try {
    service = await Service.start({
      build,
      databaseUrl,
      isMigrated,
      folder,
      provider,
      shiftedClocks,
    });
    const run = { service, provider, known };
    const runner = new Runner(run, { seed, operations, report });
    const broken = findKnown
      ? await runner.findEachKnown(fixed)
      : await runner.runFor(durationMs, journeysOnly);
    broken.push(...(await checkAuditTrail(service)));
    // It changes the status of a presentation.
    if (broken.length === 0 && !journeysOnly) {
      broken.push(...(await runner.checkBreak()));
    }
    if (broken.length > 0) report(`the servers have written: ${service.readLog()}`);
    return broken;
  } finally {
    await service?.stop();
    provider.stop();
  }
}

class Runner {
  #run;
  #seed;
  #operations;
  #report;
  /** The number of the last world; no world is used twice. */
  #worlds = 0;
  #total = 0;

  constructor(run, { seed, operations, report }) {
    this.#run = run;
    this.#seed = seed;
    this.#operations = operations;
    this.#report = report;
  }

  async runFor(durationMs, journeysOnly) {
    const end = performance.now() + durationMs;
    let unknown = 0;
    let episode = 0;
    const broken = [];
    const inTurn = (kind, disturbances) => () =>
      this.#runSequence(this.#run, ++episode, kind, { disturbances });
    const journeys = [inTurn(JOURNEYS, false), inTurn(JOURNEYS, true)];
    const others = [
      inTurn(RECORD, false),
      () => this.#runConcurrent(++episode),
      inTurn(RECORD, true),
    ];
    const kinds = journeysOnly ? journeys : [...others, ...journeys];
    // At least one of each kind.
    while (broken.length === 0 && (episode < kinds.length || performance.now() < end)) {
      const result = await kinds[episode % kinds.length]();
      unknown += result.unknown;
      broken.push(...result.broken);
    }
    if (broken.length === 0) {
      broken.push(...(await checkMixedRead(this.#run, this.#nextWorld())));
    }
    this.#report(
      `${episode} episodes, ${this.#total} operations, ${unknown} with an unknown outcome`,
    );
    return broken;
  }

  #nextWorld() {
    return makeWorld(++this.#worlds);
  }

  async #runSequence(run, episode, kind, options, shrinkingMs = SHRINKING_MS) {
    const random = new Random(this.#seed * 1000 + episode);
    const world = this.#nextWorld();
    const sequence = kind.make(random, world, this.#operations, options);
    const result = await kind.runAll({ ...run, random }, world, sequence);
    this.#total += result.done;
    if (result.failure === undefined) return { ...result, broken: [] };
    const { index, problem } = result.failure;
    this.#report(`operation ${index + 1} of episode ${episode}: ${problem}`);
    const failing = sequence.slice(0, index + 1);
    const shortest = await this.#shrink(
      { ...run, runAll: kind.runAll },
      failing,
      world,
      shrinkingMs,
    );
    return { ...result, broken: [`${problem}\n${describe(shortest)}`] };
  }

  /** The shortest sequence that was found to fail. */
  async #shrink(run, failing, world, shrinkingMs) {
    const fails = async (shorter) => {
      const other = this.#nextWorld();
      // The same reads as long as the same is done.
      const random = new Random(this.#seed);
      const { failure } = await run.runAll(
        { ...run, random },
        other,
        transfer(shorter, world, other),
      );
      return failure !== undefined;
    };
    return shrink(failing, fails, shrinkingMs);
  }

  async #runConcurrent(episode) {
    const random = new Random(this.#seed * 1000 + episode);
    const world = this.#nextWorld();
    const work = makeConcurrentWork(random, world, this.#operations * 2);
    const result = await runConcurrently({ ...this.#run, random }, world, work, {
      disturbances: random.chance(0.5),
    });
    this.#total += result.done;
    return result;
  }

  /** Looks for each of these known faults, or for all, as if it were repaired; describes those that are not found. */
  async findEachKnown(names = '') {
    const broken = [];
    for (const name of names === '' ? Object.keys(knownFaults) : names.split(',')) {
      const found = await this.#findKnown(name);
      this.#report(`${name}: ${found ?? 'NOT FOUND'}`);
      if (found === undefined) broken.push(`the known fault "${name}" was not found`);
    }
    return broken;
  }

  async #findKnown(name) {
    const known = new Set([...this.#run.known].filter((other) => other !== name));
    const before = this.#total;
    for (let episode = 1; episode <= EPISODES_FOR_FAULT; episode++) {
      const { broken } = await this.#runSequence(
        { ...this.#run, known },
        episode,
        RECORD,
        { disturbances: false },
        SHRINKING_MS / 6,
      );
      if (broken.length > 0) return `found after ${this.#total - before} operations: ${broken[0]}`;
    }
    return undefined;
  }

  async checkBreak() {
    const client = new Client(this.#run.service, this.#run.provider, this.#nextWorld());
    try {
      return await checkBreakStays(this.#run.service, client);
    } finally {
      client.close();
    }
  }
}

/** Operations as text, one a line. */
function describe(sequence) {
  return sequence.map((operation) => `  ${JSON.stringify(operation)}`).join('\n');
}
