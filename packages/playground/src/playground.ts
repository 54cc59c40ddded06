// A running playground, as the program that started it uses it.
import type {
  PlaygroundCredentials,
  PlaygroundIdentity,
  Scenario,
  ScopeName,
} from '@landfall/contract';
import type { ClientOptions } from './client-options.js';
import type { PlaygroundClock } from './clock.js';
import type { DatasetPage, DatasetQuery } from './dataset/dataset-query.js';
import type { Hosting } from './hosting/hosting.js';
import type { Exchange } from './recording/exchange.js';
import type { Expectation } from './recording/expectation.js';
import type { ScenarioState } from './scenarios/scenario-state.js';
import type { Snapshot } from './snapshots.js';

/** What a playground and each of its spaces have. */
export type PlaygroundParts = AsyncDisposable & {
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** The address of the identity provider. */
  readonly idpUrl: string;
  /**
   * What the names of its streams and subjects in NATS begin with, such as `playground-1a2b3c4d`: the stream
   * `playground-1a2b3c4d_ROUTING_SIGNALS` has the subjects `playground-1a2b3c4d.customs.routing-signals.*`. Empty without a prefix.
   */
  readonly natsPrefix: string;
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
   * Adds an identity, or replaces the one of its name: with a new key, unless it has one of its own. The eSeal of before is
   * refused; a domestic client is its id, for which every certificate of its organisation is accepted. Its organisation may be a new one; one that is there keeps what it was granted, and is granted
   * what the identity adds. It survives resets, and ends with the playground. There may be 200.
   *
   * @returns its credentials
   * @throws PlaygroundOptionError that names a member and the rule
   * @example
   * await playground.putIdentity({
   *   name: 'agent', kind: 'domestic', organisation: '0192:310000086', organisationName: 'Agent',
   *   scopes: ['movement/entry'], granted: ['movement/entry'],
   * });
   */
  putIdentity(identity: PlaygroundIdentity): Promise<PlaygroundCredentials>;
  /** Removes an identity: its key and its tokens are refused from then on. Returns whether there was one. */
  removeIdentity(name: string): Promise<boolean>;
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
   * Returns to the data, the clock, the scenarios and the record with which it was started, or to a snapshot, with no requests
   * recorded. Requests in progress are cut off. Keys, credentials and tokens stay valid. Streams in NATS are made anew, without
   * their consumers. Snapshots that were taken later are deleted: all of them without a name.
   *
   * @param snapshot the name of a snapshot; default: the start
   * @throws SnapshotError with the code UNKNOWN_SNAPSHOT, or SNAPSHOT_OUTDATED when more than 300,000 rows were written since
   *   the first snapshot; then nothing is changed
   */
  reset(snapshot?: string): Promise<void>;
  /**
   * Takes a snapshot of the data, the clock, the decisions that are still to come and the scenarios, to which `reset(name)`
   * returns as often as required. Take it while no requests are in progress. One of the same name is replaced. There may be
   * 20; they end with the playground.
   *
   * @param name letters, digits, `.`, `_` and `-`, at most 60 characters; it begins with a letter or a digit
   * @throws an error with the code VALIDATION_FAILED for another name or too many snapshots
   * @throws SnapshotError with the code SNAPSHOTS_UNAVAILABLE when the user of a PostgreSQL database may not set
   *   `session_replication_role`
   * @example
   * await carrier.presentHouseConsignment(parcel);
   * await playground.snapshot('presented');
   * await playground.reset('presented');
   */
  snapshot(name: string): Promise<Snapshot>;
  /** The snapshots, oldest first. */
  snapshots(): Snapshot[];
  /** Deletes a snapshot; returns whether there was one. */
  deleteSnapshot(name: string): boolean;
  /**
   * The last exchanges with the service and the identity provider, oldest first; secrets are blanked. At most 500, with 16
   * million characters of bodies: `droppedRequests` says how many were before them.
   */
  requests(): readonly Exchange[];
  /**
   * Verifies how often a request was sent, or a scenario took effect, since the last reset or `clearRequests`; waits for
   * enough of them for `within` milliseconds. Returns those that are as expected.
   *
   * @throws VerificationError whose message says how the nearest requests differ
   * @throws an error with the code VALIDATION_FAILED that names a member of what is expected and the rule
   * @example
   * await playground.verify({
   *   operation: 'presentHouseConsignment',
   *   identity: 'carrier',
   *   body: { transportDocumentHouseLevel: { documentNumber: 'NO100000001MU' } },
   *   status: 202,
   *   times: 1,
   *   within: 5000,
   * });
   */
  verify(expected: Expectation): Promise<Exchange[]>;
  /** How many exchanges were dropped since the last reset or `clearRequests`, because later ones took their place. */
  readonly droppedRequests: number;
  /** Forgets the recorded exchanges. */
  clearRequests(): void;
  /** Ends it; what it made in temporary folders is deleted. */
  close(): Promise<void>;
};

