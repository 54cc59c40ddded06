// The link to the next page (RFC 8288).

/** The header's value: the requested address, with one parameter of its query replaced. */
export function linkToNext(
  baseUrl: string,
  url: string,
  value: string,
  parameter = 'marker',
): string {
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const query = new URLSearchParams(queryAt === -1 ? '' : url.slice(queryAt + 1));
  query.set(parameter, value);
  return `<${baseUrl}${path}?${query}>; rel="next"`;
}
