// Follows the routing signals into the log, and keeps track of whether the log is up to date.
import { setTimeout as wait } from 'node:timers/promises';
import { LandfallError } from '@landfall/client';

/** Pause before following begins again after it failed, in milliseconds. */
const RETRY_AFTER_MS = 5000;

/**
 * @param {import('@landfall/client').Landfall} landfall
 * @param {import('./signal-log.js').SignalLog} log
 * @param {AbortSignal} signal
 */
export function followSignals(landfall, log, signal) {
  let connected = false;
  // The log was complete until then.
  let upToDateAt = log.writtenAt;

  function lost(error) {
    console.error(`no connection: ${error.message}`);
    if (connected) upToDateAt = new Date();
    connected = false;
  }

  async function follow() {
    const signals = landfall.followRouting({
      // The log is the marker, so there is nothing else to write.
      store: { read: () => log.marker, write: () => undefined },
      signal,
      onStateChange: (change) => {
        if (change.state === 'lost') lost(change.error);
        else {
          connected = true;
          console.error('connected');
        }
      },
    });
    for await (const entry of signals) await log.add(entry);
  }

  async function followAgainAndAgain() {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        // Anything else, such as a full disk, ends the gate.
        if (!(error instanceof LandfallError)) throw error;
        lost(error);
        await wait(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    /** Resolves when following has ended, after the signal. */
    ended: followAgainAndAgain(),
    /** Whether every signal until now is in the log; if not, until when that was so. */
    state: () => ({ connected, ...(connected ? {} : { upToDateAt: upToDateAt ?? null }) }),
  };
}
