// A random journey through the console: who walks, on which goods, and what was done so far.
import type { Landfall } from '@landfall/client';
import type { Random } from '@landfall/samples';
import type { ConsolePage } from '../open-console.js';

/** Whose eyes the console is seen with: a presenter, and an officer of the authority. */
export const WALKERS = ['carrier', 'authority'] as const;
export type Walker = (typeof WALKERS)[number];

/** A journey. */
export type Journey = {
  console: ConsolePage;
  random: Random;
  /** Who has signed in. */
  walker: Walker;
  /** Their clients, beside the console. */
  clients: Readonly<Record<Walker, Landfall>>;
  /** Numbers of house documents, and other identifiers that lead to goods or to none. */
  documents: readonly string[];
  identifiers: readonly string[];
  /** The requestId that the page sent last. */
  sentRequestId?: string | undefined;
  /** Numbers of house documents that were presented without a decision, and wait. */
  arrived: string[];
  /** What was done, for whoever repeats it. */
  done: string[];
};

/** The path and the query of the page, below the console. */
export function placeOf({ console: { page } }: Journey): URL {
  const url = new URL(page.url());
  return new URL(url.pathname.replace(/^\/console/, '') + url.search, url);
}
