// A server, or PostgreSQL, is killed at every step of the arrival of a large transport: what one transaction presents is there
// wholly or not at all, and the rest is completed by the other server. Nothing is signalled twice.
import { exchangeToken } from '../bench/goods.js';
import {
  ARRIVALS,
  addLodgedHouses,
  arrivalOf,
  grantMovementScopes,
  lodge,
  MOVEMENT_SCOPES,
  masterMessage,
  transportMessage,
} from '../bench/lodged-goods.js';
import { stopTarget } from '../bench/processes.js';
import { verifyAudit } from '../packages/service/dist/audit/verify-audit.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { feedKinds } from '../packages/service/dist/feed-kinds.js';
import { HttpClient } from './http-client.js';
import { startAgain } from './own-postgresql.js';
import { prepare } from './prepare.js';
import { killNow, pause } from './present-while.js';
import { until } from './until.js';

const CARRIER = 'NO810000001';

/** The submitters of the transport, of the master consignment and of the house consignments. */
const PARTIES = [1, 2, 3];

/** House consignments that one transaction presents at most. */
const ONE_TRANSACTION = 10_000;

/** How long the background may take to complete an arrival: the interval of its searches, and the work, in seconds. */
const COMPLETED_WITHIN = 60 + 60;

const VICTIMS = ['server', 'PostgreSQL'];

export async function killArrival({ folder, times, report, small, fault }) {
  const made = await prepare({ folder, report, small, houses: 0 });
  const { port, database, provider, serve, end } = made;
  await grantMovementScopes(database);
  const servers = [await serve(port), await serve(port + 1)];
  const scope = MOVEMENT_SCOPES.map((name) => `customs:${name}`).join(' ');
  const tokens = [];
  for (const number of PARTIES) tokens.push(await exchangeToken(provider, port, number, scope));
  const client = new HttpClient(() => ({ host: '127.0.0.1', port: port + 1 }));
  const broken = [];
  let journeys = 0;

  /** A transport that can arrive, with its goods. */
  const makeJourney = async (houses) => {
    const key = `${process.pid}-${journeys++}`;
    const master = `M-${key}`;
    const message = transportMessage(`R-${key}`, [master], CARRIER);
    const mrn = await lodge(port + 1, tokens[0], 'transport', message);
    await lodge(port + 1, tokens[1], 'master-consignment', masterMessage(master, CARRIER));
    const submitter = `0192:${810_000_000 + PARTIES[2]}`;
    const goods = { submitter, master, carrier: CARRIER, count: houses, routing: 'TO_ENTRY' };
    await addLodgedHouses(database, goods);
    return { mrn, master, connections: houses * PARTIES.length, arrival: arrivalOf(mrn) };
  };
  const arriveAt = (at, { arrival }) =>
    client.send(
      {
        method: 'POST',
        path: ARRIVALS,
        token: tokens[0],
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(arrival),
      },
      { host: '127.0.0.1', port: at },
    );
  /** Whether the transport has arrived, and the connections of its goods, at one moment. */
  const readState = async ({ mrn, master }) => {
    const [row] = await database.query({
      name: '',
      text: `
        select m.arrived_at is not null as "hasArrived", (
            select count(*)::integer from house_consignment h join signal_recipient c on c.house_consignment_id = h.id
            where h.master_document_key = identifier_key($2)
          ) as connections
        from movement m join declaration e on e.id = m.declaration_id where e.mrn = $1`,
      values: [mrn, master],
    });
    return row;
  };
  const isComplete = async (journey) =>
    (await readState(journey)).connections === journey.connections;
  const disturb = {
    server: async () => {
      await killNow(servers[0]);
    },
    PostgreSQL: async () => {
      await killNow(made.postgresql);
      made.postgresql = await startAgain(made.cluster);
    },
  };

  for (const houses of small ? [200, ONE_TRANSACTION + 200] : [ONE_TRANSACTION, 50_000]) {
    // In a small run, each kills once.
    const all = small ? [VICTIMS[houses > ONE_TRANSACTION ? 0 : 1]] : VICTIMS;
    const victims = all.filter((name) => `${name} ${houses}`.includes(fault ?? ''));
    if (victims.length === 0) continue;
    for (const victim of victims) {
      const undisturbed = await makeJourney(houses);
      const began = performance.now();
      await arriveAt(port, undisturbed);
      let response = performance.now() - began;
      await until(() => isComplete(undisturbed), 'an arrival is complete', COMPLETED_WITHIN);
      report(`${houses} house consignments arrive in ${Math.round(response)} ms`);
      const counts = { nothing: 0, part: 0, all: 0 };
      let longest = 0;
      for (let time = 0; time < times; time++) {
        const journey = await makeJourney(houses);
        const arriving = arriveAt(port, journey);
        await pause((response * 1.1 * (time + 0.5)) / times);
        await disturb[victim]();
        const killed = performance.now();
        const { hasArrived, connections } = await until(
          () => readState(journey),
          'the database responds',
        );
        const what =
          connections === 0 ? 'nothing' : connections < journey.connections ? 'part' : 'all';
        counts[what]++;
        // On a busy machine an arrival may take much longer than the first did: then no kill would come late enough.
        if (time > times / 2 && counts.nothing > time) response *= 1.3;
        const first = Math.min(houses, ONE_TRANSACTION) * PARTIES.length;
        if (hasArrived ? connections < first : connections > 0) {
          broken.push(
            `${victim} killed, ${houses}: ${hasArrived ? '' : 'not '}arrived, ${connections} connections`,
          );
        }
        const answered = await arriving;
        if (answered?.status === 202 && !hasArrived) {
          broken.push(`${victim} killed, ${houses}: an acknowledged arrival is lost`);
        }
        if (!hasArrived) {
          // What was lost is reported again, at the other server. What the killed server had sent may still be committed.
          await until(async () => {
            const again = await arriveAt(port + 1, journey);
            return again?.status === 202 || again?.text.includes('REQUEST_ID_REUSED');
          }, 'an arrival is reported again');
        }
        await until(
          () => isComplete(journey),
          `${houses} house consignments are completed after the ${victim} was killed`,
          COMPLETED_WITHIN,
        );
        longest = Math.max(longest, performance.now() - killed);
        if (victim === 'server') servers[0] = await serve(port);
      }
      report(
        `${victim} killed ${times} times at ${houses}: ${JSON.stringify(counts)}, complete after at most ${(longest / 1000).toFixed(1)} s`,
      );
    }
  }

  broken.push(...(await check(made.cluster.url)));
  client.close();
  await Promise.all(servers.map(stopTarget));
  await end();
  return broken;
}

