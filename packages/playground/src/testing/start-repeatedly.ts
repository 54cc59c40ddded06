// A program that starts, resets and disposes playgrounds one after the other, and sends to its parent what the process
// holds after each. Its arguments: how many, and after how many of them the memory is measured first.
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { collectGarbage } from '../../../service/dist/testing/collect-garbage.js';
import { startPlayground } from '../index.js';

/** What a process holds. */
export type Holdings = {
  /** The kinds of resources that keep it running, and how many there are of each. */
  resources: Record<string, number>;
  /** File descriptors and threads; `undefined` where the system does not list them. */
  descriptors: number | undefined;
  threads: number | undefined;
  temporaryFiles: string[];
  /** Bytes after garbage was collected, where they were measured. */
  memory?: { heap: number; external: number; resident: number };
};

/** For how long garbage is collected, in milliseconds. */
const COLLECT_MS = 300;

const [count, measured] = process.argv.slice(2).map(Number);
for (let number = 1; number <= (count ?? 0); number++) {
  await useOne();
  const holdings = await findHoldings();
  if (number === measured || number === count) holdings.memory = await measureMemory();
  process.send?.(holdings);
}
process.disconnect();

async function useOne(): Promise<void> {
  await using playground = await startPlayground();
  // Without an agent: `fetch` of Node.js keeps an object for each address.
  await new Promise((resolve, reject) => {
    get(`${playground.baseUrl}/readyz`, { agent: false }, (response) => resolve(text(response))).on(
      'error',
      reject,
    );
  });
  await playground.reset();
}

async function findHoldings(): Promise<Holdings> {
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) {
    resources[name] = (resources[name] ?? 0) + 1;
  }
  return {
    resources,
    descriptors: await countEntries('/proc/self/fd'),
    threads: await countEntries('/proc/self/task'),
    temporaryFiles: await readdir(tmpdir()),
  };
}

async function countEntries(folder: string): Promise<number | undefined> {
  return readdir(folder).then(
    (entries) => entries.length,
    () => undefined,
  );
}

async function measureMemory() {
  await collectGarbage(COLLECT_MS);
  const { heapUsed: heap, external, rss: resident } = process.memoryUsage();
  return { heap, external, resident };
}
