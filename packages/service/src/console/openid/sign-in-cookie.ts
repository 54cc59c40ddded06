// The cookie that binds a sign-in to the browser in which it began, until the provider sends the browser back. It is
// sealed, so that only a sign-in that this service has begun reaches the provider.
import { parse, serialize } from 'cookie';
import { openText, sealText } from '../sealed-text.js';
import type { SignInSecrets } from './provider.js';
import { deriveSignInKey, type OpenIdSettings } from './settings.js';

/** How long a person may take at the provider, in seconds. */
export const MAX_AGE_S = 600;

/** A sign-in that has begun. */
export type StartedSignIn = SignInSecrets & {
  /** Where the person wanted to go, below `/console/`. */
  returnTo: string;
  /** The id of the session that the browser had, which ends when somebody has signed in. */
  before?: string | undefined;
  /** When it began, by the database's clock, in milliseconds since 1970. */
  begunAt: number;
};

/**
 * The content of the cookie; `endsAt` in milliseconds since 1970. Servers of the previous release do not write when the
 * sign-in began.
 */
type Sealed = Omit<StartedSignIn, 'begunAt'> & { begunAt?: number; endsAt: number };

/** The cookie of sign-ins of one service. */
export type SignInCookie = {
  /** The sign-in of a `Cookie` header; `undefined` if none has begun in this browser in the last minutes. */
  read(header: string | undefined): StartedSignIn | undefined;
  write(started: StartedSignIn): string;
  remove(): string;
};

/**
 * Makes the cookie. It is `SameSite=Lax`, because the provider's site sends the browser back with it. Over https no
 * other host of the domain can set it.
 *
 * @param baseUrl the address at which browsers reach the service
 * @param settings has the secrets from which its key is derived, the same on every server
 * @param clientSecrets those of the client that a sign-in may have begun with, the newest first
 */
export function makeSignInCookie(
  baseUrl: string,
  { subjectKey, clientSecret }: Pick<OpenIdSettings, 'subjectKey' | 'clientSecret'>,
  clientSecrets: () => readonly [string, ...string[]] = () => [clientSecret],
): SignInCookie {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-landfall-sign-in' : 'landfall-sign-in';
  const keyOf = (secret: string) => deriveSignInKey({ subjectKey, clientSecret: secret });
  const write = (value: string, maxAge: number) =>
    serialize(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge });
  return {
    read: (header) => {
      const value = header === undefined ? undefined : parse(header)[name];
      if (value === undefined) return undefined;
      for (const secret of clientSecrets()) {
        const started = readSealed(keyOf(secret), value);
        if (started !== undefined) return started;
      }
      return undefined;
    },
    write: (started) => {
      const sealed: Sealed = { ...started, endsAt: Date.now() + MAX_AGE_S * 1000 };
      return write(
        sealText(keyOf(clientSecrets()[0]), JSON.stringify(sealed)).toString('base64url'),
        MAX_AGE_S,
      );
    },
    remove: () => write('', 0),
  };
}

function readSealed(key: Buffer, value: string): StartedSignIn | undefined {
  let text: string;
  try {
    text = openText(key, Buffer.from(value, 'base64url'));
  } catch {
    return undefined;
  }
  // The cast is true because only servers have the key.
  const { endsAt, ...started } = JSON.parse(text) as Sealed;
  return endsAt > Date.now() ? { begunAt: endsAt - MAX_AGE_S * 1000, ...started } : undefined;
}
