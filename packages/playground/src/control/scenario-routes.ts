// The control addresses of scenarios.
import { scenarioKind, scenarioKindNames, scenarioSchema } from '@landfall/contract';
import { HttpError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { SCENARIOS_PATH } from '../control-path.js';
import type { ScenarioList } from '../scenarios/scenario-list.js';
import { addControlOperation } from './control-operation.js';

/** A scenario has the schema of its kind, which the list checks. */
const AnyScenario = Type.Object({});

/** What the contract says of each kind, and the JSON Schema of its scenarios. */
const kinds = scenarioKindNames.map((kind) => {
  const { effect, client } = scenarioKind(kind);
  return { kind, effect, client, schema: scenarioSchema(kind) };
});

/** Adds the addresses; `findPrefix` gives what the addresses of the playground begin with. */
export function addScenarioRoutes(
  app: FastifyInstance,
  scenarios: ScenarioList,
  findPrefix: () => string,
): void {
  addControlOperation(app, { method: 'GET', path: '/scenarios' }, () => ({
    scenarios: scenarios.list(),
  }));

  addControlOperation(app, { method: 'GET', path: '/scenario-kinds' }, () => ({ kinds }));

  addControlOperation<object>(
    app,
    { method: 'POST', path: '/scenarios', body: AnyScenario },
    ({ body }, reply) => {
      const added = scenarios.add(body);
      return reply
        .code(201)
        .header('Location', `${findPrefix()}${SCENARIOS_PATH}/${added.id}`)
        .send(added);
    },
  );

  addControlOperation(app, { method: 'DELETE', path: '/scenarios' }, async (_input, reply) => {
    scenarios.clear();
    return reply.code(204).send();
  });

  addControlOperation(
    app,
    { method: 'DELETE', path: '/scenarios/:id' },
    async ({ params: { id = '' } }, reply) => {
      if (!scenarios.delete(id)) throw new HttpError(404, 'There is no scenario with this id');
      return reply.code(204).send();
    },
  );
}
