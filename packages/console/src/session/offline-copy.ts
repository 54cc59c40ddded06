// What the gate needs after a reload without a connection: who has signed in, and what was known of goods. The tab
// keeps it (`sessionStorage`) until it is closed, its session ends, or somebody signs out or signs in.
import type { DraftStorage } from './drafts.js';
import { type Configuration, callerOf, type Session } from './session.js';

const STORAGE_KEY = 'landfall-offline-copy';

/** What is kept of goods, in characters of JSON. Browsers keep 5 million for all of a tab. */
const MAX_LENGTH = 2_000_000;

export type OfflineCopy = {
  /** When it was known. */
  at: string;
  configuration: Configuration;
  /** Without its CSRF token: a copy only reads. */
  session: Session;
  /** What the page knew. */
  known: unknown;
};

/**
 * Keeps a copy in place of the one before. Without storage, or if it does not fit, none is kept.
 *
 * @param copy `known` has the most useful at its beginning: each is attempted until one fits
 */
export function keepOfflineCopy(
  storage: DraftStorage | undefined,
  { known, session, ...copy }: Omit<OfflineCopy, 'known'> & { known: readonly unknown[] },
): void {
  storage?.removeItem(STORAGE_KEY);
  for (const one of known) {
    const text = JSON.stringify({
      ...copy,
      session: { ...session, csrfToken: '' },
      known: one,
    } satisfies OfflineCopy);
    if (text.length > MAX_LENGTH) continue;
    try {
      storage?.setItem(STORAGE_KEY, text);
      return;
    } catch {
      // The browser keeps no more: a smaller one may fit.
    }
  }
}

/** The copy of a session that has not ended; `undefined` if there is none. */
export function readOfflineCopy(
  storage: DraftStorage | undefined,
  now: Date,
): OfflineCopy | undefined {
  try {
    const copy: OfflineCopy | null = JSON.parse(storage?.getItem(STORAGE_KEY) ?? 'null');
    if (copy === null || new Date(copy.session.endsAt) > now) return copy ?? undefined;
  } catch {
    // It is not one of ours.
  }
  deleteOfflineCopy(storage);
  return undefined;
}

/** Deletes the copy, unless it is of this caller. */
export function keepOnlyCopyOf(
  storage: DraftStorage | undefined,
  session: Session | undefined,
  now: Date,
): void {
  const copy = readOfflineCopy(storage, now);
  if (copy === undefined) return;
  if (session === undefined || callerOf(copy.session) !== callerOf(session)) {
    deleteOfflineCopy(storage);
  }
}

export function deleteOfflineCopy(storage: DraftStorage | undefined): void {
  storage?.removeItem(STORAGE_KEY);
}
