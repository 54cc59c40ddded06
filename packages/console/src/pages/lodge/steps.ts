// What is typed into the form of a movement message, and ways to its members. A draft has the shape of the message;
// everything that is typed is a string in it.

/** A value of a draft: what was typed, a group of members, or the items of a list. */
export type DraftValue = string | Draft | DraftValue[] | undefined;

/** What was typed of an object. */
export type Draft = { [name: string]: DraftValue };

/** A way from the root of a message to a member: names, and indexes of items. */
export type Steps = readonly (string | number)[];

/** The value at the end of a way; `undefined` if there is none. */
export function valueAt(draft: DraftValue, steps: Steps): DraftValue {
  let value = draft;
  for (const step of steps) {
    if (typeof value !== 'object') return undefined;
    // Safe cast: an index is a name of a list.
    value = (value as Draft)[step];
  }
  return value;
}

/** A draft with another value at the end of a way. What is missing on the way is made. */
export function withValue(draft: DraftValue, [step, ...rest]: Steps, value: DraftValue): Draft {
  // Safe cast: the root of a draft is an object, and what is below it is returned to this function alone.
  if (step === undefined) return value as Draft;
  const isItem = typeof step === 'number';
  const before = typeof draft === 'object' ? draft : isItem ? [] : {};
  const copy = Array.isArray(before) ? [...before] : { ...before };
  const changed = withValue(valueAt(before, [step]), rest, value);
  if (Array.isArray(copy)) copy[Number(step)] = changed;
  else if (rest.length === 0 && value === undefined) delete copy[step];
  else copy[step] = changed;
  // As above.
  return copy as Draft;
}

/** A draft without one item of a list. */
export function withoutItem(draft: Draft, list: Steps, index: number): Draft {
  const items = valueAt(draft, list);
  const kept = Array.isArray(items) ? items.filter((_, place) => place !== index) : [];
  return withValue(draft, list, kept);
}

/** The path of a member as errors have it. */
export function pathOf(steps: Steps): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The way of a path. */
export function stepsOf(path: string): Steps {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
