// Adds to each recorded exchange which operation it calls, and who sends it.
import type { PlaygroundCredentials } from '@landfall/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ExchangeLog } from '../recording/exchange-log.js';
import { readIdentity } from './read-identity.js';
import { operationOf } from './request-facts.js';

/** Records the callers of a server's requests. */
export function recordCallers(
  app: FastifyInstance,
  log: ExchangeLog,
  identities: readonly PlaygroundCredentials[],
): void {
  const record = (request: FastifyRequest) => {
    const operation = operationOf(request);
    if (operation === undefined) return;
    const identity = readIdentity(operation, request, identities);
    const client = request.caller?.clientId ?? identity?.client_id;
    const organisation = request.caller?.organisation ?? identity?.organisation;
    log.addCaller(request.raw, {
      operation,
      ...(client !== undefined &&
        organisation !== undefined && {
          identity: {
            // Another client of its organisation has no name here.
            ...(identity?.client_id === client && { name: identity.name }),
            client,
            organisation,
          },
        }),
    });
  };
  app.addHook('preHandler', async (request) => record(request));
  // A request may be refused before it is handled.
  app.addHook('onSend', async (request) => record(request));
}
