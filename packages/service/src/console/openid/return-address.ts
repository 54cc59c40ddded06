// Where a person continues after signing in: a page of the console, and nothing else.

const START_PAGE = '/console/';

/** Below the console, but no pages. */
const NO_PAGES = ['/console/api/', '/console/sign-in', '/console/session', '/console/assets/'];

/** A cookie that is longer than 4,096 bytes is not kept. */
const MAX_LENGTH = 1000;

/** The address, if it is one of a page of the console, else the start page. */
export function readReturnAddress(given: unknown): string {
  if (typeof given !== 'string') return START_PAGE;
  // Any origin: one that the address brings along is a different one.
  const own = 'http://console.invalid';
  if (!URL.canParse(given, own)) return START_PAGE;
  const { origin, pathname, search } = new URL(given, own);
  const address = pathname + search;
  const isPage =
    origin === own &&
    pathname.startsWith(START_PAGE) &&
    !NO_PAGES.some((path) => pathname.startsWith(path)) &&
    address.length <= MAX_LENGTH;
  return isPage ? address : START_PAGE;
}

/** The address with the reason why nobody was signed in. */
export function addRefusal(address: string, refusal: string): string {
  const url = new URL(address, 'http://console.invalid');
  url.searchParams.set('sign-in', refusal);
  return url.pathname + url.search;
}
