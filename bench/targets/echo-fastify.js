// Bare Fastify with the same body schema, which it validates itself, sending the body back.
import { HouseConsignmentPresentation } from '@landfall/contract';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import Fastify from 'fastify';

const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
const app = Fastify();
app.setValidatorCompiler(({ schema }) => ajv.compile(schema));
const { $id: _, ...body } = HouseConsignmentPresentation;
app.post('/*', { schema: { body } }, async (request, reply) => reply.code(202).send(request.body));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.send?.('ready');
