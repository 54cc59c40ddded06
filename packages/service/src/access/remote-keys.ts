// The keys of an external identity provider, by the address of its key set.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { readBounded } from '../files/read-bounded.js';
import { isError, messageOf } from '../native-error.js';

/** How long a key set is used before it is requested again, in milliseconds. */
export const FRESH_MS = 10 * 60_000;

/** The minimum time between two attempts, in milliseconds, however many unknown kids arrive. */
const PAUSE_MS = 60_000;

/** The minimum time between two attempts while no key set was read, in milliseconds. */
const FIRST_PAUSE_MS = 5000;

/** How long the provider may take to send its key set, in milliseconds. */
const TIMEOUT_MS = 5000;

/** The maximum size of a key set, in bytes. */
const MAX_SIZE = 256 * 1024;

/** No key set has been read yet and the identity provider does not respond. */
export class IdentityProviderUnavailableError extends Error {
  readonly code = 'IDENTITY_PROVIDER_UNAVAILABLE';
  override name = 'IdentityProviderUnavailableError';
}

/**
 * Finds the keys of an identity provider. While the provider is unavailable, the last key set stays in use.
 *
 * @param reportFailure is given the error of each attempt that fails
 */
export function findRemoteKeys(
  url: string,
  clock: () => Date,
  reportFailure: (error: unknown) => void = () => undefined,
): JWTVerifyGetKey {
  let find: ReturnType<typeof createLocalJWKSet> | undefined;
  let readAt = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  let attempt: Promise<void> | undefined;

  const refresh = (): Promise<void> => {
    attempt ??= readKeySet(url)
      .then((keys) => {
        find = createLocalJWKSet(keys);
        readAt = clock().getTime();
      })
      .finally(() => {
        attempt = undefined;
      });
    return attempt;
  };
  const tryToRefresh = async () => {
    const time = clock().getTime();
    if (attempt === undefined) {
      if (time - triedAt < (find === undefined ? FIRST_PAUSE_MS : PAUSE_MS)) return;
      triedAt = time;
    }
    await refresh().catch((cause: unknown) => {
      const message = `the identity provider's keys could not be read: ${reasonOf(cause)}`;
      reportFailure(new Error(message, { cause }));
    });
  };

  return async (header, token) => {
    if (find === undefined) await tryToRefresh();
    else if (clock().getTime() - readAt >= FRESH_MS) void tryToRefresh();
    if (find === undefined) {
      throw new IdentityProviderUnavailableError(
        `the identity provider's keys are unavailable: ${url}`,
      );
    }
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await tryToRefresh();
      return find(header, token);
    }
  };
}

function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return isError(error) && isError(error.cause) ? `${message}: ${error.cause.message}` : message;
}

async function readKeySet(url: string): Promise<JSONWebKeySet> {
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
  return JSON.parse(
    await readBounded(response, `the key set at ${url}`, MAX_SIZE, signal),
  ) as JSONWebKeySet;
}
