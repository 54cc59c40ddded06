// Compares messages by content: as JSON values, whatever their order of members, white space and number notation.
import { createHash } from 'node:crypto';

/** SHA-256 of the content of a JSON text. */
export function digestContent(text: string): Buffer {
  return createHash('sha256')
    .update(canonical(JSON.parse(text)))
    .digest();
}

/** SHA-256 of a text, in hexadecimal. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same text for equal values: members sorted, without white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
