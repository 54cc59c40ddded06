// Bare Fastify that validates the same body schema and sends the body back.
import { makeBareFastify } from '../bare-fastify.js';

const app = makeBareFastify(async (request, reply) => reply.code(202).send(request.body));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.send?.('ready');
