// A day at one airport: declarations are decided before, during and after presentation, by two servers on one database.
// At the end every connected organisation has exactly the signals that it must have, and so do the readers.
import { randomUUID } from 'node:crypto';
import { exchangeTokens } from '../bench/goods.js';
import { startServer, stopTarget } from '../bench/processes.js';
import { sendLines } from '../bench/upload.js';
import { AuditTrail } from '../packages/service/dist/audit/audit-trail.js';
import { verifyAudit } from '../packages/service/dist/audit/verify-audit.js';
import { feedKinds } from '../packages/service/dist/feed-kinds.js';
import { checkSignals } from '../packages/service/dist/testing/check-signals.js';
import { prepareDatabase } from './prepare.js';
import { checkReaders, startReader } from './readers.js';
import { call } from './writers.js';

const PRESENT = '/api/movement/presentation/v1';
const DECISIONS = '/api/authority/v1/routing-decisions';
const DECLARATIONS = '/api/authority/v1/entry-summary-declarations';

/** Express operators and brokers, which each lodge a share of the declarations; the handler presents goods of all. */
const OPERATORS = 12;
const HANDLER = OPERATORS;
const READERS = [0, 1, 2, HANDLER];

const mrnOf = (declaration) => `26NO${String(declaration).padStart(14, '0')}`;
const documentOf = (house) => `HAWB${String(house).padStart(8, '0')}`;

/** Adds the organisations, including the authority, with a record of them in the audit trail. */
async function prepareOrganisations(database) {
  await database.transact(async (transaction) => {
    await transaction.run(`
      insert into organisation (identifier)
        select '0192:' || (810000000 + number) from generate_series(0, 49) number;
      insert into organisation_scope (organisation_id, scope)
        select id, scope from organisation
        cross join (values ('movement/entry'), ('authority/routing'), ('authority/registry')) granted (scope);`);
    await new AuditTrail().record(transaction, {
      at: new Date(),
      actor: undefined,
      requestId: undefined,
      action: 'organisation.put',
      details: {},
    });
  });
}

/** The declarations of the day, undecided: all have a declarant, every second one a representative. */
function* preNotifications({ declarations, houses }) {
  const operator = (number) => `0192:${810_000_000 + (number % OPERATORS)}`;
  for (let declaration = 0; declaration < declarations; declaration++) {
    yield {
      mrn: mrnOf(declaration),
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: operator(declaration),
      ...(declaration % 2 === 0 && { representative: operator(declaration + 1) }),
      activeBorderTransportMeans: { identificationNumber: 'SK4711', typeOfIdentification: '40' },
      houseConsignments: Array.from({ length: houses }, (_, house) => ({
        transportDocumentHouseLevel: {
          documentNumber: documentOf(declaration * houses + house),
          type: 'N740',
        },
        transportDocumentMasterLevel: { documentNumber: `MAWB${declaration}`, type: 'N741' },
      })),
    };
  }
}

