// The arrival of a transport with 10,000 house consignments, its tree, and statuses of movement messages.
import { randomUUID } from 'node:crypto';
import { exchangeToken, runMaintenance } from './goods.js';
import {
  ARRIVALS,
  addLodgedHouses,
  arrivalOf,
  grantMovementScopes,
  houseMessage,
  lodge,
  MOVEMENT_SCOPES,
  masterMessage,
  transportMessage,
} from './lodged-goods.js';
import { summarise, timed } from './measure-large.js';
import { usage } from './processes.js';
import { send } from './send.js';

const TIMES = 5;

const PLAIN = 'arrival: plain INSERT ... SELECT';
const DECIDED = 'arrival: decided';
const UNDECIDED = 'arrival: decided by a profile';
const QUERY = 'descendants: bare query';
const TREE = 'descendants: PostgreSQL';
const STATUS = 'movement status: PostgreSQL';

/** What the row of statuses is compared with: a row of measure-reading.js. */
const STATUS_BASELINE = 'status: PostgreSQL';

const CARRIER = 'NO810000011';

/** The organisations that lodge transports, master consignments and house consignments. */
const PARTIES = [11, 12, 13];

const identifierOf = (number) => `0192:${810_000_000 + number}`;

/** Measures the selected rows once. `bench` is the context of run.js. */
export async function measureMovements(bench, round) {
  const { wanted, startLandfall, url, database, provider, small } = bench;
  const names = [PLAIN, DECIDED, UNDECIDED, QUERY, TREE, STATUS];
  if (!names.some(wanted)) return;
  await grantMovementScopes(database);
  const landfall = await startLandfall(url, 1, [0]);
  const [port] = landfall.ports;
  const scope = MOVEMENT_SCOPES.map((name) => `customs:${name}`).join(' ');
  const tokens = [];
  for (const number of PARTIES) tokens.push(await exchangeToken(provider, port, number, scope));
  const houses = small ? 50 : 10_000;

  /** Transports with their goods, which can arrive. */
  const makeJourneys = async (name, routing) => {
    const journeys = [];
    for (let time = 0; time < TIMES; time++) {
      const key = `${name}-${round}-${time}`;
      const master = `M-${key}`;
      const transport = transportMessage(`R-${key}`, [master], CARRIER);
      const mrn = await lodge(port, tokens[0], 'transport', transport);
      await lodge(port, tokens[1], 'master-consignment', masterMessage(master, CARRIER));
      const submitter = identifierOf(PARTIES[2]);
      const count = houses;
      await addLodgedHouses(database, { submitter, master, carrier: CARRIER, count, routing });
      journeys.push({ mrn, master });
    }
    return journeys;
  };
  const isWanted = (rows) => rows.some(wanted);
  if (isWanted([PLAIN, DECIDED, UNDECIDED, QUERY, TREE])) {
    const decided = await makeJourneys('decided', 'TO_ENTRY');
    const undecided = await makeJourneys('undecided');
    await runMaintenance(database);
    await measureArrivals(bench, { landfall, token: tokens[0], decided, undecided, houses });
    await measureTree(bench, { port, token: tokens[0], journey: decided[0], houses });
  }
  if (wanted(STATUS)) {
    const paths = [];
    for (let number = 0; number < (small ? 20 : 1000); number++) {
      const message = houseMessage(`S-${round}-${number}`, 'S-MASTER', CARRIER);
      paths.push(await lodgeForStatus(port, tokens[2], message));
    }
    const load = { kind: 'read', tokens: [tokens[2]], paths, ports: landfall.ports };
    await bench.measure(STATUS, STATUS_BASELINE, landfall.pids, load);
  }
  await landfall.stop();
}

/** Lodges a message; returns the path of its status. */
async function lodgeForStatus(port, token, message) {
  const response = await send(port, '/api/movement/road/v2/house-consignment', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  await response.arrayBuffer();
  return new URL(response.headers.get('location')).pathname;
}

async function measureArrivals(bench, { landfall, token, decided, undecided, houses }) {
  const { note, database, provider } = bench;
  const [port] = landfall.ports;
  await database.transact((transaction) =>
    transaction.run(`
      create table plain_connection (like signal_recipient including all);
      create table plain_signal (like routing_signal including all)`),
  );
  const arrive = async ({ mrn, master }) => {
    const response = await send(port, ARRIVALS, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(arrivalOf(mrn)),
    });
    await response.arrayBuffer();
    await untilDecided(database, master);
  };
  const took = { plain: [], decided: [], undecided: [] };
  const before = usage(landfall.pids());
  for (const [index, journey] of decided.entries()) {
    const last = index * houses * PARTIES.length;
    took.plain.push(await timed(() => insertPlainly(database, journey.master, last)));
    took.decided.push(await timed(() => arrive(journey)));
  }
  const between = usage(landfall.pids());
  const authority = await exchangeToken(provider, port, 0, 'customs:authority/routing');
  const endProfile = await startProfile(port, authority);
  for (const journey of undecided) took.undecided.push(await timed(() => arrive(journey)));
  await endProfile();
  const after = usage(landfall.pids());
  await database.transact((transaction) =>
    transaction.run('drop table plain_connection, plain_signal'),
  );
  const each = (from, to) => ((to.seconds - from.seconds) / (houses * TIMES)) * 1e6;
  const statuses = { 202: TIMES };
  const { megabytes } = after;
  note(PLAIN, PLAIN, summarise(houses, took.plain, { cpu: 0, megabytes: 0, statuses: {} }));
  const cpu = each(before, between);
  note(DECIDED, PLAIN, summarise(houses, took.decided, { cpu, megabytes, statuses }));
  const withProfile = { cpu: each(between, after), megabytes, statuses };
  note(UNDECIDED, PLAIN, summarise(houses, took.undecided, withProfile));
}

