// Starts the service with the identities of the playground, on either database, for the tests of a file.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Database } from '../../../service/dist/database/database.js';
import { type TestDatabase, testDatabases } from '../../../service/dist/testing/databases.js';
import { TestPlayground } from '../../../service/dist/testing/playground-client.js';
import { runCommand } from './run-command.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/** The databases to test on, with the reason to skip one. */
export const databases = await testDatabases();

/** A running service without a limit of requests. */
export type TestService = {
  baseUrl: string;
  /** The data folder to give as `--data`; the test may write other files there. */
  data: string;
  database: Database;
  /** Runs a command that must succeed; returns standard output. */
  run(line: string, input?: string): Promise<string>;
};

/** Starts it; it ends after the tests of the file. */
export async function startService(name: TestDatabase['name']): Promise<TestService> {
  const data = await makeTemporaryFolder();
  const database = databases.find((each) => each.name === name);
  assert(database);
  const opened = await database.open();
  const service = await TestPlayground.start(opened, { rateLimit: 0 });
  after(() => service.close());
  const { baseUrl, identities: credentials } = service.playground;
  await mkdir(join(data, 'credentials'));
  for (const each of credentials) {
    const file = join(data, 'credentials', `${each.name}.json`);
    await writeFile(file, JSON.stringify(each), { mode: 0o600 });
  }
  return {
    baseUrl,
    data,
    database: opened,
    run: async (line, input = '') => {
      const { code, stdout, stderr } = await runCommand([...line.split(' '), '--data', data], {
        input,
      });
      if (code !== 0) throw new Error(`landfall ${line} ended with ${code}:\n${stdout}${stderr}`);
      return stdout;
    },
  };
}

let declarations = 0;

/** A declaration whose house consignments have these routings, as lines for `authority import`, and its MRN. */
function makeDeclaration(routings: readonly string[]): { mrn: string; line: string } {
  declarations += 1;
  const mrn = `26NO${String(process.pid % 1e6).padStart(6, '0')}${String(declarations).padStart(8, '0')}`;
  const line = JSON.stringify({
    mrn,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000078',
    houseConsignments: routings.map((routing, index) => ({
      transportDocumentHouseLevel: { documentNumber: `${mrn}-${index}`, type: 'N740' },
      routing,
      ...(routing === 'TO_CONTROL' && { routingControlLocation: 'ON_ENTRY' }),
    })),
  });
  return { mrn, line };
}

/** Registers house consignments without a routing decision, of type N740; returns the numbers of their documents. */
export async function registerHouses(
  service: TestService,
  count: number,
  numbers?: readonly string[],
): Promise<string[]> {
  const { mrn, line } = makeDeclaration([]);
  const named = numbers ?? Array.from({ length: count }, (_, index) => `${mrn}-${index}`);
  const houseConsignments = named.map((documentNumber) => ({
    transportDocumentHouseLevel: { documentNumber, type: 'N740' },
  }));
  await service.run(
    'authority import -',
    JSON.stringify({ ...JSON.parse(line), houseConsignments }),
  );
  return [...named];
}

/** Issues signals to carrier; returns the numbers of their documents in the order of the feed. */
export async function issueSignals(
  service: TestService,
  routings: readonly string[],
): Promise<string[]> {
  const { mrn, line } = makeDeclaration(routings);
  await service.run('authority import -', line);
  await service.run(`present entry-summary-declaration --mrn ${mrn} --as carrier`);
  return (await listDocuments(service)).filter((number) => number.startsWith(mrn));
}

/** The numbers of the documents of all signals of carrier. */
export async function listDocuments(service: TestService): Promise<string[]> {
  return documentsIn(
    JSON.parse(await service.run('routing list --as carrier --limit 1000 --json')),
  );
}

/** The numbers of the documents in signals. */
export function documentsIn(
  signals: readonly { transportDocumentHouseLevel: { documentNumber: string } }[],
): string[] {
  return signals.map((signal) => signal.transportDocumentHouseLevel.documentNumber);
}
