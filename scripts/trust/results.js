// The kept results of the checks of promises: of each the last run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../docs/promises.json', import.meta.url);

/**
 * @typedef {{ at: string, commit: string, passed: number, failed: number, seconds: number }} Result
 *   `at`: the day; `commit`: what was checked; `seconds`: how long it took
 */

/** The last result of each check, by its name. @returns {Record<string, Result>} */
export function readResults() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Keeps the result of a check. @param {string} name @param {Result} result */
export function keepResult(name, result) {
  const results = { ...readResults(), [name]: result };
  const sorted = Object.fromEntries(Object.entries(results).sort());
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

/** What a check is called: the command that runs it alone. @param {import('./promises.js').Check} check */
export function nameOf(check) {
  return 'tests' in check
    ? `npm test -- ${check.tests}`
    : `npm run faults -- --only ${check.faults}`;
}
