// A hosted playground: its options, and what its operator sees and does.
import { compileCheck } from '@landfall/contract';
import { type Static, Type } from 'typebox';
import { toOptionError } from '../option-error.js';

/** The options of a hosted playground; what is left out has a default. */
export const HostingOptions = Type.Object(
  {
    resetHour: Type.Integer({
      minimum: 0,
      maximum: 23,
      default: 3,
      description:
        'hour of the night at which every space is reset, in the time zone of the service',
    }),
    spacesPerAddress: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 5,
      description: 'how many spaces one network address may have (of IPv6, a network of /64)',
    }),
    requestsPerMinute: Type.Integer({
      minimum: 10,
      maximum: 1_000_000,
      default: 3000,
      description:
        'requests a minute to one space; one counts once more for each 64 KiB it receives',
    }),
    spaceSize: Type.Integer({
      minimum: 10,
      maximum: 100_000,
      default: 100,
      description:
        'megabytes of data of one space, beyond which it takes no more until it is reset',
    }),
    unusedDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 30,
      description: 'days without a request after which a space is deleted',
    }),
  },
  { additionalProperties: false },
);
/** See above. */
export type HostingOptions = Static<typeof HostingOptions>;

const checkPartial = compileCheck<Partial<HostingOptions>>(Type.Partial(HostingOptions));

/**
 * The options with their defaults.
 *
 * @throws PlaygroundOptionError that names the member and the rule
 */
export function readHostingOptions(given: unknown): HostingOptions {
  const checked = checkPartial(given === true ? {} : given);
  if (!checked.valid) throw toOptionError('hosted', checked.errors);
  const defaults = Object.entries(HostingOptions.properties).map(([name, schema]) => [
    name,
    // The cast is true because every option has a default.
    (schema as { default?: number }).default,
  ]);
  return { ...Object.fromEntries(defaults), ...checked.value };
}

/** A space as its operator sees it: not its contents. */
export type HostedSpaceSummary = {
  name: string;
  /** What was entered at the sign-up; nobody has checked it. */
  organisation: string;
  /** The network address of the sign-up. */
  address: string;
  /** ISO 8601. */
  createdAt: string;
  /** When the last request ended, ISO 8601. */
  usedAt: string;
  /** Bytes of its data when they were last measured; 0 while it is not in use. */
  bytes: number;
  /** Whether it is in use since the last reset. */
  active: boolean;
};

/** What the operator of a hosted playground does. */
export type Hosting = {
  /** All spaces, oldest first. */
  list(): HostedSpaceSummary[];
  /** Deletes a space with its keys; returns whether there was one. */
  remove(name: string): Promise<boolean>;
  /**
   * Does now what is otherwise done every minute: measures spaces, deletes those that nobody uses, and resets all when the
   * hour has come since the last time.
   *
   * @param now default: the system's time
   */
  maintain(now?: Date): Promise<void>;
};
