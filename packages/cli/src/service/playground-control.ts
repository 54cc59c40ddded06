// Calls the control addresses of a playground, which a production service does not have.
import {
  ApiError,
  Connection,
  LandfallError,
  type Operation,
  type OperationInput,
  UnexpectedResponseError,
} from '@landfall/client';
import {
  ControlResultError,
  type ControlResultName,
  type ControlResultOf,
  readControlResult,
} from '@landfall/contract';
import { type ControlSecretOptions, readControlSecret } from '../input/control-secret.js';
import type { IdentityOptions } from '../input/options.js';
import { nextCommand } from '../output/next-command.js';
import { CommandFailedError, UsageError } from '../process/exit.js';
import { openCredentials } from './identity.js';
import { openFetch } from './open-fetch.js';

/** A control operation: its address after `/playground`. */
export type ControlCall<Result extends ControlResultName | 'nothing'> = Pick<
  Operation,
  'method' | 'path'
> &
  OperationInput & {
    /** The name in messages. */
    name: string;
    /** What it returns. */
    result: Result;
  };

const json = 'application/json';

/**
 * Calls a control address and returns its result; `undefined` for `nothing`.
 *
 * @throws UnexpectedResponseError when the response is something else
 * @throws CommandFailedError when the service is no playground, UsageError when the control secret would be sent without TLS
 * @throws ApiError when the playground refuses
 */
export async function callPlayground<Result extends ControlResultName | 'nothing'>(
  options: IdentityOptions & ControlSecretOptions,
  { method, path, name, body, result, ...input }: ControlCall<Result>,
): Promise<ControlResultOf<Result>> {
  // The address is enough: control needs no identity.
  const baseUrl = options.url ?? (await openCredentials(options)).baseUrl;
  const secret = await readControlSecret(options);
  if (secret !== undefined && options.allowHttp !== true) refusePlainHttp(baseUrl);
  /** Whether an attempt whose response was lost may have done it. */
  let mayBeDone = false;
  const connection = new Connection({
    baseUrl,
    hooks: {
      onRetry: ({ error }) => {
        mayBeDone ||= error instanceof LandfallError && error.outcomeUnknown;
      },
    },
    ...openFetch(options),
    retry: { maxAttempts: 3 },
  });
  const call = (
    operation: Pick<Operation, 'method' | 'path'>,
    given: OperationInput,
    expected: ControlResultName | 'nothing' | 'anything',
  ) =>
    connection.call(
      {
        ...operation,
        path: `/playground${operation.path}`,
        operationId: name,
        access: 'public',
        idempotent: operation.method === 'GET' || operation.method === 'DELETE',
        ...(given.body !== undefined && { body: jsonBody }),
        result: {
          contentType: json,
          read: async (open) => readResult(await open.text(), expected, { name, baseUrl }),
        },
      },
      given,
      secret === undefined ? {} : { headers: { authorization: `Bearer ${secret}` } },
    );
  try {
    const given = { ...input, ...(body !== undefined && { body }) };
    // The cast is true because the result was compared with its schema.
    return (await call({ method, path }, given, result)) as Awaited<
      ReturnType<typeof callPlayground<Result>>
    >;
  } catch (error) {
    if (!isMissing(error)) throw error;
    await call({ method: 'GET', path: '/clock' }, {}, 'anything').catch((missing: unknown) => {
      if (isMissing(missing)) throw noPlayground(baseUrl, options);
    });
    // It was there until the attempt before deleted it. The cast is true because deleting returns nothing.
    if (method === 'DELETE' && mayBeDone) {
      return undefined as Awaited<ReturnType<typeof callPlayground<Result>>>;
    }
    throw error;
  }
}

function readResult(
  text: string,
  expected: ControlResultName | 'nothing' | 'anything',
  { name, baseUrl }: { name: string; baseUrl: string },
): unknown {
  if (expected === 'anything') return undefined;
  try {
    return readControlResult(expected, text);
  } catch (error) {
    if (!(error instanceof ControlResultError)) throw error;
    throw new UnexpectedResponseError(
      `the response to ${name} ${error.message}: is ${baseUrl} the address of a playground?`,
      { cause: error },
    );
  }
}

const jsonBody: NonNullable<Operation['body']> = {
  contentType: json,
  open: (body) => {
    const text = JSON.stringify(body);
    return { canResend: true, size: 0, open: () => text };
  },
};

/** As for tokens: on the way to another machine, everybody can read what is not encrypted. */
function refusePlainHttp(baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return;
  throw new UsageError(
    `the control secret would be sent to ${hostname} over http, where everybody on the way can read it: use https, or give --allow-http`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function noPlayground(baseUrl: string, { data }: IdentityOptions): CommandFailedError {
  return new CommandFailedError(
    `${baseUrl} is not a playground, and only a playground has this; start one: ${nextCommand(['playground'], { data })}`,
  );
}
