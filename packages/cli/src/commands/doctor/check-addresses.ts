// Whether the service and the identity provider can be reached, and are what the credentials say.
import { ApiError, Connection, type Credentials } from '@landfall/client';
import { getIdentityProviderMetadata, getReadiness } from '@landfall/client/operations';
import type { IdentityOptions } from '../../input/options.js';
import type { Sending } from '../../service/open-fetch.js';
import { explainCall } from './advice-for-connection.js';
import { type Check, failed, ok, warning } from './check.js';

/** The metadata of an identity provider, below its own address (RFC 8414). */
const getMetadata = {
  ...getIdentityProviderMetadata,
  path: '/.well-known/oauth-authorization-server',
};

/** Whether the service is ready. */
export async function checkService(
  baseUrl: string,
  sending: Sending,
  options: IdentityOptions,
): Promise<Check> {
  try {
    const text = await new Connection({ baseUrl, retry: false, ...sending }).call(getReadiness, {});
    if (text.trim() === 'OK') return ok('service', `${baseUrl} is ready`);
  } catch (error) {
    if (!(error instanceof ApiError)) {
      const { detail, advice } = explainCall(error, options);
      return failed('service', detail, advice);
    }
    if (error.status !== 404) {
      const { detail } = explainCall(error, options);
      return failed(
        'service',
        `${baseUrl} is not ready: ${detail}`,
        'Try again; if it stays so, report it to the operator of the service.',
      );
    }
  }
  return warning(
    'service',
    `${baseUrl} responds, but not as a Landfall service does at /readyz`,
    'Check the address (--url, or base_url in the credentials).',
  );
}

/** Whether the identity provider responds, and its metadata agrees with the credentials. */
export async function checkIdentityProvider(
  { identityProvider }: Credentials,
  sending: Sending,
  options: IdentityOptions,
): Promise<Check> {
  const { url, audience = url } = identityProvider;
  const connection = new Connection({ baseUrl: url, retry: false, ...sending });
  let metadata: unknown;
  try {
    metadata = await connection.call(getMetadata, {});
  } catch (error) {
    if (!(error instanceof ApiError)) {
      const { detail, advice } = explainCall(error, options);
      return failed('identity provider', detail, advice);
    }
    return warning(
      'identity provider',
      `${url} has no metadata at ${getMetadata.path} (${error.status})`,
      'Check idp_url in the credentials, unless this identity provider publishes none.',
    );
  }
  const issuer = memberOf(metadata, 'issuer');
  const tokenUrl = memberOf(metadata, 'token_endpoint');
  if (withoutSlash(issuer) !== withoutSlash(audience)) {
    return failed(
      'identity provider',
      `${url} is the issuer ${issuer}, and grants are for ${audience}`,
      'Set idp_url in the credentials to the issuer.',
    );
  }
  const expected = identityProvider.tokenUrl ?? `${withoutSlash(url)}/token`;
  // An address that --url replaced is another one on purpose.
  if (url === audience && tokenUrl !== expected) {
    return warning(
      'identity provider',
      `${url} takes grants at ${tokenUrl}, and they are sent to ${expected}`,
      'Ask the operator of the identity provider for the address of its token endpoint.',
    );
  }
  return ok('identity provider', `${url} responds, and is the audience of grants`);
}

function memberOf(metadata: unknown, name: string): string {
  if (typeof metadata !== 'object' || metadata === null) return 'unknown';
  const value: unknown = Reflect.get(metadata, name);
  return typeof value === 'string' ? value : 'unknown';
}

function withoutSlash(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}
