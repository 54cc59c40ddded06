// Calls the control addresses of a playground, which a production service does not have.
import {
  ApiError,
  Connection,
  type Operation,
  type OperationInput,
  UnexpectedResponseError,
} from '@landfall/client';
import { type ControlSecretOptions, readControlSecret } from '../input/control-secret.js';
import type { IdentityOptions } from '../input/options.js';
import { nextCommand } from '../output/next-command.js';
import { CommandFailedError, UsageError } from '../process/exit.js';
import { openCredentials } from './identity.js';
import { openFetch } from './open-fetch.js';

/** A control operation: its address after `/playground`. */
export type ControlCall = Pick<Operation, 'method' | 'path'> &
  OperationInput & {
    /** The name in messages. */
    name: string;
  };

const json = 'application/json';

/**
 * Calls a control address and returns its response; `undefined` if it has no body.
 *
 * @throws CommandFailedError when the service is no playground, UsageError when the control secret would be sent without TLS
 * @throws ApiError when the playground refuses
 */
export async function callPlayground<Result>(
  options: IdentityOptions & ControlSecretOptions,
  { method, path, name, body, ...input }: ControlCall,
): Promise<Result> {
  // The address is enough: control needs no identity.
  const baseUrl = options.url ?? (await openCredentials(options)).baseUrl;
  const secret = await readControlSecret(options);
  if (secret !== undefined && options.allowHttp !== true) refusePlainHttp(baseUrl);
  const connection = new Connection({
    baseUrl,
    ...openFetch(options),
    retry: { maxAttempts: 3 },
  });
  const call = (operation: Pick<Operation, 'method' | 'path'>, given: OperationInput) =>
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
          read: async (open) => {
            const text = await open.text();
            if (text === '') return undefined;
            try {
              return JSON.parse(text);
            } catch (cause) {
              throw new UnexpectedResponseError(
                `the response to ${name} is not JSON: is ${baseUrl} the address of a playground?`,
                { cause },
              );
            }
          },
        },
      },
      given,
      secret === undefined ? {} : { headers: { authorization: `Bearer ${secret}` } },
    );
  try {
    // The cast is true because the caller states what the address returns.
    return (await call(
      { method, path },
      { ...input, ...(body !== undefined && { body }) },
    )) as Result;
  } catch (error) {
    if (!isMissing(error)) throw error;
    await call({ method: 'GET', path: '/clock' }, {}).catch((missing: unknown) => {
      if (isMissing(missing)) throw noPlayground(baseUrl, options);
    });
    throw error;
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
