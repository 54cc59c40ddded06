// Presenting and following through a network that loses, cuts, delays and repeats, with a follower that is killed.
//
// PRESENTATIONS=10000 KILLS=20 node scripts/test.js unreliable-network    the whole size
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDrawn } from '../../contract/dist/testing/drawn-cases.js';
import { Landfall } from './landfall.js';
import { FileJournal } from './node/file-journal.js';
import { readCredentials } from './node/read-credentials.js';
import { type Fault, startFaultyProxy } from './testing/faulty-proxy.js';
import { noPostgresql, startServiceProcess } from './testing/service-process.js';

const PRESENTATIONS = Number(process.env.PRESENTATIONS ?? (isDrawn ? 400 : 1000));
const KILLS = Number(process.env.KILLS ?? (isDrawn ? 3 : 6));

/** House consignments of a declaration. */
const PER_DECLARATION = 1000;

/** What happens to every fifth request. */
const faults: Fault[] = [
  'lost-request',
  'lost-response',
  'cut-response',
  'repeated',
  'slow',
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 429, headers: { 'retry-after': '0' } },
];

const documentOf = (number: number) => `UNRELIABLE${number}`;

for (const database of ['embedded', 'PostgreSQL'] as const) {
  const skip = database === 'PostgreSQL' && noPostgresql;
  test(`nothing is presented twice or left unknown, and no signal is missed: ${database}`, {
    skip,
  }, async () => {
    const service = await startServiceProcess(database);
    const direct = async (name: string) =>
      new Landfall(await readCredentials(await service.writeCredentials(name)));
    await register(await direct('authority'));
    const proxy = await startFaultyProxy(service.baseUrl);
    proxy.failRandomly(0.2, faults);
    const credentials = await service.writeCredentials('carrier', proxy.url);

    const log = join(service.folder, 'signals.log');
    const following = followAndKill(credentials, log);
    const presented = await present(credentials, join(service.folder, 'journal'));
    await following.killed;

    const carrier = await direct('carrier');
    const statuses: string[] = [];
    let statusQuery: { marker?: string | undefined; limit?: number | undefined } | undefined = {
      limit: 1000,
    };
    while (statusQuery !== undefined) {
      const page = await carrier.listValidationStatuses(statusQuery);
      for (const { requestId, status } of page.entries) {
        assert.equal(status, 'SUCCESS');
        statuses.push(requestId);
      }
      statusQuery = page.next;
    }
    assert.deepEqual([...statuses].sort(), [...presented].sort());

    const signals: string[] = [];
    let query: { marker?: string | undefined; limit?: number | undefined } | undefined = {
      limit: 1000,
    };
    while (query !== undefined) {
      const page = await carrier.readRoutingSignals(query);
      signals.push(...page.entries.map(({ routingResult }) => routingResult.id));
      query = page.next;
    }
    assert.equal(signals.length, PRESENTATIONS);
    assert.deepEqual(await following.handedOut(signals.length), signals);
  });
}

/** Registers the house consignments, all decided. */
async function register(authority: Landfall): Promise<void> {
  for (let start = 0; start < PRESENTATIONS; start += PER_DECLARATION) {
    const mrn = `26NO${String(start).padStart(14, '0')}`;
    const count = Math.min(PER_DECLARATION, PRESENTATIONS - start);
    await authority.putEntrySummaryDeclaration(mrn, {
      mrn,
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:310000078',
      houseConsignments: Array.from({ length: count }, (_, index) => ({
        transportDocumentHouseLevel: { documentNumber: documentOf(start + index), type: 'N740' },
        routing: 'TO_ENTRY',
      })),
    });
  }
}

/** Presents all through the proxy; returns their requestIds. */
async function present(credentials: string, journalFile: string): Promise<string[]> {
  const landfall = new Landfall({ ...(await readCredentials(credentials)), timeoutMs: 5000 });
  const journal = await FileJournal.open(journalFile);
  const items = Array.from({ length: PRESENTATIONS }, (_, number) => ({
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber: documentOf(number), type: 'N740' as const },
  }));
  const presented: string[] = [];
  for await (const { outcome, requestId, errors } of landfall.presentMany(items, {
    journal,
    concurrency: 32,
  })) {
    assert.equal(outcome, 'presented', JSON.stringify(errors));
    presented.push(requestId);
  }
  await journal.close();
  assert.equal(presented.length, PRESENTATIONS);
  return presented;
}

/** Follows in processes that are killed one after the other while signals arrive; the last one stays. */
function followAndKill(credentials: string, log: string) {
  const entry = new URL('./testing/follow-and-log.js', import.meta.url);
  const start = () => fork(entry, [credentials, log, 'file']);
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []);
  /** Signals in the order in which they were handed out. The one in hand when a process was killed comes again. */
  const handedOut = () => {
    const seen: string[] = [];
    let isFirst = false;
    for (const line of lines()) {
      if (line !== 'start' && !(isFirst && line === seen.at(-1))) seen.push(line);
      isFirst = line === 'start';
    }
    return seen;
  };
  const kill = async (child: ChildProcess) => {
    assert.equal(child.exitCode, null, 'the follower has ended by itself');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const killed = (async () => {
    for (let count = 0; count < KILLS; count++) {
      const child = start();
      const enough = Math.floor(((count + 1) * PRESENTATIONS) / (KILLS + 2));
      while (handedOut().length < enough && child.exitCode === null) await delay(5);
      await kill(child);
    }
  })();
  return {
    killed,
    handedOut: async (expected: number) => {
      const child = start();
      while (handedOut().length < expected && child.exitCode === null) await delay(20);
      await delay(300);
      await kill(child);
      return handedOut();
    },
  };
}
