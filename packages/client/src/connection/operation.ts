// An operation as the client calls it. The table of all is generated from the contract.
import type { BodyForm } from './body-form.js';
import type { ResultForm } from './result-form.js';

/** An operation; `Input` is what it takes, `Result` what it gives. */
export type Operation<Input = OperationInput, Result = unknown> = {
  readonly operationId: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Below the base address; `{name}` is a parameter. */
  readonly path: string;
  /** Values of parameters that a call leaves out. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Any one of these scopes is needed; `'any-token'`: any token; `'public'`: none. */
  readonly access: readonly string[] | 'any-token' | 'public';
  /** Whether the scope is that of the parameter `mode`, one of `access`. */
  readonly scopeOfMode?: true;
  /** Whether the call may be repeated when it is not known whether it was carried out. */
  readonly idempotent: boolean;
  readonly body?: BodyForm;
  readonly result: ResultForm;
  /** Never present: it connects the operation with its types. */
  types?(input: Input): Result;
};

/** The parameters, query and body of a call. */
export type OperationInput = {
  parameters?: Readonly<Record<string, string | undefined>> | undefined;
  query?: object | undefined;
  body?: unknown;
};
