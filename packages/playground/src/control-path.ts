// The addresses that control the playground itself.

/** Where they begin. */
export const CONTROL_PATH = '/playground';

/** Where the scenarios are. */
export const SCENARIOS_PATH = `${CONTROL_PATH}/scenarios`;

/** What RFC 3986 leaves as it is, written with percent signs, except after what could become a further one with it. */
const UNRESERVED = /(?<!%[\dA-F]?)%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi;

/** The address of a request, with letters, digits and `-._~` as themselves: routes are found as if they were written so. */
export function readUrl({ url = '' }: { url?: string | undefined }): string {
  return url.replace(UNRESERVED, decodeURIComponent);
}

/** Whether a request is for one of them. */
export function isControlPath(url: string): boolean {
  return url === CONTROL_PATH || url.startsWith(`${CONTROL_PATH}/`);
}

/** Where the addresses of spaces begin. */
export const SPACES_PATH = '/spaces';

/** Whether a request is for a space. */
export function isSpacePath(url: string): boolean {
  return url.startsWith(`${SPACES_PATH}/`);
}

/** Whether a request is one of a page of the console, whose icon is that of the service. */
export function isConsolePath(url: string): boolean {
  return url === '/console' || url.startsWith('/console/') || url === '/favicon.ico';
}

/** The name of the space of an address below `/spaces/`, and the address within it. */
export function readSpacePath(url: string): { name: string; rest: string } {
  const [, name = '', rest = ''] = /^\/spaces\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  return { name, rest: rest.startsWith('/') ? rest : `/${rest}` };
}
