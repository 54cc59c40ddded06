// Signs a grant without sending it, and examines it with the rules of the identity provider.
import { type Credentials, GrantTokens, LandfallError } from '@landfall/client';
import { DEFAULT_SCOPE_PREFIX } from '@landfall/contract';
import type { Finding } from '@landfall/service';
import { type Check, failed, ok } from './check.js';

/** The prefix of the scopes, such as `customs:`. */
function scopePrefixOf({ scopePrefix, scopes = [] }: Credentials): string {
  return scopePrefix ?? /^[^:]+:/.exec(scopes[0] ?? '')?.[0] ?? DEFAULT_SCOPE_PREFIX;
}

/** The scopes to check, as they are requested. */
export function scopesOf(credentials: Credentials): readonly string[] {
  const { kind, scopes = [] } = credentials;
  const entry = `${scopePrefixOf(credentials)}${kind === 'foreign' ? 'eu/' : ''}movement/entry`;
  return scopes.length > 0 ? scopes : [entry];
}

/** Every rule that can be checked without the identity provider. */
export async function checkGrant(
  credentials: Credentials,
  baseUrl: string,
  now: Date,
): Promise<Check[]> {
  const signed = await signGrant(credentials, baseUrl);
  if (signed instanceof Error) {
    return [
      failed(
        'grant',
        `no grant can be signed: ${signed.message}`,
        'Correct the key or the certificates in the credentials.',
      ),
    ];
  }
  const findings = await examineForm(signed, credentials, baseUrl, now);
  const broken = findings.filter(({ holds }) => holds === false);
  const open = findings.filter(({ holds }) => holds === null).length;
  if (broken.length > 0) {
    const { adviceFor } = await import('@landfall/playground');
    return broken.map((finding) => failed('grant', finding.detail, adviceFor('grant', finding)));
  }
  const rest = open === 0 ? '' : `; ${open} can only be checked by the identity provider`;
  return [ok('grant', `signed; ${findings.length - open} rules hold${rest}`)];
}

/** Examines a grant or an access token; a rule that needs the identity provider is open. */
export async function examineForm(
  token: string,
  credentials: Credentials,
  baseUrl: string,
  now: Date,
): Promise<Finding[]> {
  const { url, audience = url } = credentials.identityProvider;
  // Imported here so that other commands start without loading it.
  const { examineOffline } = await import('@landfall/playground');
  const known = { scopePrefix: scopePrefixOf(credentials), issuer: audience, baseUrl };
  return (await examineOffline(token, known, now)).findings;
}

/** The grant that the client would send, or why it cannot be signed. */
async function signGrant(credentials: Credentials, baseUrl: string): Promise<string | Error> {
  let assertion: string | undefined;
  const tokens = new GrantTokens({
    baseUrl,
    credentials: { ...credentials, scopes: [scopesOf(credentials).join(' ')] },
    // Nothing is sent.
    allowHttp: true,
    fetch: async (_, init) => {
      assertion = new URLSearchParams(String(init?.body)).get('assertion') ?? undefined;
      return Response.error();
    },
  });
  try {
    await tokens.getToken([]);
  } catch (error) {
    if (assertion !== undefined) return assertion;
    if (error instanceof LandfallError) return error;
    throw error;
  }
  return new Error('the client sent no grant');
}
