// Calls the control addresses of a playground, which a production service does not have.
import { ApiError, Connection, type Operation, type OperationInput } from '@landfall/client';
import type { IdentityOptions } from '../input/options.js';
import { nextCommand } from '../output/next-command.js';
import { CommandFailedError } from '../process/exit.js';
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
 * @throws CommandFailedError when the service is no playground
 * @throws ApiError when the playground refuses
 */
export async function callPlayground<Result>(
  options: IdentityOptions,
  { method, path, name, body, ...input }: ControlCall,
): Promise<Result> {
  const { baseUrl } = await openCredentials(options);
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
            return text === '' ? undefined : JSON.parse(text);
          },
        },
      },
      given,
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

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function noPlayground(baseUrl: string, { data }: IdentityOptions): CommandFailedError {
  return new CommandFailedError(
    `${baseUrl} is not a playground, and only a playground has this; start one: ${nextCommand(['playground'], { data })}`,
  );
}
