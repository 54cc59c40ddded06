// What to do when an address cannot be reached, by the code of Node.js.
import { ConnectionError, LandfallError, TimeoutError, TokenError } from '@landfall/client';
import type { IdentityOptions } from '../../input/options.js';
import { explainFailure } from '../../service/explain-failure.js';

const NETWORK = 'Check the network, and whether a firewall or a proxy is in between.';
const NO_TLS = 'Check whether the address begins with http:// or https:// as the server expects.';

const adviceByCode: Record<string, string> = {
  ENOTFOUND: 'Check the name in the address (--url, or base_url and idp_url in the credentials).',
  EAI_AGAIN: 'The name server does not respond: check the network and DNS of this machine.',
  ECONNREFUSED: 'Nothing listens there: check host and port, or ask the operator.',
  ECONNRESET: NO_TLS,
  UND_ERR_SOCKET: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ETIMEDOUT: NETWORK,
  UND_ERR_CONNECT_TIMEOUT: NETWORK,
  EHOSTUNREACH: NETWORK,
  ENETUNREACH: NETWORK,
};

/** The failure of a call, and what to do; `null` if the explanation says it. */
export type Explained = { detail: string; advice: string | null };

/** Explains an error of the client. Any other error is a defect and is thrown. */
export function explainCall(thrown: unknown, options: Partial<IdentityOptions>): Explained {
  if (!(thrown instanceof LandfallError)) throw thrown;
  const explained = explainFailure(thrown, options);
  const detail = explained instanceof Error ? explained.message : String(explained);
  const error = thrown instanceof TokenError && thrown.cause !== undefined ? thrown.cause : thrown;
  if (error instanceof TimeoutError) return { detail, advice: NETWORK };
  if (!(error instanceof ConnectionError)) return { detail, advice: null };
  const code = /\((\w+)\)$/.exec(error.message)?.[1] ?? '';
  const saysWhatToDo = detail !== error.message && !error.outcomeUnknown;
  return { detail, advice: saysWhatToDo ? null : (adviceByCode[code] ?? NETWORK) };
}
