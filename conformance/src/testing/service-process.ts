// The service with the identities and the registers of the playground in a process of its own, on either database.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMigratedPostgresql } from '../../../packages/service/dist/testing/migrated-postgresql.js';

/** The program of the process: it sends its address and its credentials when it listens, and ends with its parent. */
const ENTRY = '../../../packages/service/dist/testing/playground-process-entry.js';

/** How long the process may take to start or to end, in milliseconds. */
const PROCESS_TIMEOUT_MS = 60_000;

/** A running service. */
export type ServiceProcess = {
  baseUrl: string;
  /** A folder with the credentials of each identity, as the playground writes them. */
  credentials: string;
  /** The folder with the keys that sign tokens. */
  keys: string;
  /** Runs a statement on its database; only on PostgreSQL. */
  query(text: string, values?: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
};

/** Starts the service. */
export async function startService(database: 'embedded' | 'PostgreSQL'): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-conformance-'));
  const postgresql = database === 'PostgreSQL' ? await createMigratedPostgresql() : undefined;
  const child = fork(
    fileURLToPath(new URL(ENTRY, import.meta.url)),
    [postgresql?.url ?? '', JSON.stringify({ referenceDocuments: 'static' })],
    // The process keeps its own files in the folder for temporary files.
    { env: { ...process.env, TMPDIR: folder }, silent: true },
  );
  // Its log is about refusals that the cases cause.
  child.stdout?.resume();
  child.stderr?.resume();
  const signal = AbortSignal.timeout(PROCESS_TIMEOUT_MS);
  // The cast is true because the process sends this message when it listens.
  const [{ baseUrl, credentials }] = (await once(child, 'message', { signal })) as [
    { baseUrl: string; credentials: readonly { name: string }[] },
  ];
  const credentialsFolder = join(folder, 'credentials');
  await mkdir(credentialsFolder);
  for (const identity of credentials) {
    const file = join(credentialsFolder, `${identity.name}.json`);
    await writeFile(file, JSON.stringify(identity), { mode: 0o600 });
  }
  return {
    baseUrl,
    credentials: credentialsFolder,
    keys: await findKeys(folder),
    query: async (text, values) => postgresql?.run(text, values),
    close: async () => {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(PROCESS_TIMEOUT_MS) });
      if (child.connected) child.disconnect();
      if (child.exitCode === null) await ended;
      await postgresql?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of the keys is below that of the process's own files. */
async function findKeys(folder: string): Promise<string> {
  for (const name of await readdir(folder)) {
    const keys = join(folder, name, 'keys');
    const isThere = await readFile(join(keys, 'customs-token.json')).then(
      () => true,
      () => false,
    );
    if (isThere) return keys;
  }
  throw new Error('the process has no folder of keys');
}