/** Makes a profile live that waits for the office: everything goes to entry. Returns what ends it. */
async function startProfile(port, token) {
  const live = '/api/authority/v1/live-routing-profile';
  const call = async (method, path, body) => {
    const type = body && { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${token}`, ...type };
    const response = await send(port, path, { method, headers, body: JSON.stringify(body) });
    return response.status === 204 ? undefined : response.json();
  };
  const { version } = await call('PUT', '/api/authority/v1/routing-profiles/office', {
    salt: randomUUID(),
    rules: [
      {
        name: 'another office',
        when: { customsOfficeOfFirstEntry: ['NO351001'] },
        routing: 'TO_CONTROL',
      },
      { name: 'all others', routing: 'TO_ENTRY' },
    ],
  });
  await call('PUT', live, { name: 'office', version });
  return () => call('DELETE', live);
}

/** Waits until all goods under a master document are decided. */
async function untilDecided(database, master) {
  for (;;) {
    const [{ left }] = await database.query({
      name: 'bench-undecided',
      text: `select exists (
          select from house_consignment where master_document_key = identifier_key($1) and routing is null
        ) as left`,
      values: [master],
    });
    if (!left) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Inserts the connections and the signals of all goods under a master document for three parties, as an arrival does. */
async function insertPlainly(database, master, last) {
  const parties = PARTIES.map((number) => `'${identifierOf(number)}'`).join(', ');
  const goods = `
    from (
      select h.*, o.id as party, row_number() over (order by o.id, h.id) + ${last} as position
      from house_consignment h cross join organisation o
      where h.master_document_key = identifier_key('${master}') and o.identifier in (${parties})
    ) h`;
  await database.transact((transaction) =>
    transaction.run(`
      insert into plain_connection select id, party, party, '${randomUUID()}', position ${goods};
      insert into plain_signal
        select party, position, marker, entry.head || marker || entry.tail
        from (select h.*, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as marker ${goods} offset 0) minted
        cross join lateral new_signal(party, signal_head, routing, routing_control_location, '${new Date().toISOString()}') entry`),
  );
}

async function measureTree({ note, database }, { port, token, journey, houses }) {
  const { mrn, master } = journey;
  const bare = async () => {
    const [{ tree }] = await database.query({
      name: 'bench-tree',
      text: `
        select json_build_object('sumOfWeightForMasterConsignments', 1200.5, 'sumOfWeightForHouseConsignments', sum(m.weight),
          'masterConsignments', json_build_array(json_build_object('documentNumber', $1::text, 'type', 'N730', 'weight', 1200.5,
            'received', true, 'sumOfWeightForHouseConsignments', sum(m.weight), 'houseConsignments', json_agg(json_build_object(
              'documentNumber', m.document_number, 'type', m.document_type, 'weight', m.weight, 'status', 'SUCCESS')))))::text as tree
        from house_consignment h join movement m on m.declaration_id = h.ens_id
        where h.master_document_key = identifier_key($1)`,
      values: [master],
    });
    return tree.length;
  };
  const path = `/api/movement/road/status/v2/transport/${mrn}/status-with-descendants`;
  const read = async () => {
    const response = await send(port, path, { headers: { authorization: `Bearer ${token}` } });
    return (await response.text()).length;
  };
  const took = { bare: [], read: [] };
  for (let time = 0; time < TIMES + 1; time++) {
    took.bare.push(await timed(bare));
    took.read.push(await timed(read));
  }
  // The first ones compile code and plans.
  const rest = { cpu: 0, megabytes: 0 };
  note(QUERY, QUERY, summarise(houses, took.bare.slice(1), { ...rest, statuses: {} }));
  note(TREE, QUERY, summarise(houses, took.read.slice(1), { ...rest, statuses: { 200: TIMES } }));
}
