// When two messages are the same: as values of JSON, whatever the order of members, the spaces and how numbers are written.
import { createHash } from 'node:crypto';

/** SHA-256 of what a JSON text says. */
export function digestContent(text: string): Buffer {
  return createHash('sha256')
    .update(canonical(JSON.parse(text)))
    .digest();
}

/** SHA-256 of a text as it is, in hexadecimal. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One text for all that say the same: members in one order, no spaces. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
