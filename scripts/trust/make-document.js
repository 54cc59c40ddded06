// Makes docs/promises.md from the promises and the results of their checks.
import { notPromised, promises } from './promises.js';
import { nameOf, readResults } from './results.js';

export function makePromises() {
  const results = readResults();
  const sections = Object.entries(promises).map(
    ([subject, list]) =>
      `## ${subject}\n\n${list.map((each) => describe(each, results)).join('\n')}`,
  );
  return `# What Landfall promises

Each promise has the faults under which it was tried, and the checks that fail if it does not hold, with the result of their last run. \`npm run trust\` runs all of them and writes this page; \`npm run trust -- I1 B2\` runs those of two promises. Generated: do not edit.

${sections.join('\n')}
## What is not promised

${notPromised.map((each) => `- ${each}\n`).join('')}`;
}

/** @param {import('./promises.js').Promised} promised @param {ReturnType<typeof readResults>} results */
function describe({ id, promise, faults, checks }, results) {
  const rows = checks.map((check) => {
    const result = results[nameOf(check)];
    return `| \`${nameOf(check)}\` | ${result === undefined ? 'not run yet' : toText(result)} |\n`;
  });
  return `### ${id}

${promise}

*Tried with:* ${faults}.

| Check | Last result |
|---|---|
${rows.join('')}`;
}

/** @param {import('./results.js').Result} result */
function toText({ at, commit, passed, failed, seconds }) {
  const outcome =
    failed === 0 ? `passed (${passed})` : `**failed** (${failed} of ${passed + failed})`;
  return `${outcome} on ${at}, commit ${commit}, ${seconds} s`;
}
