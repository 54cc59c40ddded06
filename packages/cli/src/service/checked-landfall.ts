// A client that compares every result with its schema: what a command prints and decides on is there.
import {
  Landfall,
  Lines,
  type Operation,
  type OperationInput,
  type RequestOptions,
  UnexpectedResponseError,
} from '@landfall/client';
import { findOddity, responseSchemas } from '@landfall/contract';

type Schema = Parameters<typeof findOddity>[0];

/** The client of the command. Whoever follows a feed gives each entry to `check`, because it may come in a stream. */
export class CheckedLandfall extends Landfall {
  override async call<Input extends OperationInput, Result>(
    operation: Operation<Input, Result>,
    input: Input,
    options: RequestOptions = {},
  ): Promise<Result> {
    const result = await super.call(operation, input, options);
    const { operationId } = operation;
    if (result instanceof Lines) {
      const lines: Lines<unknown> = result;
      const read = lines[Symbol.asyncIterator].bind(lines);
      const checkLine = (line: unknown) => {
        this.#check(operationId, line, responseSchemas(operationId, 'application/x-ndjson'));
        this.#checkStatus(operationId, line);
      };
      lines[Symbol.asyncIterator] = async function* () {
        for await (const line of read()) {
          checkLine(line);
          yield line;
        }
      };
      return result;
    }
    try {
      if (isPage(result)) this.#checkEntries(operationId, result.entries);
      else this.#check(operationId, result, responseSchemas(operationId, 'application/json'));
    } catch (error) {
      throw Object.assign(error as Error, { method: operation.method });
    }
    return result;
  }

  /** Returns an entry of a list, as an object or as its text. */
  check<Entry>(operationId: string, entry: Entry): Entry {
    this.#checkEntries(operationId, [entry]);
    return entry;
  }

  #checkEntries(operationId: string, entries: readonly unknown[]): void {
    const schemas = responseSchemas(operationId, 'application/json');
    for (const entry of entries) {
      const value: unknown = typeof entry === 'string' ? parse(entry) : entry;
      this.#check(operationId, [value], schemas);
    }
  }

  /** A status that is not known says neither that the line was carried out nor that it was refused. */
  #checkStatus(operationId: string, line: unknown): void {
    if (typeof line !== 'object' || line === null || !('status' in line)) return;
    const { status } = line;
    if (
      responseSchemas(operationId, 'application/x-ndjson').some((schema) =>
        statusesOf(schema).includes(status),
      )
    )
      return;
    throw new UnexpectedResponseError(
      `${this.baseUrl} responds to ${operationId} with the status ${status}, which this version does not know`,
    );
  }

  /** A value fits any of the schemas; there are none for a text. */
  #check(operationId: string, value: unknown, schemas: readonly Schema[]): void {
    const odd = schemas.map((schema) => findOddity(schema, value));
    if (odd.length === 0 || odd.includes(undefined)) return;
    throw new UnexpectedResponseError(
      `${this.baseUrl} responds to ${operationId} with something else than the contract describes: ${odd[0]}. Is this the address of a Landfall service?`,
    );
  }
}

function isPage(value: unknown): value is { entries: readonly unknown[] } {
  if (typeof value !== 'object' || value === null || !('next' in value)) return false;
  return 'entries' in value && Array.isArray(value.entries);
}

/** The values of its member `status`. */
function statusesOf(schema: Schema): readonly unknown[] {
  // The cast is true because a schema is JSON Schema, in which all of this is optional.
  return (
    (schema as { properties?: { status?: { enum?: unknown[] } } }).properties?.status?.enum ?? []
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
