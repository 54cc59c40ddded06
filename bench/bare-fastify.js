// Bare Fastify that checks the body of a presentation by its schema, and nothing else of it.
import { HouseConsignmentPresentation } from '@landfall/contract';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import Fastify from 'fastify';

/** Makes the server; `answer` handles whatever is posted. */
export function makeBareFastify(answer) {
  const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
  const app = Fastify();
  app.setValidatorCompiler(({ schema }) => ajv.compile(schema));
  const { $id: _, ...body } = HouseConsignmentPresentation;
  app.post('/*', { schema: { body } }, answer);
  return app;
}
