// Counts the pages of tables and indexes that each statement accesses, in memory or on the disk. Unlike rates, they do not
// depend on what else the machine does.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { findPage } from '../packages/service/dist/consignments/queries.js';
import { sessionArguments } from '../packages/service/dist/database/session.js';
import { selectMarker, selectPage } from '../packages/service/dist/feed/queries.js';
import {
  commitHouseConsignments,
  lockHouseConsignments,
} from '../packages/service/dist/presentation/house-queries.js';
import { selectStatus } from '../packages/service/dist/presentation/status-queries.js';
import { readSubmission } from '../packages/service/dist/presentation/submission.js';
import { compareDecisions } from '../packages/service/dist/routing/compare-decisions.js';
import {
  lockAffected,
  selectDecided,
  writeDecisions,
} from '../packages/service/dist/routing/decision-queries.js';
import { routingSignals } from '../packages/service/dist/routing/signal-feed.js';
import { HOUSES_PER_ENS } from './goods.js';

/** How often each statement is executed. */
const EXECUTIONS = 50;

/** @type {Record<string, (run: Function, goods: Goods, index: number) => Promise<unknown>>} */
const rows = {
  present: async (run, { owner, documents }, index) => {
    const submission = readSubmission(
      'house-consignment',
      {
        requestId: randomUUID(),
        customsOfficeOfPresentation: 'NO351001',
        transportDocumentHouseLevel: { documentNumber: documents[index], type: 'N740' },
      },
      () => true,
    );
    const requests = [{ organisationId: owner, submission }];
    await run(lockHouseConsignments(requests, false, 0));
    await run(commitHouseConsignments(requests, false, '', new Date()));
  },
  status: (run, { owner, statuses }, index) => run(selectStatus(owner, statuses[index])),
  page: async (run, { owner, signals }, index) => {
    const feed = { kind: routingSignals, owner };
    const [{ position }] = await run(selectMarker(feed, signals[index]));
    await run(selectPage(feed, Number(position), 10, 'json'));
  },
  find: (run, { documents }, index) =>
    run(
      findPage({ documentNumber: documents[index] }, undefined, 1000, {
        by: 'IDS',
        examined: 10_000,
      }),
    ),
  decide: async (run, { documents }, index) => {
    const first =
      Math.floor((index * documents.length) / EXECUTIONS / HOUSES_PER_ENS) * HOUSES_PER_ENS;
    const decisions = documents.slice(first, first + HOUSES_PER_ENS).map((documentNumber) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N740' },
      routing: 'TO_CONTROL',
      routingControlLocation: 'AFTER_ENTRY',
    }));
    const context = {
      at: new Date(),
      origin: 'ENGINE',
      organisation: '',
      organisationId: 1,
      clientId: '',
      requestId: randomUUID(),
    };
    await run(lockAffected(decisions, context, false));
    const decided = await run(selectDecided(decisions, context.organisationId));
    const { changes } = compareDecisions(decisions, decided, context, false);
    await run(writeDecisions(changes, context, ''));
  },
};

/**
 * What the statements are executed for: an organisation, its last statuses and signals, and the documents of goods.
 *
 * @typedef {{ owner: number, statuses: string[], signals: string[], documents: string[] }} Goods
 */

/** Connects with the settings of the planner that every session of the service has. @param {string} connectionString */
export async function connectAsService(connectionString) {
  const client = new pg.Client({ connectionString, options: sessionArguments.join(' ') });
  await client.connect();
  return client;
}

/**
 * The pages that one execution of each row accesses. Nothing that it writes is committed.
 *
 * @param {import('pg').Client} client
 * @param {Goods} goods
 */
export async function countPages(client, goods) {
  const run = async ({ name, text, values }) => (await client.query({ name, text, values })).rows;
  const counted = {};
  for (const [row, execute] of Object.entries(rows)) {
    await client.query('begin');
    // What is read for the first time in a session is left out.
    await execute(run, goods, 0);
    const before = await readCounters(client);
    for (let index = 0; index < EXECUTIONS; index++) await execute(run, goods, index);
    counted[row] = ((await readCounters(client)) - before) / EXECUTIONS;
    await client.query('rollback');
  }
  return counted;
}

/** The accesses of this transaction so far. */
async function readCounters(client) {
  const { rows: found } = await client.query(
    `select sum(pg_stat_get_xact_blocks_fetched(oid))::integer as pages from pg_class where relkind in ('r', 'i', 't')`,
  );
  return found[0].pages;
}