/** A running playground. */
export type Playground = PlaygroundParts & {
  /** The port at which it listens; that of `baseUrl` may be one that is mapped to it. */
  readonly port: number;
  /**
   * Makes a space: a playground within this one, with its own address, goods, clock, scenarios, record, identities and keys.
   * It begins with what the playground began with, and nothing that happens in one is seen in another. It ends when it
   * is closed, when nobody has used it for `spaceIdleTime`, or with the playground.
   *
   * @param name 1 to 63 lower-case letters, digits and hyphens, neither first nor last a hyphen; default: a new one
   * @throws SpaceError with the code INVALID_SPACE_NAME, SPACE_EXISTS or TOO_MANY_SPACES
   * @example
   * await using space = await playground.space();
   * const landfall = new Landfall(space.credentials('carrier'));
   */
  space(name?: string): Promise<PlaygroundSpace>;
  /** The spaces that there are, oldest first. */
  spaces(): readonly PlaygroundSpace[];
  /**
   * Resolves with the reason when it was closed by itself: another playground took its database while the connection to it
   * was lost. Otherwise it never does.
   */
  readonly endedByItself: Promise<Error>;
  /** The spaces of those who signed up, if it is hosted. Then `space()` is refused with SPACES_BY_SIGN_UP. */
  readonly hosting?: Hosting | undefined;
};

/** A space of a playground. Its record, its scenarios and so on are its own; nothing of it is relayed to NATS. */
export type PlaygroundSpace = PlaygroundParts & {
  readonly name: string;
  readonly createdAt: Date;
};

/** Why there is no such space. */
export type SpaceErrorCode =
  | 'INVALID_SPACE_NAME'
  | 'SPACE_EXISTS'
  | 'TOO_MANY_SPACES'
  | 'SPACES_BY_SIGN_UP';

/** A space cannot be made; the message says why, and what to do. */
export class SpaceError extends Error {
  readonly code: SpaceErrorCode;
  readonly rule: string;
  override name = 'SpaceError';

  /** @param rule which it breaks, after the words "the name" where it is about the name */
  constructor(code: SpaceErrorCode, rule: string) {
    super(/NAME|EXISTS/.test(code) ? `the name of a space ${rule}` : rule);
    this.code = code;
    this.rule = rule;
  }
}

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

/** The playground is closed. */
export class PlaygroundClosedError extends Error {
  readonly code = 'PLAYGROUND_CLOSED';
  override name = 'PlaygroundClosedError';

  constructor() {
    super('the playground is closed: start another one');
  }
}

/** Another playground has taken the database of this one, which is closed, while its connection was lost. */
export class DatabaseTakenError extends Error {
  readonly code = 'DATABASE_TAKEN';
  override name = 'DatabaseTakenError';

  constructor() {
    super(
      'another playground took the database while the connection to it was lost, so this one has ended: give each one a database of its own',
    );
  }
}

/** There is no identity of this name. */
export class UnknownIdentityError extends Error {
  readonly code = 'UNKNOWN_IDENTITY';
  override name = 'UnknownIdentityError';
}
