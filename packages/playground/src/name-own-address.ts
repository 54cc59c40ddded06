// Addresses in headers of responses are those at which the client reaches the playground, where it has several.
import type { OwnAddresses } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';

/** The headers that have addresses of the service. */
const HEADERS = ['location', 'link'];

/** Replaces the first address by that of the request. */
export function nameOwnAddress(app: FastifyInstance, addresses: OwnAddresses): void {
  const [first = ''] = addresses.all;
  app.addHook('onSend', async ({ headers }, reply) => {
    for (const name of HEADERS) {
      const value = reply.getHeader(name);
      if (typeof value !== 'string' || !value.includes(`${first}/`)) continue;
      reply.header(
        name,
        value.replace(`${first}/`, () => `${addresses.of(headers)}/`),
      );
    }
  });
}
