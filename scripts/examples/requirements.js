// What an example needs in addition to Node.js and npm, and whether it is there.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { programOf } from '../../packages/client/checks/install-runtimes.js';

const run = promisify(execFile);

/** The tools of each example: the arguments with which a tool prints its version, and how to get it on Debian. */
const tools = {
  bash: { args: ['--version'], get: 'apt-get install bash' },
  curl: { args: ['--version'], get: 'apt-get install curl' },
  openssl: { args: ['version'], get: 'apt-get install openssl' },
  javac: { args: ['--version'], get: 'apt-get install openjdk-17-jdk-headless' },
  psql: { args: ['--version'], get: 'apt-get install postgresql-client' },
  python3: { args: ['--version'], get: 'apt-get install python3' },
};

/** @type {Record<string, { tools?: (keyof typeof tools)[], sqlite?: boolean, postgresql?: boolean }>} */
const requirements = {
  'curl-and-openssl': { tools: ['curl', 'openssl'] },
  java: { tools: ['javac'] },
  python: { tools: ['python3', 'openssl'] },
  'statistics-office': { tools: ['psql'], sqlite: true, postgresql: true },
};

/**
 * What is missing for an example, and the variables with which its commands are run.
 *
 * @param {string} example
 * @returns {Promise<{ missing: string[], environment: Record<string, string> }>}
 */
export async function findRequirements(example) {
  const { tools: needed = [], sqlite = false, postgresql = false } = requirements[example] ?? {};
  const missing = [];
  const environment = {};
  for (const tool of needed) {
    if (await fails(tool, tools[tool].args)) missing.push(`${tool} (${tools[tool].get})`);
  }
  if (sqlite && (await fails(process.execPath, ['-e', 'require("node:sqlite")']))) {
    const node = programOf('node22');
    if (existsSync(node)) environment.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
    else missing.push('Node.js 22.13 (node packages/client/checks/install-runtimes.js)');
  }
  if (postgresql) {
    const url = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
    environment.DATABASE_URL = url;
    if (!(await responds(url))) missing.push('PostgreSQL (apt-get install postgresql)');
  }
  return { missing, environment };
}

/** @param {string} program @param {string[]} args */
function fails(program, args) {
  return run(program, args).then(
    () => false,
    () => true,
  );
}

/** @param {string} url */
async function responds(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
