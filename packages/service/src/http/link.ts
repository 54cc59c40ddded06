// The link to the next page (RFC 8288).

/** The header's value: the address that was asked, with one parameter of its query moved on. */
export function linkToNext(
  baseUrl: string,
  url: string,
  value: string,
  parameter = 'marker',
): string {
  const next = new URL(url, baseUrl);
  next.searchParams.set(parameter, value);
  return `<${baseUrl}${next.pathname}${next.search}>; rel="next"`;
}
