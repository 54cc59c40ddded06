// Reads the credentials of all identities of a playground.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileCheck, PlaygroundCredentials } from '@landfall/contract';

/** The credentials in a data folder, without files that are not credentials. */
export async function readPlaygroundCredentials(data: string): Promise<PlaygroundCredentials[]> {
  const folder = join(data, 'credentials');
  const check = compileCheck<PlaygroundCredentials>(PlaygroundCredentials);
  // A missing folder has no credentials; an unreadable file is skipped.
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const read = files.sort().map(async (name) => {
    const checked = check(JSON.parse(await readFile(join(folder, name), 'utf8')));
    return checked.valid ? [checked.value] : [];
  });
  return (await Promise.all(read.map((one) => one.catch(() => [])))).flat();
}
