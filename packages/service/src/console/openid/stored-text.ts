// Texts of the provider as the database can store and index them, whatever they contain.
import { createHash } from 'node:crypto';

/** The maximum length of an identifier that is stored as it is: an index takes no text of any length. */
const MAX_IDENTIFIER = 200;

/** Control characters, lone surrogates, and characters that change the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/** The identifier itself, or its digest if it is long or has characters that cannot be stored. */
export function toStoredIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER && identifier.search(UNSEEN) < 0) return identifier;
  // As JSON, which distinguishes texts that are the same as UTF-8.
  return `sha256:${createHash('sha256').update(JSON.stringify(identifier)).digest('hex')}`;
}

/** A name as it is shown: without characters that nobody sees, and not longer than so many characters. */
export function toShownName(name: string, maxLength: number): string {
  const seen = name.slice(0, 10 * maxLength).replaceAll(UNSEEN, '');
  return [...seen.trim()].slice(0, maxLength).join('');
}
