// The files of a cluster as one compressed text: a line of JSON with their names and sizes, then their contents. With
// `tar`, unpacking took ten times as long (decision 0095).
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, gunzipSync, gzip } from 'node:zlib';

/** A file with its contents, or a folder without. Names are relative, with `/`; a folder comes before what is in it. */
type Entry = { name: string; contents?: Uint8Array<ArrayBuffer> };

const NEWLINE = '\n'.charCodeAt(0);

/** Packs the files of a folder. */
export async function pack(folder: string): Promise<Uint8Array> {
  const entries = await readEntries(folder, '');
  const index = entries.map(({ name, contents }) => [name, contents?.length ?? null]);
  const contents = entries.flatMap(({ contents }) => (contents === undefined ? [] : [contents]));
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents]);
  return promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
}

/**
 * Unpacks into an empty folder.
 *
 * @throws the system's error, such as ENOSPC; any other error means that the snapshot is damaged
 */
export async function unpack(snapshot: Uint8Array, folder: string): Promise<void> {
  for (const { name, contents } of split(await promisify(gunzip)(snapshot))) {
    const path = join(folder, name);
    // Only the owner may read the data.
    if (contents === undefined) await mkdir(path, { mode: 0o700 });
    else await writeFile(path, contents, { mode: 0o600 });
  }
}

/** Unpacks in memory: the contents of all files are parts of one buffer, which belongs to the caller. */
export function unpackInMemory(snapshot: Uint8Array): Entry[] {
  return split(gunzipSync(snapshot));
}

function split(bytes: Buffer): Entry[] {
  const end = bytes.indexOf(NEWLINE);
  // The cast is true because `pack` wrote it.
  const index = JSON.parse(bytes.toString('utf8', 0, end)) as [name: string, size: number | null][];
  let position = bytes.byteOffset + end + 1;
  return index.map(([name, size]) => {
    if (size === null) return { name };
    // A view of exactly this size: an array that is longer than the buffer is refused.
    const contents = new Uint8Array(bytes.buffer as ArrayBuffer, position, size);
    position += size;
    return { name, contents };
  });
}

async function readEntries(folder: string, within: string): Promise<Entry[]> {
  const found = await readdir(join(folder, within), { withFileTypes: true });
  const entries = found.map(async (entry): Promise<Entry[]> => {
    const name = within === '' ? entry.name : `${within}/${entry.name}`;
    if (entry.isDirectory()) return [{ name }, ...(await readEntries(folder, name))];
    return [{ name, contents: new Uint8Array(await readFile(join(folder, name))) }];
  });
  return (await Promise.all(entries)).flat();
}
