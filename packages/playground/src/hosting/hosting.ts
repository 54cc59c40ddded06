// A hosted playground: its options with their defaults, and what its operator sees and does.
import { compileCheck, HostingOptions } from '@landfall/contract';
import { Type } from 'typebox';
import { toOptionError } from '../option-error.js';

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
