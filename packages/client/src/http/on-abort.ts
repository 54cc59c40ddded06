// Calls back when a signal aborts. Many calls may share a signal, and Node.js warns of a leak at the eleventh listener.

const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Returns what ends it. The signal gets one listener, however many callbacks it has. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const found = callbacks.get(signal);
  const all = found ?? new Set();
  if (found === undefined) {
    callbacks.set(signal, all);
    const abort = () => {
      for (const each of all) each();
    };
    signal.addEventListener('abort', abort, { once: true });
  }
  all.add(callback);
  return () => all.delete(callback);
}
