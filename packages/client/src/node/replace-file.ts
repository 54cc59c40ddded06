// Replaces files so that whoever reads one sees the old text or the new one, and whatever is beside it stays as it is.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file, or makes it. Only its owner can read it.
 *
 * @param path without symbolic links: one would be replaced itself
 * @param durable whether it survives a power cut
 */
export function replaceFile(path: string, text: string, durable = false): void {
  // A name that nobody has, which `wx` makes sure of: through a link at a known one, another file would be written.
  const temporary = `${path}.${randomUUID()}.tmp`;
  let isOwn = false;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    isOwn = true;
    try {
      writeFileSync(descriptor, text);
      if (durable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    if (isOwn) rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

/** Makes the new name of a file survive a power cut. Windows cannot, and needs no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
