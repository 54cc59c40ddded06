// A running playground, as the program that started it uses it.
import type { PlaygroundCredentials, Scenario, ScopeName } from '@landfall/contract';
import type { ClientOptions } from './client-options.js';
import type { PlaygroundClock } from './clock.js';
import type { DatasetPage, DatasetQuery } from './dataset/dataset-query.js';
import type { Exchange } from './recording/exchange.js';
import type { ScenarioState } from './scenarios/scenario-state.js';

/** A running playground. */
export type Playground = AsyncDisposable & {
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** The address of the identity provider. */
  readonly idpUrl: string;
  readonly identities: readonly PlaygroundCredentials[];
  /** The scopes that are granted to the organisation of each identity at the first start, by its name, without prefix. */
  readonly grants: ReadonlyMap<string, readonly ScopeName[]>;
  /**
   * The options with which a client acts as an identity.
   *
   * @param name of an identity, such as `carrier`
   * @throws UnknownIdentityError
   * @example
   * const landfall = new Landfall(playground.credentials('carrier'));
   */
  credentials(name: string): ClientOptions;
  /**
   * A page of what can be presented: house consignments, or at an upper level the references with the numbers of their
   * goods.
   *
   * @throws an error with the code VALIDATION_FAILED that names a member of the query and the rule
   * @example
   * const { entries } = await playground.dataset({ level: 'RECEPTACLE', presented: false });
   */
  dataset(query?: DatasetQuery): Promise<DatasetPage>;
  /** The clock; changed with `setClock`. */
  readonly clock: Pick<PlaygroundClock, 'now' | 'state'>;
  /** Changes the clock, and removes what has expired by it. */
  setClock: (change: Parameters<PlaygroundClock['set']>[0]) => Promise<void>;
  /** What happens to requests beside the usual: delays, lost responses, refusals and so on. */
  readonly scenarios: PlaygroundScenarios;
  /**
   * Returns to the data, the clock, the scenarios and the record with which it was started. Requests in progress are cut off. Keys,
   * credentials and tokens stay valid.
   */
  reset(): Promise<void>;
  /** The last exchanges with the service and the identity provider, oldest first; secrets are blanked. */
  requests(): readonly Exchange[];
  /** Forgets the recorded exchanges. */
  clearRequests(): void;
  /** Ends it; what it made in temporary folders is deleted. */
  close(): Promise<void>;
};

/** The scenarios of a playground. */
export type PlaygroundScenarios = {
  /**
   * Adds a scenario, which takes effect on requests from now on.
   *
   * @throws an error with the code VALIDATION_FAILED, whose `errors` name each member and rule
   * @example
   * playground.scenarios.add({ kind: 'lost-response', identity: 'carrier', times: 1 });
   */
  add(scenario: Scenario): ScenarioState;
  /** All, oldest first, with how often each took effect. */
  list(): ScenarioState[];
  /** Deletes the scenario with this id; returns whether there was one. */
  delete(id: string): boolean;
  /** Deletes all. */
  clear(): void;
};

/** There is no identity of this name. */
export class UnknownIdentityError extends Error {
  readonly code = 'UNKNOWN_IDENTITY';
  override name = 'UnknownIdentityError';
}
