// The keys of an external identity provider, by the address of its key set.
import { setTimeout as delay } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { reasonOf } from '../native-error.js';
import { readRemoteJson } from './read-remote-json.js';

/**
 * The age from which a key set is read again before a token is accepted, in seconds: how long a key that the provider
 * has withdrawn is accepted at most while the provider responds.
 */
export const REMOTE_KEYS_FRESH_S = 600;

/**
 * The age from which the check in the background reads a key set again, in seconds: half as much, so that a token has to
 * wait for it only where the provider does not respond, and nobody has noticed yet.
 */
const REMOTE_KEYS_REFRESH_S = REMOTE_KEYS_FRESH_S / 2;

/** The age from which a key set is not used any more, in seconds, while the provider does not respond. */
export const REMOTE_KEYS_MAX_AGE_S = 4 * 3600;

/** The minimum time between two attempts, in milliseconds, however many unknown kids arrive. */
const PAUSE_MS = 60_000;

/** The minimum time between two attempts while no key set may be used, in milliseconds. */
const FIRST_PAUSE_MS = 5000;

/**
 * How long a token waits for an attempt after the last one has failed, in milliseconds: a provider that responds again does so
 * sooner, and one that does not must not delay every exchange.
 */
const WAIT_AFTER_FAILURE_MS = 1000;

/** No key set that may be used has been read, and the identity provider does not respond. */
export class IdentityProviderUnavailableError extends Error {
  readonly code = 'IDENTITY_PROVIDER_UNAVAILABLE';
  override name = 'IdentityProviderUnavailableError';
}

/** The keys of an identity provider by the address of its key set. */
export type RemoteKeys = {
  /**
   * Finds the key of a token. A key set that is too old is read again before a token is accepted; while the provider is
   * unavailable, the last one stays in use up to its maximum age. It responds within 5 s, and within 1 s once an attempt
   * has failed, however long the provider takes.
   */
  find: JWTVerifyGetKey;
  /**
   * Reads the key set if it is half as old as it may become.
   *
   * @throws IdentityProviderUnavailableError while it cannot be read, also if the last one stays in use
   */
  check(): Promise<void>;
};

/**
 * Opens the keys. Nothing is read yet.
 *
 * @param elapsedMs the monotonic clock, in milliseconds
 * @param reportFailure is given the error of each attempt that fails
 */
export function openRemoteKeys(
  url: string,
  elapsedMs: () => number,
  reportFailure: (error: unknown) => void = () => undefined,
): RemoteKeys {
  /** That of the last attempt, if it has failed. */
  let lastFailure: Error | undefined;
  let current: { find: ReturnType<typeof createLocalJWKSet>; readAt: number } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let attempt: Promise<void> | undefined;

  const keysYoungerThan = (seconds: number) =>
    current !== undefined && elapsedMs() - current.readAt < seconds * 1000
      ? current.find
      : undefined;
  const refresh = (): Promise<void> => {
    // A key that is withdrawn while the response is on its way counts as withdrawn after it.
    const readAt = elapsedMs();
    attempt ??= readKeySet(url)
      .then((keys) => {
        current = { find: createLocalJWKSet(keys), readAt };
        lastFailure = undefined;
      })
      .finally(() => {
        attempt = undefined;
      });
    return attempt;
  };
  const tryToRefresh = async () => {
    if (attempt === undefined) {
      const pause = keysYoungerThan(REMOTE_KEYS_MAX_AGE_S) ? PAUSE_MS : FIRST_PAUSE_MS;
      if (elapsedMs() - triedAt < pause) return;
      triedAt = elapsedMs();
    }
    await refresh().catch((cause: unknown) => {
      // In one sentence: `fetch` says only that it failed, and its cause says why.
      lastFailure = new Error(reasonOf(cause));
      reportFailure(lastFailure);
    });
  };
  const waitForKeys = async () => {
    if (lastFailure === undefined) return tryToRefresh();
    const stop = new AbortController();
    const late = delay(WAIT_AFTER_FAILURE_MS, undefined, { signal: stop.signal, ref: false });
    await Promise.race([tryToRefresh(), late]);
    stop.abort();
  };
  const usableKeys = () => {
    const find = keysYoungerThan(REMOTE_KEYS_MAX_AGE_S);
    if (find !== undefined) return find;
    throw new IdentityProviderUnavailableError(
      `the identity provider's keys are unavailable: ${url}`,
    );
  };

  const check = async () => {
    if (keysYoungerThan(REMOTE_KEYS_REFRESH_S) === undefined) await tryToRefresh();
    if (keysYoungerThan(REMOTE_KEYS_REFRESH_S) !== undefined) return;
    const isUsable = keysYoungerThan(REMOTE_KEYS_MAX_AGE_S) !== undefined;
    const effect = isUsable ? 'the last ones are used for 4 hours' : 'no token can be exchanged';
    throw new IdentityProviderUnavailableError(
      `The identity provider's keys cannot be read: ${effect}`,
      { cause: lastFailure },
    );
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    if (keysYoungerThan(REMOTE_KEYS_FRESH_S) === undefined) await waitForKeys();
    try {
      return await usableKeys()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await waitForKeys();
      return usableKeys()(header, token);
    }
  };
  return { find, check };
}

/** Reads a key set, as the exchange does: without redirects, up to 256 KiB, within 5 s. */
export async function readKeySet(url: string): Promise<JSONWebKeySet> {
  // The cast is true once createLocalJWKSet has taken it: it checks the shape.
  const keys = (await readRemoteJson(url, `the key set at ${url}`)) as JSONWebKeySet;
  createLocalJWKSet(keys);
  return keys;
}
