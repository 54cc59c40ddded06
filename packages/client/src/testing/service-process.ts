// The service in a process of its own, on either database, for tests that take long. It ends with the tests of the file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createMigratedPostgresql } from '../../../service/dist/testing/migrated-postgresql.js';
import { PlaygroundProcess } from '../../../service/dist/testing/playground-process.js';
import { whyNoPostgresql } from '../../../service/dist/testing/postgresql.js';

/** Why tests on PostgreSQL are skipped, and what to do. In CI they fail instead. */
export const noPostgresql = await whyNoPostgresql();

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
  const postgresql = database === 'PostgreSQL' ? await createMigratedPostgresql() : undefined;
  const service = await PlaygroundProcess.start(postgresql?.url);
  after(async () => {
    await service.close();
    await postgresql?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const { baseUrl, credentials } = service.ready;
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
