// Which pages are those of the console, by the `Origin` of their requests.

/**
 * Makes the function that says whether a request was sent by a page of the console. The service may have other names than
 * its base address, such as 127.0.0.1 for localhost, so `Origin` may also be that of the address to which the request was
 * sent. Where the service has https, no page without it is one of its pages: others on the network could have made it.
 *
 * @param baseUrl the address at which browsers reach the service
 */
export function makeIsOwnOrigin(
  baseUrl: string,
): (origin: string | undefined, host: string | undefined) => boolean {
  const own = new URL(baseUrl);
  const protocols = own.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  return (origin, host) => {
    if (origin === undefined || !URL.canParse(origin)) return false;
    const { origin: normal, protocol, host: ofPage } = new URL(origin);
    if (normal !== origin || !protocols.includes(protocol)) return false;
    return origin === own.origin || ofPage === host;
  };
}
