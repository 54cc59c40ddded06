// Which space a request is for: by its address, or by the cookie of the browser for the pages of the console and the control
// addresses that they call.
import type { IncomingMessage } from 'node:http';
import { CONTROL_PATH, isControlPath, isSpacePath, readSpacePath } from '../control-path.js';

/** The space of a request. */
export type Target = {
  name: string;
  /** The address within the space. */
  url: string;
  /** Whether the cookie of the browser names it, which proves that it may control the space. */
  isByCookie: boolean;
};

/** Where sign-up and sign-in are, which are of no space. */
export const HOSTING_PATH = '/hosting';

/** What the playground itself serves at these addresses, whatever the cookie is. */
const OF_PLAYGROUND = [
  `${CONTROL_PATH}${HOSTING_PATH}`,
  `${CONTROL_PATH}/spaces`,
  '/console/assets',
  '/console/service-worker.js',
];

/** @param findOwn the space of the cookie */
export function findTarget(url: string, findOwn: () => string | undefined): Target | undefined {
  if (isSpacePath(url)) {
    const { name, rest } = readSpacePath(url);
    // Its console has the address of the console of the playground.
    return isBelow(rest, '/console') ? undefined : { name, url: rest, isByCookie: false };
  }
  if (!isControlPath(url) && !isBelow(url, '/console')) return undefined;
  if (OF_PLAYGROUND.some((path) => isBelow(url, path))) return undefined;
  const name = findOwn();
  return name === undefined ? undefined : { name, url, isByCookie: true };
}

/** Whether a request may store data: what controls a space, and what reads, goes on when it is full. */
export function isStoring({ method }: IncomingMessage, { url }: Target): boolean {
  // A token is needed to read.
  const isOfData = /^\/(?:console\/api\/)?api\/(?!access\/)/.test(url);
  return isOfData && method !== 'GET' && method !== 'HEAD';
}

function isBelow(url: string, path: string): boolean {
  return url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
}

/** Whether a request returns a space to its start or to a snapshot. */
export function isReset({ method }: IncomingMessage, { url }: Target): boolean {
  return method === 'POST' && isBelow(url, `${CONTROL_PATH}/reset`);
}
