// Presenting house consignments in a realistic mix: Landfall, the least that can be written by hand for the same rows, and
// what a team would build instead with libraries.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { validationStatuses } from '../packages/service/dist/presentation/status-feed.js';
import { routingSignals } from '../packages/service/dist/routing/signal-feed.js';
import { countMissing, feedsIn, followFeeds } from './check-feeds.js';
import { PEERS, whyNoPeers } from './peers.js';
import { fillMix, MIX, mixPresenters, partOf } from './realistic-mix.js';

const ECHO = 'present: node:http, stores nothing';
const BARE = 'present: bare feeds, same rows';
const EMBEDDED = 'present: embedded';

/** Rows of Landfall by the number of its servers; which of them gets a presenter's requests, or any. */
const SERVERS = [
  [1, { 'present: PostgreSQL, one server': undefined }],
  [
    2,
    {
      'present: PostgreSQL, two servers': undefined,
      'present: PostgreSQL, two servers, by presenter': (presenter) =>
        Math.floor(presenter / MIX.parts) % 2,
      'present: PostgreSQL, two servers, no organisation in common': partOf,
    },
  ],
];

/** Bare servers do not verify it, but read the same number of bytes. It ends with the number of the organisation. */
const bareTokens = mixPresenters.map((number) => 'x'.repeat(501) + number);

/** More than any server that stores presentations takes per second. */
const HOUSES_A_SECOND = { postgresql: 30_000, embedded: 12_000 };

/** How many feeds a reader follows. */
const FOLLOWED = 5;

/** The presenter of each declaration, once the database is filled. */
let presenters;

/** Measures the selected rows once. `bench` is the context of run.js. */
export async function measurePresenting(bench) {
  const { wanted } = bench;
  if (
    [ECHO, BARE, ...SERVERS.flatMap(([, rows]) => Object.keys(rows)), ...Object.keys(PEERS)].some(
      wanted,
    )
  ) {
    await measurePostgresql(bench);
  }
  await measureEmbedded(bench);
}

async function measurePostgresql(bench) {
  const { wanted, measure, measureBare, startLandfall, url, database } = bench;
  presenters ??= await fillMix(database, housesFor('postgresql', bench));
  const load = makeLoad(presenters);
  const bareLoad = { ...load, tokens: bareTokens };
  const owners = await findOwners(database);
  const follow = (feeds) => () => followFeeds(url, feeds, owners);

  // It stores nothing, and takes more than there are goods for.
  const echoed = { ...bareLoad, refused: undefined, again: true };
  await measureBare(ECHO, BARE, 'targets/echo-http', [], echoed);
  await measureBare(BARE, BARE, 'targets/bare-feeds', [url], bareLoad, follow(feedsIn('bare')));
  for (const [servers, rows] of SERVERS) {
    const names = Object.keys(rows).filter(wanted);
    if (names.length === 0) continue;
    const landfall = await startLandfall(url, servers, mixPresenters);
    const { ports, tokens, pids } = landfall;
    for (const name of names) {
      await removePresentations(database);
      const serverOf = rows[name] && mixPresenters.map((_, presenter) => rows[name](presenter));
      const sent = { ...load, ports, tokens, serverOf };
      await measure(name, BARE, pids, sent, follow(feedsIn('public')));
    }
    await landfall.stop();
  }
  for (const [name, { target, feeds }] of Object.entries(PEERS).filter(([each]) => wanted(each))) {
    const why = whyNoPeers();
    if (why === undefined) await measureBare(name, BARE, target, [url], bareLoad, follow(feeds));
    else process.stderr.write(`${name}: left out, ${why}\n`);
  }
}

/** Landfall on the embedded database, which has no second session that could follow feeds meanwhile. */
async function measureEmbedded(bench) {
  if (!bench.wanted(EMBEDDED)) return;
  const location = mkdtempSync(join(bench.folder, 'embedded-'));
  const prepared = await openEmbedded(location);
  await migrate(prepared);
  const load = makeLoad(await fillMix(prepared, housesFor('embedded', bench)));
  await prepared.close();
  const landfall = await bench.startLandfall(location, 1, mixPresenters);
  const { ports, tokens, pids } = landfall;
  await bench.measure(EMBEDDED, BARE, pids, { ...load, ports, tokens }, async () => ({
    end: async (acknowledged) => {
      await landfall.stop();
      const opened = await openEmbedded(location);
      const query = (text, values) => opened.query({ name: '', text, values });
      const lost = await countMissing(query, feedsIn('public'), acknowledged);
      await opened.close();
      return { lost, behind: 0 };
    },
  }));
}

function makeLoad(presentersOfDeclarations) {
  return {
    kind: 'present',
    from: MIX.from,
    housesPerEns: MIX.housesPerEns,
    refused: MIX.refused,
    presenters: presentersOfDeclarations,
  };
}

function housesFor(kind, { houses, seconds, warmUp }) {
  return Number(houses ?? Math.ceil(HOUSES_A_SECOND[kind] * (seconds + warmUp)));
}

/** The first presenters: their feeds have entries however few requests are sent. */
async function findOwners(database) {
  const first = [...new Set(presenters)].slice(0, FOLLOWED);
  const identifiers = first.map((index) => `0192:${810_000_000 + mixPresenters[index]}`);
  const text = 'select id from organisation where identifier = any($1::text[])';
  const rows = await database.query({ name: '', text, values: [identifiers] });
  return rows.map(({ id }) => id);
}

/**
 * So that each row presents the same goods, to the same empty feeds. A background process of PostgreSQL would analyse these
 * tables while they are empty, which they are in no installation, and sessions would get slow plans until the next time.
 */
async function removePresentations(database) {
  const kinds = [validationStatuses.number, routingSignals.number].join(', ');
  const tables = [
    'validation_status',
    'validation_status_ens',
    'signal_recipient',
    'routing_signal',
  ];
  for (const text of [
    ...tables.map((table) => `alter table ${table} set (autovacuum_enabled = off)`),
    `truncate ${tables.join(', ')}`,
    `delete from feed_state where kind in (${kinds})`,
  ]) {
    await database.query({ name: '', text, values: [] });
  }
}
