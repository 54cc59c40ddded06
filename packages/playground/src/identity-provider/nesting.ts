// Bounds the depth of what a token contains: some of it is read, and written into messages, by functions that recurse.

/** The maximum depth of objects and arrays in a header or in claims. */
export const MAX_DEPTH = 20;

/** Whether a value is nested more deeply. Without recursion, because the sender chooses the depth. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return false;
}
