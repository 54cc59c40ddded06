// The schemas of the responses of an operation, by its name.
import type { TSchema } from 'typebox';
import type { OperationResponse } from './operation.js';
import { operations } from './operations.js';

/**
 * What the operation returns in a media type: one schema for each status that has it. Of a text of lines or events, it is
 * the schema of each of them. None for an operation that the contract does not have.
 */
export function responseSchemas(
  operationId: string,
  mediaType: 'application/json' | 'application/x-ndjson' | 'text/event-stream',
): readonly TSchema[] {
  const known: Record<string, { responses: Record<number, OperationResponse> }> = operations;
  return Object.values(known[operationId]?.responses ?? {}).flatMap(({ content = {} }) => {
    const schema = content[mediaType];
    if (schema === undefined) return [];
    // The cast is true because the contract says of such a text what each part of it is.
    return 'contentSchema' in schema ? (schema.contentSchema as TSchema) : schema;
  });
}
