// A separate database for each run, dropped at its end.
import pg from 'pg';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { dropWithScript } from '../scripts/end-with-script.js';

/**
 * Creates an empty database.
 *
 * @param address of PostgreSQL, as an administrator
 * @param name of the database
 * @returns its `url`, the `database` opened as Landfall does, the administrator's session `server`, and `drop`, which
 * also returns the version of PostgreSQL
 */
export async function makeDatabase(address, name) {
  const server = new pg.Client({ connectionString: address });
  await server.connect().catch(({ code, message }) => {
    if (code !== 'ECONNREFUSED') throw new Error(`PostgreSQL at ${address}: ${message}`);
    console.error(
      `no PostgreSQL at ${address}: apt-get install postgresql, or name one with --database`,
    );
    process.exit(2);
  });
  dropWithScript(address, name);
  await server.query(`create database ${name}`);
  const url = Object.assign(new URL(address), { pathname: `/${name}` }).href;
  const database = openPostgresql(url);
  const drop = async () => {
    await database.close();
    await server.query(`drop database ${name} with (force)`);
    const { rows } = await server.query('select version()');
    await server.end();
    return rows[0].version.split(' on ')[0];
  };
  return { url, database, server, drop };
}
