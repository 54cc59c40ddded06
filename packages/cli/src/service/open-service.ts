// Opens the service that a command calls, as the identity that its options select.
import { GrantTokens, type Hooks, LandfallError, type RetryPolicy } from '@landfall/client';
import type { IdentityOptions } from '../input/options.js';
import { printable, report } from '../output/output.js';
import { eraseProgress } from '../output/progress.js';
import { CheckedLandfall } from './checked-landfall.js';
import { readIdentity } from './identity.js';
import { openFetch, type Sending } from './open-fetch.js';
import { makeTokenFiles } from './token-files.js';

/** The client, who it is, the source of its tokens, and how it sends requests. */
export type Service = {
  client: CheckedLandfall;
  clientId: string;
  tokens: GrantTokens;
  sending: Sending;
};

/** A user who waits sees an error soon. */
const RETRY: Partial<RetryPolicy> = { maxAttempts: 3 };

/** A pause of at least this many milliseconds is reported. */
const REPORTED_PAUSE_MS = 1000;

/**
 * Opens the service. Nothing is sent yet.
 *
 * @param changes callbacks that replace those of every command
 * @throws CredentialsError
 */
export async function openService(options: IdentityOptions, changes: Hooks = {}): Promise<Service> {
  const { credentials, tokenFolder, ...address } = await readIdentity(options);
  const tokenStore = makeTokenFiles(tokenFolder);
  const hooks = { ...reportPauses, ...changes };
  const sending = openFetch(options);
  const tokens = new GrantTokens({ ...address, credentials, tokenStore, hooks, ...sending });
  const client = new CheckedLandfall({ ...address, tokens, hooks, retry: RETRY, ...sending });
  return { client, clientId: credentials.clientId, tokens, sending };
}

/** Reports a pause that a user notices. */
const reportPauses: Hooks = {
  onRetry: ({ error, delayMs }) => {
    if (delayMs < REPORTED_PAUSE_MS || !(error instanceof LandfallError)) return;
    eraseProgress();
    report(`${printable(error.message)}; trying again in ${Math.ceil(delayMs / 1000)} s`);
  },
};
