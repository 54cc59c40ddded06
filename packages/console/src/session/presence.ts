// Whether somebody uses the page: requests that nobody asks for would keep the session of somebody who has left.
import { useSyncExternalStore } from 'react';

/** Whoever has done nothing for so long has left, in milliseconds. */
const ABSENT_AFTER_MS = 10 * 60_000;

let isPresent = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(present: boolean): void {
  if (present === isPresent) return;
  isPresent = present;
  for (const listener of listeners) listener();
}

function notice(): void {
  clearTimeout(timer);
  timer = setTimeout(() => set(false), ABSENT_AFTER_MS);
  set(true);
}

// Not movements of the pointer nor scrolling: a browser reports both when only the page has changed.
for (const event of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
  addEventListener(event, notice, { passive: true, capture: true });
}
notice();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * How often something is read again by itself, in milliseconds: not at all while nobody has used the page for ten minutes.
 * A session whose owner has left ends as if the page were closed.
 */
export function usePollInterval(ms: number): number | false {
  return useSyncExternalStore(subscribe, () => isPresent) && ms;
}
