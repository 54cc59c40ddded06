// The control addresses of the playground: its clock, its goods, its scenarios and the recorded exchanges.
import { ValidationFailedError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { type ClockChange, ClockChangeSchema } from '../clock.js';
import { DatasetHttpQuery, readDatasetQuery } from '../dataset/dataset-query.js';
import { PlaygroundOptionError } from '../option-error.js';
import type { Playground } from '../playground.js';
import type { ExchangeLog } from '../recording/exchange-log.js';
import { HAR_MEDIA_TYPE, toHar } from '../recording/har.js';
import type { ScenarioList } from '../scenarios/scenario-list.js';
import { addControlOperation } from './control-operation.js';
import { addScenarioRoutes } from './scenario-routes.js';

const RequestsQuery = Type.Object({ format: Type.Optional(Type.Enum(['json', 'har'])) });
type RequestsQuery = Static<typeof RequestsQuery>;

/** What the addresses control. */
export type Controlled = {
  playground: Playground;
  exchanges: ExchangeLog;
  scenarios: ScenarioList;
};

/** Adds the addresses. */
export function addControlRoutes(
  app: FastifyInstance,
  { playground, exchanges, scenarios }: Controlled,
): void {
  addScenarioRoutes(app, scenarios);

  addControlOperation(app, { method: 'GET', path: '/clock' }, () => playground.clock.state());

  addControlOperation<ClockChange>(
    app,
    { method: 'PUT', path: '/clock', body: ClockChangeSchema },
    async ({ body }) => {
      await playground.setClock(body).catch((error: unknown) => {
        if (!(error instanceof PlaygroundOptionError)) throw error;
        throw new ValidationFailedError(error.errors);
      });
      return playground.clock.state();
    },
  );

  addControlOperation(app, { method: 'POST', path: '/reset' }, async (_input, reply) => {
    await playground.reset();
    return reply.code(204).send();
  });

  addControlOperation<undefined, DatasetHttpQuery>(
    app,
    { method: 'GET', path: '/dataset', query: DatasetHttpQuery },
    ({ query }) => playground.dataset(readDatasetQuery(query)),
  );

  addControlOperation<undefined, RequestsQuery>(
    app,
    { method: 'GET', path: '/requests', query: RequestsQuery },
    ({ query }, reply, request) => {
      const asHar =
        query.format === 'har' ||
        (query.format === undefined && request.headers.accept?.includes(HAR_MEDIA_TYPE));
      if (!asHar) return { requests: exchanges.list() };
      return reply
        .type(HAR_MEDIA_TYPE)
        .send(JSON.stringify(toHar(exchanges.list(), playground.baseUrl)));
    },
  );

  addControlOperation(app, { method: 'DELETE', path: '/requests' }, async (_input, reply) => {
    exchanges.clear();
    return reply.code(204).send();
  });
}
