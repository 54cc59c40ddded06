// Temporary folders that are deleted when they are no longer needed, and at the latest when the process exits.
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that belongs to the caller until it is removed. */
export type TemporaryFolder = { path: string; remove(): Promise<void> };

const existing = new Set<string>();

/** Makes an empty one. A process that is killed leaves it behind. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'landfall-playground-'));
  // One handler for all: Node.js warns of more than ten.
  if (existing.size === 0) process.on('exit', removeAll);
  existing.add(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      existing.delete(path);
      if (existing.size === 0) process.off('exit', removeAll);
    },
  };
}

/** Nothing asynchronous runs while a process exits. */
function removeAll(): void {
  for (const path of existing) rmSync(path, { recursive: true, force: true });
}
