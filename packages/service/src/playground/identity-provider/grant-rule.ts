// One rule for a grant: its name, and how it is examined.

/** What was found where a rule holds; as a function where nobody may want to know it. */
export type Found = string | (() => string);

/** One rule. */
export type GrantRule = {
  name: string;
  /** Throws GrantRefusedError, or UndeterminedError. */
  check(): Found | Promise<Found>;
};

/** Makes a rule. */
export function rule(name: string, check: GrantRule['check']): GrantRule {
  return { name, check };
}

/** A time in seconds since 1970 as findings tell it. */
export function toText(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
