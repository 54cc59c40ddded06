// The cookie that binds a sign-in to the browser in which it began, until the provider sends the browser back.
import { parse, serialize } from 'cookie';
import type { SignInSecrets } from './provider.js';

/** How long a person may take at the provider, in seconds. */
const MAX_AGE_S = 600;

/** A sign-in that has begun. */
export type StartedSignIn = SignInSecrets & {
  /** Where the person wanted to go, below `/console/`. */
  returnTo: string;
};

/** The cookie of sign-ins of one service. */
export type SignInCookie = {
  /** The sign-in of a `Cookie` header; `undefined` if none has begun in this browser. */
  read(header: string | undefined): StartedSignIn | undefined;
  write(started: StartedSignIn): string;
  remove(): string;
};

/**
 * Makes the cookie. It is `SameSite=Lax`, because the provider's site sends the browser back with it. Over https no
 * other host of the domain can set it.
 *
 * @param baseUrl the address at which browsers reach the service
 */
export function makeSignInCookie(baseUrl: string): SignInCookie {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-landfall-sign-in' : 'landfall-sign-in';
  const write = (value: string, maxAge: number) =>
    serialize(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge });
  return {
    read: (header) => (header === undefined ? undefined : readStarted(parse(header)[name])),
    write: ({ state, nonce, verifier, returnTo }) =>
      write([state, nonce, verifier, returnTo].join(' '), MAX_AGE_S),
    remove: () => write('', 0),
  };
}

/** None of the parts contains a space. */
function readStarted(text: string | undefined): StartedSignIn | undefined {
  const [state, nonce, verifier, returnTo, ...rest] = text?.split(' ') ?? [];
  const isWhole = state && nonce && verifier && returnTo && rest.length === 0;
  return isWhole ? { state, nonce, verifier, returnTo } : undefined;
}
