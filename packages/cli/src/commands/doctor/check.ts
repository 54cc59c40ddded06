// The result of one check.

/** `skipped`: it could not be checked, because an earlier check failed or nobody says. */
export type Outcome = 'ok' | 'warning' | 'failed' | 'skipped';

/** A check: what was found, and what to do about it. */
export type Check = { check: CheckName; outcome: Outcome; detail: string; advice: string | null };

/** What is checked, in this order. */
export type CheckName =
  | 'settings'
  | 'credentials'
  | 'certificate'
  | 'grant'
  | 'service'
  | 'identity provider'
  | 'clock'
  | 'token'
  | 'versions';

export function ok(check: CheckName, detail: string): Check {
  return { check, outcome: 'ok', detail, advice: null };
}

export function warning(check: CheckName, detail: string, advice: string): Check {
  return { check, outcome: 'warning', detail, advice };
}

/** @param advice `null` if the detail says what to do */
export function failed(check: CheckName, detail: string, advice: string | null): Check {
  return { check, outcome: 'failed', detail, advice };
}

export function skipped(check: CheckName, detail: string): Check {
  return { check, outcome: 'skipped', detail, advice: null };
}
