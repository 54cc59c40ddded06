// Three PostgreSQL servers under Patroni, etcd, two Landfall servers and HAProxy: parts are killed, paused and cut off under
// load, and the primary is switched over. The history of all calls is checked against the database.
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addDeclarations,
  addHouseConsignments,
  addOrganisations,
  HOUSES_PER_ENS,
} from '../../bench/goods.js';
import { makeRandom } from '../../bench/random.js';
import { verifyAudit } from '../../packages/service/dist/audit/verify-audit.js';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';
import { feedKinds } from '../../packages/service/dist/feed-kinds.js';
import { checkHistory, MAX_RECOVERY_MS, measure } from '../check-history.js';
import { readFinalState } from '../final-state.js';
import { HttpClient } from '../http-client.js';
import { HOUSES_PER_BLOCK, Load } from '../load.js';
import { until } from '../until.js';
import { whyNoNamespaces } from './machines.js';
import { makeFaults } from './make-faults.js';
import { makeReport, summarise } from './make-report.js';
import { Topology } from './topology.js';

/** Presentations a second: this is about correctness, and the whole topology may have to share two processors. */
const RATE = 50;

/** A fault ends when the service has worked again for this long, in milliseconds. */
const STEADY_MS = 4000;

/** How long a fault is kept at least, in milliseconds: longer than the parts need to notice it. */
const MIN_FAULT_MS = 6000;

/** House consignments for one round of all faults with some left over. */
const HOUSES_PER_ROUND = 8 * HOUSES_PER_BLOCK;

/**
 * @param {{ folder: string, rounds: number, seed: number, fault: string, reportFile?: string,
 *   report: (line: string) => void }} options `rounds`: how often each kind of fault is made whose name contains `fault`
 * @returns {Promise<string[]>} every broken promise
 */
export async function failover({ folder, rounds, seed, fault: word, reportFile, report }) {
  const reason = whyNoNamespaces();
  if (reason !== undefined) {
    report(
      `${reason}: all parts use addresses of this machine, and nothing is cut off from the network`,
    );
  }
  const random = makeRandom(seed);
  const topology = new Topology(folder, reason === undefined);
  const stop = removeOnSignal(topology, folder);
  let database;
  try {
    await topology.start(report);
    database = openPostgresql(topology.databaseUrl('postgres'));
    await addOrganisations(database);
    const faults = makeFaults(topology, random).filter(
      ({ name, needsNetwork }) => (topology.isolated || !needsNetwork) && name.includes(word),
    );
    const { origin, provider } = topology;
    const client = new HttpClient(() => origin);
    const load = await Load.start({ client, provider, rate: RATE, random });
    const disturbances = [];
    for (let round = 1; round <= rounds; round++) {
      await addHouses(database, round);
      if (round === 1) {
        load.run(HOUSES_PER_ROUND);
        load.followEvents(origin);
      } else load.allow(round * HOUSES_PER_ROUND);
      for (const fault of shuffle(faults, random)) {
        disturbances.push(await disturb(topology, load, fault));
        const [result] = measure(load.history, disturbances.slice(-1));
        report(`round ${round} of ${rounds}: ${describeResult(result)}`);
      }
    }
    await load.stop();
    const standbyReads = await topology.countStandbyReads();
    client.close();
    const final = await readFinalState(database);
    const readers = [...load.readers, ...load.eventReaders];
    const broken = checkHistory(load.history, final, disturbances, readers);
    const { breaks } = await verifyAudit(database, feedKinds);
    if (standbyReads === 0) broken.push('nothing was read from standbys');
    broken.push(...breaks.map((found) => `audit trail: ${JSON.stringify(found)}`));
    if (reportFile !== undefined) {
      const { history, eventReaders } = load;
      const { isolated } = topology;
      const readersOf = { readers: load.readers, eventReaders };
      const settings = { rounds, seed, rate: RATE, isolated };
      const run = { ...settings, ...readersOf, history, disturbances, standbyReads, broken };
      writeReport(reportFile, run);
    }
    return broken;
  } finally {
    stop();
    await database?.close();
    await topology.remove();
  }
}

/** Makes one fault, waits until the service works in spite of it, undoes it, and waits until everything is whole. */
async function disturb(topology, load, { name, planned, begin }) {
  const at = performance.now();
  const undo = await begin();
  if (undo !== undefined) await delay(MIN_FAULT_MS);
  // The checker judges how long it took; without a bound here a service that never recovers would block the run.
  await untilSteady(load, at);
  const undoneAt = undo && performance.now();
  undo?.();
  await topology.untilWhole();
  await untilSteady(load, undoneAt ?? at);
  return { name, planned, at, undoneAt, until: performance.now() };
}

/** Waits until presentations were acknowledged without a failure for some seconds. */
async function untilSteady({ history }, since) {
  const condition = () => {
    const now = performance.now();
    const from = Math.max(since, now - STEADY_MS);
    const recent = history.filter(({ kind, end }) => kind === 'present' && end >= from);
    return (
      now - since >= STEADY_MS &&
      recent.length >= 20 &&
      recent.every(({ outcome }) => outcome === 'accepted')
    );
  };
  await until(condition, 'presentations are acknowledged', (4 * MAX_RECOVERY_MS) / 1000);
}

/** Pre-notifies the house consignments of a round. */
async function addHouses(database, round) {
  const start = (round - 1) * HOUSES_PER_ROUND;
  const end = round * HOUSES_PER_ROUND;
  await addDeclarations(database, start / HOUSES_PER_ENS, end / HOUSES_PER_ENS);
  await addHouseConsignments(database, start, end);
}

/** Writes the report as Markdown, and its numbers as JSON beside it. */
function writeReport(file, run) {
  const summary = summarise(run);
  const command = `npm run faults -- --only failover --rounds ${run.rounds} --seed ${run.seed}`;
  writeFileSync(file, makeReport(summary, command));
  writeFileSync(file.replace(/(\.md)?$/, '.json'), `${JSON.stringify(summary, null, 2)}\n`);
}

/** Ends every process of the topology when this one is stopped. */
function removeOnSignal(topology, folder) {
  const remove = async (signal) => {
    await topology.remove();
    rmSync(folder, { recursive: true, force: true });
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', remove).once('SIGTERM', remove);
  return () => process.off('SIGINT', remove).off('SIGTERM', remove);
}

function shuffle(list, random) {
  return list
    .map((one) => ({ one, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ one }) => one);
}

function describeResult({ name, calls, failed, recovery, undoRecovery }) {
  const seconds = (duration) => `${(duration / 1000).toFixed(1)} s`;
  return `${name}: recovered in ${seconds(recovery)}, after its end in ${seconds(undoRecovery)}; ${failed} of ${calls} calls failed`;
}
