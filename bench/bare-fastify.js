// Bare Fastify that validates the body of a presentation against its schema, and nothing else.
import { HouseConsignmentPresentation } from '@landfall/contract';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import Fastify from 'fastify';

/** Makes the server; `handle` handles every POST. */
export function makeBareFastify(handle) {
  const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
  const app = Fastify();
  app.setValidatorCompiler(({ schema }) => ajv.compile(schema));
  const { $id: _, ...body } = HouseConsignmentPresentation;
  app.post('/*', { schema: { body } }, handle);
  return app;
}
