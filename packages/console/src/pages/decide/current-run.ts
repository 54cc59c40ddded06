// The run of decisions of this browser window. It continues while another page is shown.
import { useSyncExternalStore } from 'react';
import { useSession } from '../../session/session-context.js';
import type { DecisionRun } from './decision-run.js';

/** A run, and whoever started it: somebody else who signs in does not see it. */
type Started = { run: DecisionRun; subject: string };

let current: Started | undefined;
const listeners = new Set<() => void>();

/** The run of whoever has signed in, unless there is none, and a function that starts to show another, or none. */
export function useCurrentRun(): [DecisionRun | undefined, (run: DecisionRun | undefined) => void] {
  const { subject } = useSession();
  const started = useSyncExternalStore(subscribe, () => current);
  const set = (run: DecisionRun | undefined) => {
    current = run && { run, subject };
    for (const listener of listeners) listener();
  };
  return [started?.subject === subject ? started.run : undefined, set];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Whoever closes the window would lose which decisions have no result yet.
addEventListener('beforeunload', (event) => {
  if (current !== undefined && current.run.read().status !== 'done') event.preventDefault();
});
