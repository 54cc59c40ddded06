// What file something is, by its content alone.
import { isUtf8 } from 'node:buffer';
import { readZipNames } from './read-zip-names.js';

/** The first bytes of a file, in hexadecimal digits. */
const beginnings = {
  pdf: '255044462d',
  jpg: 'ffd8ff',
  png: '89504e470d0a1a0a',
} as const;

/** The kinds that are known, by the usual end of the name. */
export type FileKind = 'pdf' | 'jpg' | 'png' | 'txt' | 'docx' | 'xlsx';

/** What file it is; `undefined` if it is none of these, or an office file with macros. */
export function kindOf(content: Buffer): FileKind | undefined {
  const beginning = content.toString('hex', 0, 8);
  for (const kind of ['pdf', 'jpg', 'png'] as const) {
    if (beginning.startsWith(beginnings[kind])) return kind;
  }
  if (content.toString('latin1', 0, 2) === 'PK') {
    const office = officeKindOf(content);
    if (office !== undefined) return office;
  }
  return isPlainText(content) ? 'txt' : undefined;
}

/** The name says which office file is meant, its parts which it is. One with macros is none. */
function officeKindOf(content: Buffer): 'docx' | 'xlsx' | undefined {
  const names = readZipNames(content);
  if (names === undefined || !names.includes('[Content_Types].xml')) return undefined;
  if (names.some((name) => /(?:^|[\\/])vbaproject\.bin$/i.test(name))) return undefined;
  const isIn = (folder: string) => names.some((name) => name.startsWith(folder));
  if (isIn('word/') === isIn('xl/')) return undefined;
  return isIn('word/') ? 'docx' : 'xlsx';
}

/** UTF-8 without control characters, except tabs and line breaks. */
function isPlainText(content: Buffer): boolean {
  if (!isUtf8(content)) return false;
  for (let index = 0; index < content.length; index++) {
    const byte = content[index] ?? 0;
    if (byte < 0x20 ? byte !== 9 && byte !== 10 && byte !== 13 : byte === 0x7f) return false;
    // U+0080 to U+009F.
    if (byte === 0xc2 && (content[index + 1] ?? 0) < 0xa0) return false;
  }
  return true;
}
