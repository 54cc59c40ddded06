// Builds the address of a request.

/** A member of a query. Members that are `undefined` are left out. */
export type QueryValue = string | number | boolean | undefined;

/** The base address without slashes at its end. */
export function trimAddress(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}

/** Puts the parameters into the path, and the query behind it. */
export function makeAddress(
  path: string,
  parameters: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
