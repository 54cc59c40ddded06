// One rule for a grant: its name, and how it is examined.

/** One rule. */
export type GrantRule = {
  name: string;
  /** Says what was found where it holds. Throws GrantRefusedError, or NotKnownError. */
  check(): Promise<string>;
};

/** Makes a rule. */
export function rule(name: string, check: () => Promise<string>): GrantRule {
  return { name, check };
}

/** A time in seconds since 1970 as findings tell it. */
export function toText(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
