// The control addresses of the playground: its clock, its goods, its scenarios and the recorded exchanges.
import { HttpError, ValidationFailedError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { type ClockChange, ClockChangeSchema } from '../clock.js';
import { DatasetHttpQuery, readDatasetQuery } from '../dataset/dataset-query.js';
import { PlaygroundOptionError } from '../option-error.js';
import type { PlaygroundParts } from '../playground.js';
import type { ExchangeLog } from '../recording/exchange-log.js';
import { type Expectation, ExpectationSchema } from '../recording/expectation.js';
import { HAR_MEDIA_TYPE, toHar } from '../recording/har.js';
import { VerificationError } from '../recording/verify.js';
import type { ScenarioList } from '../scenarios/scenario-list.js';
import { addControlOperation } from './control-operation.js';
import { addScenarioRoutes } from './scenario-routes.js';
import { addSnapshotRoutes } from './snapshot-routes.js';
import type { Waits } from './waits.js';

const RequestsQuery = Type.Object({ format: Type.Optional(Type.Enum(['json', 'har'])) });
type RequestsQuery = Static<typeof RequestsQuery>;

/** What the addresses control. */
export type Controlled = {
  playground: Omit<PlaygroundParts, 'close' | typeof Symbol.asyncDispose>;
  exchanges: ExchangeLog;
  scenarios: ScenarioList;
  /** The callers that wait for a verification. */
  waits: Waits;
};

/** Adds the addresses. */
export function addControlRoutes(
  app: FastifyInstance,
  { playground, exchanges, scenarios, waits }: Controlled,
): void {
  addScenarioRoutes(app, scenarios, () => new URL(playground.baseUrl).pathname.replace(/\/$/, ''));

  addControlOperation(app, { method: 'GET', path: '/clock' }, () => playground.clock.state());

  addControlOperation<ClockChange>(
    app,
    { method: 'PUT', path: '/clock', body: ClockChangeSchema, refusesNull: true },
    async ({ body }) => {
      await playground.setClock(body).catch((error: unknown) => {
        if (!(error instanceof PlaygroundOptionError)) throw error;
        throw new ValidationFailedError(error.errors);
      });
      return playground.clock.state();
    },
  );

  addSnapshotRoutes(app, playground);

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
      if (!asHar) return { requests: exchanges.list(), dropped: exchanges.dropped };
      return reply
        .type(HAR_MEDIA_TYPE)
        .send(JSON.stringify(toHar(exchanges.list(), playground.baseUrl)));
    },
  );

  addControlOperation<Expectation>(
    app,
    { method: 'POST', path: '/verifications', body: ExpectationSchema },
    async ({ body }) => {
      const verify = () => playground.verify(body);
      const verified = (body.within ?? 0) > 0 ? waits.during(verify) : verify();
      const requests = await verified.catch((error: unknown) => {
        if (!(error instanceof VerificationError)) throw error;
        // Not 200: a test that does not look at the response must not pass.
        throw new HttpError(412, error.message);
      });
      return { count: requests.length, requests };
    },
  );

  addControlOperation(app, { method: 'DELETE', path: '/requests' }, async (_input, reply) => {
    exchanges.clear();
    return reply.code(204).send();
  });
}
