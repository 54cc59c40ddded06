// What the contract says about an operation: its name, address, access, parameters, body and responses.
import type { Static, TSchema } from 'typebox';
import type { ProblemStatus } from '../errors.js';
import type { ScopeName } from '../scopes.js';

/** A response other than a problem. */
export type OperationResponse = {
  description: string;
  /** Schema by media type. */
  content?: Record<string, TSchema>;
  /** Headers with their descriptions. */
  headers?: Record<string, string>;
};

/** One operation of the service. */
export type Operation = {
  operationId: string;
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Below the base address; `{name}` is a parameter. */
  path: string;
  tag:
    | 'Presentation'
    | 'Routing'
    | 'Movement'
    | 'Goods items'
    | 'Push'
    | 'Documents'
    | 'Access'
    | 'Authority'
    | 'Service';
  summary: string;
  description: string;
  /** Any one of these scopes is sufficient; `'any-token'`: any valid customs token; `'public'`: no token. */
  access: readonly ScopeName[] | 'any-token' | 'public';
  /** The scope that is required is that of `{mode}` in the path, one of `access`. */
  scopeOfMode?: true;
  /** A POST or PATCH that may be sent again if its outcome is unknown. Requests with other methods always may. */
  idempotent?: true;
  /**
   * The member of each line by which a line that is sent again is found, and carried out once: only with it, the lines of
   * this operation may be sent again if their outcome is unknown.
   */
  lineId?: string;
  parameters?: Record<string, TSchema>;
  query?: TSchema & { properties: Record<string, TSchema> };
  /** Request headers that are specific to this operation, with their descriptions. */
  headers?: Record<string, string>;
  /** Whether `If-Match` is required: without it, 428. */
  requiresIfMatch?: true;
  /** Body schema by media type. */
  body?: Record<string, TSchema>;
  /** Maximum size of the body in bytes, if it is not the default. NDJSON has no maximum: it is read line by line. */
  maxBodyBytes?: number;
  responses: Record<number, OperationResponse>;
  /** Additional problems, beside those that follow from its access, query, body and media types (`problemsOf`). */
  problems?: readonly ProblemStatus[];
  /** Errors have the form of OAuth instead of problems. */
  oauthErrors?: true;
  /** The response has the same media type whatever `Accept` says. */
  ignoresAccept?: true;
  /** Cache-Control of its responses; default: `no-store`. */
  cacheControl?: string;
};

/** The parameters in the path of an operation, as they are sent. */
export type OperationParameters<Described extends Operation> = Described extends {
  parameters: infer Parameters;
}
  ? Readonly<Record<keyof Parameters & string, string>>
  : Readonly<Record<never, never>>;

/** The query of an operation, once it is checked. */
export type OperationQuery<Described extends Operation> = Described extends {
  query: infer Query extends TSchema;
}
  ? Readonly<Static<Query>>
  : Readonly<Record<never, never>>;

/** Default maximum size of a body, in bytes. */
export const DEFAULT_MAX_BODY_BYTES = 64 * 1024;

/** Maximum size of a large JSON body, in bytes: parsing the slowest one of this size takes about 20 ms. */
export const MAX_JSON_BODY_BYTES = 512 * 1024;
