// The options of a playground.
import type { PlaygroundIdentity, Scenario } from '@landfall/contract';
import type { Config } from '@landfall/service/config';
import type { ClockChange } from './clock.js';

/** The options of a playground, and those of the service. What is left out has a default; no environment is read. */
export type PlaygroundOptions = Partial<Omit<Config, 'dataFolder'>> & {
  /** Folder of the database, keys and credentials, which are kept; default: a temporary one. */
  data?: string;
  /**
   * The goods, identities and decisions, in place of the built-in goods: the name of a generated dataset (`airport`,
   * `post-terminal:medium`), the path of a file, or its lines as objects. Loading the same again changes nothing.
   */
  dataset?: string | readonly object[];
  /** Identities beside the built-in ones. */
  identities?: readonly PlaygroundIdentity[];
  /** Scenarios from the start, beside those of the dataset; resets return to them. */
  scenarios?: readonly Scenario[];
  /** The time at the start, and whether it runs; default: the system's time, running. */
  clock?: ClockChange;
  /** Is called before each slow step. */
  onProgress?: (progress: string) => void;
};
