// The keys of an external identity provider, by the address of its key set.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { readBounded } from '../files/read-bounded.js';
import { isError, messageOf } from '../native-error.js';

/**
 * The age from which a key set is read again before a token is accepted, in seconds: how long a key that the provider
 * has withdrawn is accepted at most while the provider responds.
 */
export const REMOTE_KEYS_FRESH_S = 600;

/** The age from which a key set is not used any more, in seconds, while the provider does not respond. */
export const REMOTE_KEYS_MAX_AGE_S = 4 * 3600;

/** The minimum time between two attempts, in milliseconds, however many unknown kids arrive. */
const PAUSE_MS = 60_000;

/** The minimum time between two attempts while no key set may be used, in milliseconds. */
const FIRST_PAUSE_MS = 5000;

/** How long the provider may take to send its key set, in milliseconds. */
const TIMEOUT_MS = 5000;

/** The maximum size of a key set, in bytes. */
const MAX_SIZE = 256 * 1024;

/** No key set that may be used has been read, and the identity provider does not respond. */
export class IdentityProviderUnavailableError extends Error {
  readonly code = 'IDENTITY_PROVIDER_UNAVAILABLE';
  override name = 'IdentityProviderUnavailableError';
}

/**
 * Finds the keys of an identity provider. A key set that is too old is read again before a token is accepted; while the
 * provider is unavailable, the last one stays in use up to its maximum age.
 *
 * @param elapsedMs the monotonic clock, in milliseconds
 * @param reportFailure is given the error of each attempt that fails
 */
export function findRemoteKeys(
  url: string,
  elapsedMs: () => number,
  reportFailure: (error: unknown) => void = () => undefined,
): JWTVerifyGetKey {
  return openRemoteKeys(url, elapsedMs, reportFailure).find;
}

/** The keys of an identity provider by the address of its key set. */
export type RemoteKeys = {
  find: JWTVerifyGetKey;
  /**
   * Reads the key set if it is too old.
   *
   * @throws IdentityProviderUnavailableError while it cannot be read, also if the last one stays in use
   */
  check(): Promise<void>;
};

/** The same, with a check that needs no token. */
export function openRemoteKeys(
  url: string,
  elapsedMs: () => number,
  reportFailure: (error: unknown) => void = () => undefined,
): RemoteKeys {
  let lastFailure: unknown;
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
      const message = `the identity provider's keys could not be read: ${reasonOf(cause)}`;
      lastFailure = new Error(message, { cause });
      reportFailure(lastFailure);
    });
  };
  const usableKeys = () => {
    const find = keysYoungerThan(REMOTE_KEYS_MAX_AGE_S);
    if (find !== undefined) return find;
    throw new IdentityProviderUnavailableError(
      `the identity provider's keys are unavailable: ${url}`,
    );
  };

  const check = async () => {
    if (keysYoungerThan(REMOTE_KEYS_FRESH_S) === undefined) await tryToRefresh();
    if (keysYoungerThan(REMOTE_KEYS_FRESH_S) !== undefined) return;
    const isUsable = keysYoungerThan(REMOTE_KEYS_MAX_AGE_S) !== undefined;
    const effect = isUsable ? 'the last ones are used for 4 hours' : 'no token can be exchanged';
    throw new IdentityProviderUnavailableError(
      `The identity provider's keys cannot be read: ${effect}`,
      { cause: lastFailure },
    );
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    if (keysYoungerThan(REMOTE_KEYS_FRESH_S) === undefined) await tryToRefresh();
    try {
      return await usableKeys()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await tryToRefresh();
      return usableKeys()(header, token);
    }
  };
  return { find, check };
}

/** What went wrong, with the cause: `fetch` says only that it failed. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return isError(error) && isError(error.cause) ? `${message}: ${error.cause.message}` : message;
}

/** Reads a key set, as the exchange does: without redirects, up to 256 KiB, within 5 s. */
export async function readKeySet(url: string): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    // The operator configured this address: a response must not redirect to another one.
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} responded with ${response.status}`);
  }
  // The cast is true once createLocalJWKSet has taken it: it checks the shape.
  const keys = JSON.parse(
    await readBounded(response, `the key set at ${url}`, MAX_SIZE, signal),
  ) as JSONWebKeySet;
  createLocalJWKSet(keys);
  return keys;
}
