// The cookie by which a browser opens a space: it has the access code, which scripts cannot read and other sites cannot
// make the browser send.

/** As the sessions of the console, in seconds. */
const MAX_AGE = 12 * 3600;

/** Over https, no other host of the domain can set a cookie of this name (`__Host-`). */
const nameFor = (isSecure: boolean) => (isSecure ? '__Host-landfall-space' : 'landfall-space');

/** The access code in a `Cookie` header. */
export function readSpaceCookie(header = '', isSecure: boolean): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  const prefix = `${nameFor(isSecure)}=`;
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/** The `Set-Cookie` header for an access code; for an empty one, the header that removes the cookie. */
export function writeSpaceCookie(code: string, isSecure: boolean): string {
  const age = code === '' ? 0 : MAX_AGE;
  const secure = isSecure ? '; Secure' : '';
  return `${nameFor(isSecure)}=${code}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}
