// What a recorded request presents, as the form of a presentation has it.
import type { Exchange } from '../../playground/exchange.js';
import { emptyValues, type FormValues, levels } from '../present/presentation-form.js';
import { levelOf } from '../present/same-request.js';

/** The values of the form; `undefined` if it is no presentation, or its body cannot be read. */
export function readReference({ method, url, request }: Exchange): FormValues | undefined {
  const level = levelOf(method, url);
  if (level === undefined || request.body === undefined) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(request.body.text);
  } catch {
    return undefined;
  }
  const values = emptyValues(level);
  const { fields, paths } = levels[level];
  for (const field of fields) {
    const found = memberAt(body, paths[field] ?? '');
    if (typeof found === 'string') values[field] = found;
  }
  return values;
}

/** The member of a path such as `transportDocumentHouseLevel.type`. */
function memberAt(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    // The cast is true because it is an object.
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