/** Each violation of a promise about signals, and a query that counts it, on any number of rows. */
const PROMISES = {
  'goods that are decided and presented have no signal': `
    select count(*) from signal_recipient c
    left join routing_signal s on s.owner = c.organisation_id and s.position = c.signal_position
    where s.id is null`,
  'there are other signals than those of recipients': `
    select abs((select count(*) from signal_recipient) - (select count(*) from routing_signal)) as count`,
  // An entry begins with the MRN.
  'organisations have a signal twice': `
    select count(*) from (
      select from routing_signal group by owner, split_part(entry, '"', 4) having count(*) > 1
    ) twice`,
  'signals of a feed are not numbered from 1 without a gap': `
    select count(*) from (
      select from routing_signal group by owner having count(*) <> max(position) or min(position) <> 1
    ) gap`,
};

/** Every broken promise, and every break of the audit trail, in sessions without time limits. */
async function check(url) {
  const database = openPostgresql(url, { maintenance: true });
  // Autovacuum may not have come to it yet: the plans of tables that were empty would compare each row with each.
  await database.query({ name: '', text: 'analyze', values: [] });
  const broken = [];
  for (const [promise, text] of Object.entries(PROMISES)) {
    const [{ count }] = await database.query({ name: '', text, values: [] });
    if (Number(count) > 0) broken.push(`${promise} (${count})`);
  }
  const { breaks } = await verifyAudit(database, feedKinds);
  await database.close();
  return [...broken, ...breaks.map((one) => `audit trail: ${JSON.stringify(one)}`)];
}
