// Schemas of bodies that are texts of several JSON values: lines (NDJSON) and server-sent events.
import { type TSchema, Type } from 'typebox';

/** A text of JSON lines. `contentSchema` is the schema of each line. */
export function lines(description: string, line: TSchema) {
  return Type.String({
    description,
    contentMediaType: 'application/x-ndjson',
    contentSchema: line,
  });
}

/** A text of server-sent events. `contentSchema` is the schema of the data of each event. */
export function events(description: string, data: TSchema) {
  return Type.String({
    description,
    contentMediaType: 'text/event-stream',
    contentSchema: data,
  });
}
