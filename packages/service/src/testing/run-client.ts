// Routing runs of a playground, called as the authority, for tests.
import assert from 'node:assert/strict';
import type { RoutingRun, RoutingRunResult, RoutingSignal } from '@landfall/contract';
import type { Config } from '../config.js';
import type { Database } from '../database/database.js';
import type { ReceivedResponse } from './openapi-responses.js';
import { declaration, house, TestRegistry } from './registry-client.js';
import { until } from './until.js';

/** The address of runs. */
export const RUNS = '/api/authority/v1/routing-runs';

/** What a test compares of a result: document, status, and the routings before and after. */
export type Outcome = [
  document: string | undefined,
  status: string,
  before: string | undefined,
  after: string | undefined,
];

export class TestRuns {
  readonly registry: TestRegistry;

  private constructor(registry: TestRegistry) {
    this.registry = registry;
  }

  static async start(database: Database, config: Partial<Config> = {}): Promise<TestRuns> {
    return new TestRuns(await TestRegistry.start(database, config));
  }

  close(): Promise<void> {
    return this.registry.close();
  }

  /** Pre-notifies a declaration with house consignments of these document numbers. */
  async preNotify(documents: readonly string[], more: object = {}): Promise<string> {
    const mrn = this.registry.nextMrn();
    const body = declaration(documents.map((document) => house(document, more)));
    const response = await this.registry.put(mrn, body);
    assert.equal(response.status, 201, response.text);
    return mrn;
  }

  /** Decides with a single decision, as a system. */
  async decide(mrn: string, document: string, routing: string, more: object = {}): Promise<void> {
    const response = await this.registry.playground.post(
      '/api/authority/v1/routing-decisions',
      'authority',
      [{ mrn, ...house(document), routing, ...more }],
    );
    assert.match(response.text, /DECIDED|UNCHANGED/);
  }

  post(body: object, as = 'authority'): Promise<ReceivedResponse> {
    return this.registry.playground.post(RUNS, as, body);
  }

  /** Creates a run that must be accepted. */
  async create(body: object): Promise<RoutingRun> {
    const response = await this.post({ reason: 'because', ...body });
    assert.equal(response.status, 201, response.text);
    // The cast is true because the response was checked against openapi.json.
    return response.body as RoutingRun;
  }

  async reverse(id: string, body: object = {}): Promise<RoutingRun> {
    const { playground } = this.registry;
    const reason = 'a mistake';
    const response = await playground.post(`${RUNS}/${id}/reversal`, 'authority', {
      reason,
      ...body,
    });
    assert.equal(response.status, 201, response.text);
    return response.body as RoutingRun;
  }

  async get(id: string): Promise<RoutingRun> {
    const response = await this.registry.playground.get(`${RUNS}/${id}`, 'authority');
    assert.equal(response.status, 200, response.text);
    return response.body as RoutingRun;
  }

  /** Asks for a state, for the state that the run has now. */
  async change(id: string, state: string): Promise<ReceivedResponse> {
    return this.changeFrom(id, state, { 'if-match': (await this.get(id)).etag });
  }

  /** Asks for a state with these headers. */
  changeFrom(
    id: string,
    state: string,
    headers: Record<string, string>,
  ): Promise<ReceivedResponse> {
    const path = `${RUNS}/${id}/state`;
    return this.registry.playground.call(path, {
      as: 'authority',
      method: 'PUT',
      body: { state },
      headers,
    });
  }

  /** Resolves with a run when it is completed. */
  async completed(id: string): Promise<RoutingRun> {
    await until(async () => (await this.get(id)).state === 'COMPLETED');
    return this.get(id);
  }

  async results(id: string, query = ''): Promise<RoutingRunResult[]> {
    const response = await this.registry.playground.get(
      `${RUNS}/${id}/results${query}`,
      'authority',
    );
    assert.equal(response.status, 200, response.text);
    return response.body as RoutingRunResult[];
  }

  async outcomes(id: string): Promise<Outcome[]> {
    return (await this.results(id)).map(
      ({ transportDocumentHouseLevel, status, before, after }) => [
        transportDocumentHouseLevel?.documentNumber,
        status,
        before?.routing,
        after?.routing,
      ],
    );
  }

  /** The signals of an identity, as `document routing`. */
  async signals(as: string): Promise<string[]> {
    const response = await this.registry.playground.get(
      '/api/movement/routing/v1/house-consignment',
      as,
    );
    return (response.body as RoutingSignal[]).map(
      ({ transportDocumentHouseLevel, routingResult }) =>
        `${transportDocumentHouseLevel.documentNumber} ${routingResult.routing}`,
    );
  }
}
