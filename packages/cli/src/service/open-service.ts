// Opens the service that a command calls, as the identity that its options select.
import {
  GrantTokens,
  type Hooks,
  Landfall,
  LandfallError,
  type RetryPolicy,
} from '@landfall/client';
import type { IdentityOptions } from '../input/options.js';
import { printable, report } from '../output/output.js';
import { eraseProgress } from '../output/progress.js';
import { fetchWithClock } from './clock.js';
import { readIdentity } from './identity.js';
import { makeTokenFiles } from './token-files.js';

/** The client, and the source of its tokens. */
export type Service = { client: Landfall; tokens: GrantTokens };

/** A user who waits sees an error soon. */
const RETRY: Partial<RetryPolicy> = { maxAttempts: 3 };

/** A pause of at least this many milliseconds is reported. */
const REPORTED_PAUSE_MS = 1000;

/**
 * Opens the service. Nothing is sent yet.
 *
 * @throws CredentialsError
 */
export async function openService(options: IdentityOptions): Promise<Service> {
  const { credentials, baseUrl, tokenFolder } = await readIdentity(options);
  const tokenStore = makeTokenFiles(tokenFolder);
  const tokens = new GrantTokens({
    baseUrl,
    credentials,
    tokenStore,
    hooks,
    fetch: fetchWithClock,
  });
  return { client: new Landfall({ baseUrl, tokens, hooks, retry: RETRY }), tokens };
}

const hooks: Hooks = {
  onRetry: ({ error, delayMs }) => {
    if (delayMs < REPORTED_PAUSE_MS || !(error instanceof LandfallError)) return;
    eraseProgress();
    report(`${printable(error.message)}; trying again in ${Math.ceil(delayMs / 1000)} s`);
  },
};
