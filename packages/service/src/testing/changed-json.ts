// JSON texts with changed members, for fuzz tests.
import fc from 'fast-check';
import { unusualValues } from './unusual-values.js';
import { pathsOf, putAt } from './worst-bodies.js';

/** A placeholder for an id that was not used before. */
export const FRESH_ID = '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01';

/** A change of a message: the index of a member, and the JSON text that replaces its value. */
const change = fc.record({ at: fc.nat(), by: fc.constantFrom(...unusualValues) });

/** Up to three changes. */
export const changes = fc.array(change, { maxLength: 3 });

/** A value as JSON text with up to three changes and new ids. */
export function fuzzedJson(right: unknown): fc.Arbitrary<string> {
  const sample = freshIds(right);
  return fc.tuple(changes, fc.uuid({ version: 4 })).map(([made, id]) => {
    let text = JSON.stringify(sample);
    for (const { at, by } of made) text = changeAt(text, at, by);
    return text.replaceAll(FRESH_ID, id);
  });
}

/** A value whose requestIds and eventIds are placeholders. */
export function freshIds(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === 'requestId' || name === 'eventId' ? FRESH_ID : member,
    ),
  );
}

/** JSON text with one member replaced. */
export function changeAt(text: string, at: number, by: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const paths = pathsOf(value);
  const [path = []] = paths[at % paths.length] ?? [];
  return putAt(value, path, by);
}
