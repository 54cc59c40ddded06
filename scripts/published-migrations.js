// The list of published migrations, by which a changed one is found (decision 0261).
import { createHash } from 'node:crypto';

/** The list, as `sha256sum --check` reads it in its folder. */
export const LIST = 'packages/service/published-migrations.sha256';

/** The folder of the migrations, from that of the list. */
const FOLDER = 'migrations/';

/**
 * The list with the migrations that it lacks. What it has is never replaced.
 *
 * @param {string} list
 * @param {ReadonlyMap<string, string>} scripts the migrations by name
 * @returns {string}
 */
export function addMigrations(list, scripts) {
  const listed = readList(list);
  const added = [...scripts].filter(([name]) => !listed.has(name));
  return list + added.map(([name, script]) => `${digestOf(script)}  ${FOLDER}${name}\n`).join('');
}

/**
 * What is wrong with the migrations, in sentences.
 *
 * @param {string} list
 * @param {ReadonlyMap<string, string>} scripts the migrations by name
 * @returns {string[]}
 */
export function migrationProblems(list, scripts) {
  const listed = readList(list);
  const last = [...listed.keys()].sort().at(-1) ?? '';
  const problems = [];
  for (const [name, digest] of listed) {
    const script = scripts.get(name);
    if (script === undefined) {
      problems.push(
        `${name} was removed after it had been published: databases have it. ${REMEDY}`,
      );
    } else if (digestOf(script) !== digest) {
      problems.push(
        `${name} was changed after it had been published: databases that have it could not be used any more. ${REMEDY}`,
      );
    }
  }
  for (const name of scripts.keys()) {
    if (listed.has(name)) continue;
    problems.push(
      name > last
        ? `${name} is not in ${LIST}: run \`npm run generate\` and commit it`
        : `${name} is not in ${LIST}, and comes before ${last}, which is: give it the next number`,
    );
  }
  return problems;
}

const REMEDY = `Restore it (git log -- ${LIST}), and change what it has made in a new migration. If nobody else has it yet, remove its line from ${LIST} and run \`npm run generate\``;

/** @param {string} list @returns {Map<string, string>} digests by name */
function readList(list) {
  return new Map(
    list
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [digest = '', path = ''] = line.split('  ');
        return [path.slice(FOLDER.length), digest];
      }),
  );
}

/** @param {string} script */
function digestOf(script) {
  return createHash('sha256').update(script).digest('hex');
}
