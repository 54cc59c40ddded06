// Checks that the files of a list are different ones.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../process/exit.js';

type ListFiles = { file: string; journal?: string; failed?: string };

/** The list, its journal and the file of failures are three files. */
export function checkListFiles({ file, journal, failed }: ListFiles): void {
  const named: [flag: string, path: string][] = [];
  if (file !== '-') named.push(['--file', file]);
  if (journal !== undefined) named.push(['--journal', journal]);
  else if (file !== '-') named.push(['the journal', `${file}.journal`]);
  if (failed !== undefined) named.push(['--failed', failed]);
  const seen = new Map<string, string>();
  for (const [flag, path] of named) {
    const real = realPath(path);
    const other = seen.get(real);
    if (other !== undefined) throw new UsageError(`${flag} and ${other} must be different files`);
    seen.set(real, flag);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet.
    return resolve(path);
  }
}
