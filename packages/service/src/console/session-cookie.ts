// The cookie that connects a browser with its session. Scripts cannot read it, and other sites cannot make the browser
// send it.
import { parse, serialize } from 'cookie';

/** The cookie of the sessions of one service. */
export type SessionCookie = {
  /** The id of the session in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
  /** The `Set-Cookie` header for a session that ends after so many seconds. */
  write(id: string, maxAge: number): string;
  /** The `Set-Cookie` header that removes the cookie. */
  remove(): string;
};

/**
 * Makes the cookie. Over https the browser sends it over https alone, and no other host of the domain can set one of this
 * name (`__Host-`, which requires the path `/`). Otherwise it is sent to the console alone.
 *
 * @param baseUrl the address at which browsers reach the service
 */
export function makeSessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-landfall-console' : 'landfall-console';
  const path = secure ? '/' : '/console';
  const write = (id: string, maxAge: number) =>
    serialize(name, id, { httpOnly: true, sameSite: 'strict', path, secure, maxAge });
  return {
    read: (header) => (header === undefined ? undefined : parse(header)[name]),
    write,
    remove: () => write('', 0),
  };
}
