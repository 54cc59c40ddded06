// Compares a response with what was expected of it.

/** The codes of a problem document or a result, sorted, each once. */
export function codesOf({ validationErrors = [] } = {}) {
  return [...new Set(validationErrors.map(({ code }) => code))].sort();
}

/** Why a response has another status or other codes; `undefined` if it has not. */
export function differentStatus(response, status, codes = []) {
  const found = codesOf(response.body);
  const expected = [...new Set(codes)].sort();
  if (response.status === status && (status !== 400 || isSame(found, expected))) return undefined;
  return `status ${response.status} [${found}] instead of ${status} [${expected}]: ${response.text.slice(0, 500)}`;
}

/** Why two values differ; `undefined` if they do not. The order of members has no meaning. */
export function different(what, found, expected) {
  if (isSame(found, expected)) return undefined;
  return `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
}

/** Whether two values are the same; the order of members has no meaning. */
export function isSame(one, other) {
  return canonical(one) === canonical(other);
}

/** A value as text with its members in a fixed order. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

/** Whether two lists have the same elements, in any order. */
export function isSameSet(one, other) {
  return isSame(one.map(canonical).sort(), other.map(canonical).sort());
}

/** The first result of a function that is not `undefined`. */
export function firstOf(elements, find) {
  for (const element of elements) {
    const found = find(element);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Compares with one of several possible values; without any, there must be none. */
export function differentOneOf(what, found, possible) {
  if (possible.length === 0) return found === undefined ? undefined : different(what, found);
  return possible.some((value) => isSame(found, value))
    ? undefined
    : `${what}: ${canonical(found)} instead of one of ${canonical(possible)}`;
}
