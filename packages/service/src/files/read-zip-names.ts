// The names in a ZIP file, from its central directory alone: nothing is unpacked.

/** The longest comment after the directory, in bytes. */
const MAX_COMMENT = 65_535;

/** More names are not read: an office file has some dozen, and some hundred with many pictures. */
const MAX_NAMES = 10_000;

const END_BYTES = 22;
const ENTRY_BYTES = 46;

/** The names in their order; `undefined` if the directory is broken, too long, or not in one file. */
export function readZipNames(content: Buffer): string[] | undefined {
  const end = findEnd(content);
  if (end === undefined) return undefined;
  const count = content.readUInt16LE(end + 10);
  const start = content.readUInt32LE(end + 16);
  const stop = start + content.readUInt32LE(end + 12);
  const isWhole = content.readUInt32LE(end + 4) === 0 && content.readUInt16LE(end + 8) === count;
  if (!isWhole || count > MAX_NAMES || stop > end) return undefined;
  const names: string[] = [];
  let at = start;
  for (let number = 0; number < count; number++) {
    if (at + ENTRY_BYTES > stop || content.toString('latin1', at, at + 4) !== 'PK\x01\x02') {
      return undefined;
    }
    const after = at + ENTRY_BYTES + content.readUInt16LE(at + 28);
    if (after > stop) return undefined;
    names.push(content.toString('utf8', at + ENTRY_BYTES, after));
    at = after + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32);
  }
  // What is left over could be more entries, which a reader that ignores the count finds.
  return at === stop ? names : undefined;
}

/** Where the record at the end of the file begins: the last one whose comment ends with the file. */
function findEnd(content: Buffer): number | undefined {
  const before = Math.max(0, content.length - END_BYTES - MAX_COMMENT);
  const tail = content.subarray(before);
  let at = tail.length;
  while (at > 0) {
    at = tail.lastIndexOf('PK\x05\x06', at - 1, 'latin1');
    const commentAt = at + END_BYTES;
    if (at < 0) return undefined;
    if (commentAt > tail.length) continue;
    if (commentAt + tail.readUInt16LE(at + 20) === tail.length) return before + at;
  }
  return undefined;
}
