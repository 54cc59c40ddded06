// Measures how long backups and restores take, on a PostgreSQL of its own with pgBackRest and the configuration of deploy/backup:
// a full backup, the archive of further goods, a differential backup, a restore to a second, and one after the loss of all.
// As root on Debian. The repository is on the same disk.
import '../scripts/end-with-script.js';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { declareRestored } from '../packages/service/dist/index.js';
import { requirePrograms } from '../scripts/require-programs.js';
import { addDeclarations, addHouseConsignments, fillDatabase, HOUSES_PER_ENS } from './goods.js';

const usage = `Usage: node bench/measure-restore.js [--houses N]

  --houses N  house consignments in the full backup (default: 100000); a tenth more is written after it`;

const { values } = parseArgs({
  options: {
    houses: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
requirePrograms('this script', ['initdb', 'pgbackrest']);
const houses = Math.ceil(Number(values.houses) / HOUSES_PER_ENS) * HOUSES_PER_ENS;
const further = Math.ceil(houses / 10 / HOUSES_PER_ENS) * HOUSES_PER_ENS;
/** House consignments that one statement adds. */
const BLOCK = 100_000;
const port = 21_000 + (process.pid % 500);
const root = fileURLToPath(new URL('..', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'landfall-restore-'));
chmodSync(folder, 0o755);
const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
const [uid, gid] = [idOf('-u'), idOf('-g')];
const path = (name) => join(folder, name);
for (const name of ['database', 'repository', 'spool', 'log', 'run', 'conf.d']) {
  mkdirSync(path(name), { mode: 0o700 });
  execFileSync('chown', ['postgres:postgres', path(name)]);
}
const [version] = readdirSync('/usr/lib/postgresql').sort((one, other) => other - one);
const bin = join('/usr/lib/postgresql', version, 'bin');
const configuration = readFileSync(join(root, 'deploy/backup/pgbackrest.conf'), 'utf8')
  .replace('/var/lib/postgresql/15/main', path('database'))
  .replace('/var/lib/pgbackrest', path('repository'))
  .replaceAll('/var/spool/pgbackrest', path('spool'))
  .replace('/var/log/pgbackrest', path('log'))
  .replace('/var/run/postgresql', path('run'))
  .replace('pg1-port=5432', `pg1-port=${port}`);
writeFileSync(path('pgbackrest.conf'), configuration);
writeFileSync(path('conf.d/key.conf'), `[global]\nrepo1-cipher-pass=${crypto.randomUUID()}\n`);
const env = {
  ...process.env,
  PGBACKREST_CONFIG: path('pgbackrest.conf'),
  PGBACKREST_CONFIG_INCLUDE_PATH: path('conf.d'),
  PGHOST: path('run'),
  PGPORT: String(port),
  PGDATA: path('database'),
};
const run = (program, ...words) =>
  execFileSync(program, words, {
    uid,
    gid,
    env,
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const pgBackRest = (...words) =>
  run('pgbackrest', '--stanza=landfall', '--log-level-console=error', ...words);
const sql = (text) => run('psql', '-XAtq', '-U', 'postgres', '-c', text).trim();
const pgCtl = (...words) =>
  run(join(bin, 'pg_ctl'), ...words, '--silent', '--log', path('log/log'));
const start = async () => {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${path('run')}`;
  try {
    pgCtl('start', '--wait', '--timeout=7200', '--options', options);
  } catch (error) {
    console.error(readFileSync(path('log/log'), 'utf8').split('\n').slice(-30).join('\n'));
    throw error;
  }
  while (sql('select pg_is_in_recovery()') === 't') {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
const stop = () => pgCtl('stop', '--mode=fast');

/** Prints how long a step takes. */
async function measure(name, step) {
  const begun = performance.now();
  await step();
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

/** The bytes of a folder, in MB. */
const sizeOf = (name) =>
  Math.round(
    Number(execFileSync('du', ['-sb', path(name)], { encoding: 'utf8' }).split('\t')[0]) / 1e6,
  );

try {
  run(join(bin, 'initdb'), '-U', 'postgres', '-A', 'trust', '--data-checksums');
  appendFileSync(
    path('database/postgresql.conf'),
    readFileSync(join(root, 'deploy/backup/postgresql.conf')),
  );
  await start();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  pgBackRest('stanza-create');
  const database = openPostgresql(url);
  await migrate(database);
  await measure(`filling ${houses} house consignments, with the archive`, () =>
    fillDatabase(database, houses),
  );
  console.log(`the database has ${sizeOf('database')} MB`);
  await measure('full backup', () => pgBackRest('--type=full', 'backup'));
  console.log(`the repository has ${sizeOf('repository')} MB`);
  await measure(`adding ${further} more`, async () => {
    const first = houses / HOUSES_PER_ENS;
    await addDeclarations(database, first, first + further / HOUSES_PER_ENS);
    for (let from = houses; from < houses + further; from += BLOCK) {
      await addHouseConsignments(database, from, Math.min(from + BLOCK, houses + further));
    }
  });
  const before = sql('select clock_timestamp()');
  await measure('differential backup', () => pgBackRest('--type=diff', 'backup'));
  await database.close();
  sql('delete from organisation_scope; select pg_switch_wal()');
  pgBackRest('check');
  const count = 'select count(*) from house_consignment';
  const expect = (found, wanted) => {
    if (Number(found) !== wanted) throw new Error(`${found} instead of ${wanted} were restored`);
  };
  stop();
  await measure('restore to the second before a deletion (--delta)', async () => {
    // From the full backup, so that the log of what was added is applied.
    const set = pgBackRest('info', '--output=json');
    const [full] = JSON.parse(set)[0].backup.filter(({ type }) => type === 'full');
    const target = ['--type=time', `--target=${before}`, '--target-action=promote'];
    pgBackRest('restore', '--delta', `--set=${full.label}`, ...target);
    await start();
  });
  expect(sql(count), houses + further);
  if (sql('select count(*) from organisation_scope') === '0') throw new Error('it was deleted');
  await measure('landfall admin restored', () => declareRestored({ databaseUrl: url }));
  sql('select pg_switch_wal()');
  pgBackRest('check');
  stop();
  rmSync(path('database'), { recursive: true });
  mkdirSync(path('database'), { mode: 0o700 });
  execFileSync('chown', ['postgres:postgres', path('database')]);
  await measure('restore after the loss of all, to the end of the archive', async () => {
    pgBackRest('restore');
    await start();
  });
  expect(sql(count), houses + further);
} finally {
  try {
    stop();
  } catch {
    // It does not run.
  }
  rmSync(folder, { recursive: true, force: true });
}
