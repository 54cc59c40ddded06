// The service in a process of its own, on either database, for tests that take long. It ends with the tests of the file.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';

const server = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** Why tests on PostgreSQL are skipped, and what to do. In CI they fail instead. */
export const noPostgresql: string | false =
  process.env.CI === 'true' || (await runs('select 1'))
    ? false
    : `no PostgreSQL at ${server}: start one there, or name one in TEST_DATABASE_URL`;

/** A running service. */
export type ServiceProcess = {
  baseUrl: string;
  /** Writes the credentials of an identity, for a service behind another address, and returns the file. */
  writeCredentials(name: string, baseUrl?: string): Promise<string>;
  /** A folder for the files of the test. */
  folder: string;
};

/** Starts the service with the identities of the playground. */
export async function startServiceProcess(
  database: 'embedded' | 'PostgreSQL',
): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-client-'));
  const name = `landfall_test_${randomUUID().replaceAll('-', '')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  if (database === 'PostgreSQL') await run(`create database ${name}`);
  const entry = new URL(
    '../../../service/dist/testing/playground-process-entry.js',
    import.meta.url,
  );
  const child = fork(entry, database === 'PostgreSQL' ? [url] : []);
  after(async () => {
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    if (child.exitCode === null) await ended;
    if (database === 'PostgreSQL') await run(`drop database if exists ${name} with (force)`);
    await rm(folder, { recursive: true, force: true });
  });
  // The cast is true because the process sends this message when it listens.
  const [{ baseUrl, credentials }] = (await once(child, 'message')) as [
    { baseUrl: string; credentials: readonly { name: string }[] },
  ];
  return {
    baseUrl,
    folder,
    writeCredentials: async (identity, address = baseUrl) => {
      const found = credentials.find((given) => given.name === identity);
      const file = join(folder, `${identity}-${new URL(address).port}.json`);
      await writeFile(file, JSON.stringify({ ...found, base_url: address }), { mode: 0o600 });
      return file;
    },
  };
}

async function runs(statement: string): Promise<boolean> {
  return run(statement).then(
    () => true,
    () => false,
  );
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
