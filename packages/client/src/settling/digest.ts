// Identifies what is sent by its content.

/**
 * The first 128 bits of a SHA-256 digest of its members in alphabetical order, without the requestId: the key of a
 * presentation in a journal unless `keyOf` gives another.
 */
export async function digestOf(item: object): Promise<string> {
  const text = JSON.stringify({ ...item, requestId: undefined }, sortMembers);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const bytes = [...new Uint8Array(digest, 0, 16)];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
