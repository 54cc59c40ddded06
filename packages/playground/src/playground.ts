// A running playground, as the program that started it uses it.
import type { PlaygroundCredentials } from '@landfall/contract';
import type { ClientOptions } from './client-options.js';
import type { PlaygroundClock } from './clock.js';
import type { Exchange } from './recording/exchange.js';

/** A running playground. */
export type Playground = AsyncDisposable & {
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** The address of the identity provider. */
  readonly idpUrl: string;
  readonly identities: readonly PlaygroundCredentials[];
  /**
   * The options with which a client acts as an identity.
   *
   * @param name of an identity, such as `carrier`
   * @throws UnknownIdentityError
   * @example
   * const landfall = new Landfall(playground.credentials('carrier'));
   */
  credentials(name: string): ClientOptions;
  /** The clock; changed with `setClock`. */
  readonly clock: Pick<PlaygroundClock, 'now' | 'state'>;
  /** Changes the clock, and removes what has expired by it. */
  setClock: (change: Parameters<PlaygroundClock['set']>[0]) => Promise<void>;
  /**
   * Returns to the data, the clock and the record with which it was started. Requests in progress are cut off. Keys,
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

/** There is no identity of this name. */
export class UnknownIdentityError extends Error {
  readonly code = 'UNKNOWN_IDENTITY';
  override name = 'UnknownIdentityError';
}