const routings = [
  { routing: 'TO_ENTRY' },
  { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' },
  { routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' },
];

/** The decisions on each house consignment over the day, and the last one, which is the expected outcome. */
function planDecisions(declarations, houses) {
  const plan = { before: [], during: [], after: [] };
  const last = [];
  for (let house = 0; house < declarations * houses; house++) {
    const decide = (phase, routing) => {
      plan[phase].push({
        ...(house % 3 === 0 && { mrn: mrnOf(Math.floor(house / houses)) }),
        transportDocumentHouseLevel: { documentNumber: documentOf(house), type: 'N740' },
        ...routings[routing],
      });
      last[house] = routings[routing];
    };
    // Two in five are decided before, two during and one after; some are changed once or twice, some repeated.
    decide(['before', 'before', 'during', 'during', 'after'][house % 5], house % 20 === 0 ? 1 : 0);
    if (house % 7 === 0) decide(house % 5 < 2 ? 'during' : 'after', 2);
    if (house % 11 === 0) decide('after', 1);
    if (house % 13 === 0) decide('after', last[house] === routings[1] ? 1 : 0);
  }
  return { plan, last };
}

/** Sends decisions and counts their results. */
async function decideAll(port, token, decisions, counts) {
  const lines = await sendLines(port, DECISIONS, token, decisions, ({ status, signals = 0 }) => {
    counts[status] = (counts[status] ?? 0) + 1;
    counts.signals += signals;
  });
  if (lines !== decisions.length)
    throw new Error(`${lines} of ${decisions.length} lines have a result`);
}

/** Sends decisions to two servers concurrently; those of one house consignment go to the same server, in order. */
async function decideOnBoth(ports, token, decisions, counts) {
  const mine = (server) =>
    decisions.filter(
      ({ transportDocumentHouseLevel: { documentNumber } }) =>
        Number(documentNumber.at(-1)) % 2 === server,
    );
  await Promise.all(ports.map((port, server) => decideAll(port, token, mine(server), counts)));
}

/** Presents a declaration: as a whole, by its master document, or each house consignment by itself; some twice. */
async function presentDeclaration(declaration, houses, ports, tokens) {
  const operator = tokens[declaration % OPERATORS];
  const send = async (server, level, reference, token) => {
    const body = { requestId: randomUUID(), customsOfficeOfPresentation: 'NO351001', ...reference };
    const response = await call(
      ports[server],
      'POST',
      `${PRESENT}/${level}`,
      token,
      JSON.stringify(body),
    );
    if (response?.status !== 202)
      throw new Error(`presentation: ${response?.status} ${response?.text}`);
  };
  const whole = [
    'entry-summary-declaration',
    { mrn: mrnOf(declaration) },
    declaration % 3 === 0 ? tokens[HANDLER] : operator,
  ];
  if (declaration % 10 === 0) {
    for (let house = declaration * houses; house < (declaration + 1) * houses; house += 10) {
      await Promise.all(
        Array.from({ length: Math.min(10, houses) }, (_, step) =>
          send(
            (house + step) % 2,
            'house-consignment',
            {
              transportDocumentHouseLevel: {
                documentNumber: documentOf(house + step),
                type: 'N740',
              },
            },
            (house + step) % 4 === 0 ? tokens[HANDLER] : operator,
          ),
        ),
      );
    }
  } else if (declaration % 10 === 1) {
    const document = { documentNumber: `MAWB${declaration}`, type: 'N741' };
    await send(1, 'master-consignment', { transportDocumentMasterLevel: document }, operator);
    await send(0, ...whole);
  } else {
    await send(declaration % 2, ...whole);
  }
}

/** Presents all declarations except the last, a few at a time. */
async function presentAll({ declarations, houses }, ports, tokens) {
  let next = 0;
  const work = async () => {
    while (next < declarations - 1) await presentDeclaration(next++, houses, ports, tokens);
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** The day at full size, on a separate PostgreSQL. */
export async function airportDay({ folder, report, small }) {
  const { port, cluster, database, provider, end } = await prepareDatabase(folder);
  const size = small ? { declarations: 22, houses: 30 } : { declarations: 200, houses: 500 };
  const ports = [port, port + 1];
  try {
    return await playAirportDay({
      url: cluster.url,
      database,
      provider,
      folder,
      ports,
      size,
      report,
    });
  } finally {
    await end();
  }
}

/**
 * Runs the day on a migrated, empty PostgreSQL.
 *
 * @param {{ url: string, database: any, provider: any, folder: string, ports: number[],
 *   size: { declarations: number, houses: number }, report: (line: string) => void }} day
 * @returns a description of every broken promise
 */
export async function playAirportDay({ url, database, provider, folder, ports, size, report }) {
  const { declarations, houses } = size;
  await prepareOrganisations(database);
  const serve = (port) =>
    startServer({
      port,
      basePort: ports[0],
      location: url,
      keysFolder: `${folder}/keys`,
      provider,
    });
  const { plan, last } = planDecisions(declarations, houses);
  const counts = { signals: 0 };
  const servers = [];
  const readers = [];
  let histories = [];
  try {
    // The first makes the signing keys that the second reads.
    for (const port of ports) servers.push(await serve(port));
    const tokens = await exchangeTokens(provider, ports[0]);
    const [registry] = await exchangeTokens(provider, ports[0], 'customs:authority/registry');
    const [authority] = await exchangeTokens(provider, ports[0], 'customs:authority/routing');
    report(`pre-notifying ${declarations} declarations of ${houses} house consignments`);
    await sendLines(ports[0], DECLARATIONS, registry, preNotifications(size), (result) => {
      if (result.status !== 'REGISTERED')
        throw new Error(`pre-notifying: ${JSON.stringify(result)}`);
    });
    readers.push(...READERS.map((reader) => startReader(reader, ports, tokens[reader])));
    const timed = async (what, decisions, work) => {
      const started = performance.now();
      await work;
      const seconds = (performance.now() - started) / 1000;
      report(`${what}: ${decisions} decisions in ${seconds.toFixed(1)} s`);
    };
    const decide = (phase) => decideOnBoth(ports, authority, plan[phase], counts);
    await timed('before presentation', plan.before.length, decide('before'));
    await timed(
      'during presentation',
      plan.during.length,
      Promise.all([decide('during'), presentAll(size, ports, tokens)]),
    );
    await timed('after presentation', plan.after.length, decide('after'));
    for (const reader of readers) await reader.stop();
    histories = await checkHistories(database, ports[0], registry);
  } finally {
    for (const reader of readers) reader.abort();
    await Promise.all(servers.map(stopTarget));
  }
  report(
    `${counts.DECIDED} decided, ${counts.UNCHANGED} unchanged, ${counts.signals} signals issued by decisions; ${readers.map(({ read }) => read.length).join(' + ')} signals read`,
  );
  return [
    ...(await checkSignals(database)),
    ...(await checkOutcome(database, size, last, counts)),
    ...(await checkReaders(database, readers)),
    ...histories,
    ...(await verifyAudit(database, feedKinds)).breaks.map(
      (found) => `audit trail: ${JSON.stringify(found)}`,
    ),
  ];
}

/** House consignments whose history is compared with the database. */
const HISTORIES = 300;

/** Compares some histories with the decisions and signals in the database. */
async function checkHistories(database, port, token) {
  const some = await database.query({
    name: '',
    text: `select h.id::text as id, h.routing,
        (select count(*)::integer from routing_decision d where d.house_consignment_id = h.id) as decided,
        (select count(*)::integer from signal_recipient c
          where c.house_consignment_id = h.id and c.signal_position is not null)
        + (select count(*)::integer from issued_signal s where s.house_consignment_id = h.id) as signalled,
        (select count(distinct c.presenter)::integer from signal_recipient c
          where c.house_consignment_id = h.id) as presented
      from house_consignment h order by md5(h.id::text) limit ${HISTORIES}`,
    values: [],
  });
  const broken = [];
  for (const { id, routing, ...counts } of some) {
    const response = await fetch(
      `http://127.0.0.1:${port}/api/authority/v1/house-consignments/${id}/history`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    const history = response.ok ? await response.json() : [];
    const count = (name) => history.filter(({ event }) => event === name).length;
    const reported = {
      decided: count('DECIDED'),
      signalled: count('SIGNALLED'),
      presented: count('PRESENTED'),
    };
    const times = history.map(({ at }) => at);
    const lastDecided = history.findLast(({ event }) => event === 'DECIDED');
    if (
      history[0]?.event !== 'PRE_NOTIFIED' ||
      times.join() !== [...times].sort().join() ||
      Object.entries(counts).some(([name, number]) => reported[name] !== number) ||
      (lastDecided !== undefined && lastDecided.details.routing !== routing)
    ) {
      broken.push(`history of ${id}: ${JSON.stringify({ counts, reported, routing, history })}`);
    }
  }
  return broken;
}

/** Compares the outcome of the day with its plan. */
async function checkOutcome(database, { declarations, houses }, last, counts) {
  const broken = [];
  const one = async (text, ...values) => {
    const [row] = await database.query({ name: '', text, values });
    return Number(row.found);
  };
  if (counts.REFUSED !== undefined) broken.push(`${counts.REFUSED} decisions were refused`);
  const recorded = await one('select count(*) as found from routing_decision');
  if (recorded !== counts.DECIDED) {
    broken.push(`${recorded} decisions are recorded, ${counts.DECIDED} were reported as decided`);
  }
  const issued = await one('select count(*) as found from issued_signal');
  if (issued !== counts.signals) {
    broken.push(`decisions issued ${issued} signals and reported ${counts.signals}`);
  }
  const presented = await one(
    'select count(distinct house_consignment_id) as found from signal_recipient',
  );
  if (presented !== (declarations - 1) * houses) {
    broken.push(`${presented} house consignments are presented`);
  }
  const otherwise = await one(
    `select count(*) as found
    from house_consignment h
    join unnest($1::text[], $2::text[], $3::text[]) as planned (document, routing, location)
      on document = h.document_number
    where (h.routing, h.routing_control_location) is distinct from (planned.routing, planned.location)`,
    last.map((_, house) => documentOf(house)),
    last.map(({ routing }) => routing),
    last.map(({ routingControlLocation }) => routingControlLocation ?? null),
  );
  if (otherwise > 0) broken.push(`${otherwise} house consignments are not routed as planned`);
  const outdated = await one(
    `select count(*) as found
    from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
    where (
      select s.entry::json -> 'routingResult' ->> 'routing' from routing_signal s
      where s.owner = c.organisation_id and s.position = greatest(c.signal_position, (
        select max(position) from issued_signal i
        where i.house_consignment_id = h.id and i.owner = c.organisation_id))
    ) is distinct from h.routing`,
  );
  if (outdated > 0) broken.push(`${outdated} times the last signal is not the current decision`);
  const unconnected = await one(
    `select count(*) as found from house_consignment h
    join declaration e on e.id = h.ens_id
    cross join lateral (values (e.declarant), (e.representative)) party (organisation)
    where organisation is not null and e.mrn <> $1 and not exists (
      select from signal_recipient c where c.house_consignment_id = h.id and c.organisation_id = organisation)`,
    mrnOf(declarations - 1),
  );
  if (unconnected > 0)
    broken.push(`${unconnected} declarants or representatives are not connected`);
  return broken;
}
