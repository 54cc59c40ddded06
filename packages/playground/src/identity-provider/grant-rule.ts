// One rule for a grant: its name, and how it is checked.

/** One rule. `check` returns a description of the value, or throws GrantRefusedError or UndeterminedError. */
export type GrantRule = { name: string; check(): string | Promise<string> };

export function rule(name: string, check: GrantRule['check']): GrantRule {
  return { name, check };
}

/** A time in seconds since 1970, for people. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
