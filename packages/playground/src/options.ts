// The options of a playground.
import type { HostingOptions, PlaygroundIdentity, Scenario } from '@landfall/contract';
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
  /** How many spaces there may be, 1 to 1000; default: 100. Each takes about 5 MB of memory. */
  maxSpaces?: number;
  /**
   * How many spaces are made ahead, 0 to 100: such a space is there at once. If it is given, the start waits for them; default:
   * 2, from the first space on.
   */
  preparedSpaces?: number;
  /** After how many seconds without a request a space is removed, 1 to 86,400; default: 1800. */
  spaceIdleTime?: number;
  /**
   * The addresses at which clients on other hosts reach it, such as `http://playground:8080`: a list, or a text with commas
   * between them. `http://localhost:*` is this host with any port, for ports that are mapped later. Tokens hold at each, and
   * metadata has the one to which its request was sent. The first without `*` is `baseUrl`; default: that of this machine.
   */
  publicUrl?: string | readonly string[];
  /**
   * What callers of the control addresses send as `Authorization: Bearer ...`, from whichever machine: 16 to 200 letters,
   * digits and `- . _ ~ + /`. Without it, they are programs on this machine.
   */
  controlSecret?: string;
  /**
   * Whether it is hosted for many: everybody makes a space of their own in the console, which is kept, reset each night and
   * limited, and which nobody else sees. It needs a `controlSecret`, and `data` where the keys of spaces are kept. Instead of
   * `true`, limits that differ from their defaults.
   */
  hosted?: boolean | Partial<HostingOptions>;
  /** Is called before each slow step. */
  onProgress?: (progress: string) => void;
};
