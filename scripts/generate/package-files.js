// The files that are generated from the compiled packages: references, and the schema and statements of the database.
import { makeCommandReference } from '../../packages/cli/dist/program/command-reference.js';
import { makeProgram } from '../../packages/cli/dist/program/program.js';
import { describeAccessEnds } from '../../packages/service/dist/access-ends.js';
import { dumpSchema, whyNoDump } from '../dump-schema.js';
import { fillParts } from '../fill-parts.js';
import { makeIdentityReference } from '../identity-reference.js';
import { listStatements } from '../list-statements.js';
import { makeMovementReference } from '../movement-reference.js';
import { addMigrations, LIST } from '../published-migrations.js';
import { readMigrationScripts } from '../read-migrations.js';
import { makeRunbook } from '../runbook-reference.js';
import { makeScalingParts } from '../scaling-parts.js';
import { makeScenarioReference } from '../scenario-reference.js';
import { makePromises } from '../trust/make-document.js';

/**
 * Each file, with the function that generates its text.
 *
 * @param {(path: string) => string} read the text of a file
 * @returns {Promise<Record<string, () => string | Promise<string>>>}
 */
export async function packageFiles(read) {
  // In CI every file is generated: without PostgreSQL the attempt fails.
  const noDump = process.env.CI === 'true' ? undefined : await whyNoDump();
  if (noDump !== undefined) console.log(`left out: packages/service/schema.sql ${noDump}`);
  const statements = Object.entries(listStatements());
  return {
    'docs/promises.md': makePromises,
    'docs/reference/identities.md': makeIdentityReference,
    'docs/reference/movement.md': makeMovementReference,
    'docs/reference/runbook.md': makeRunbook,
    'docs/reference/scenarios.md': makeScenarioReference,
    'docs/reference/command.md': () => makeCommandReference(makeProgram()),
    'docs/guide/operate.md': () =>
      fillParts(read('docs/guide/operate.md'), { 'access ends': describeAccessEnds() }),
    'docs/scaling.md': () =>
      fillParts(
        read('docs/scaling.md'),
        makeScalingParts(JSON.parse(read('bench/results/capacity.json'))),
      ),
    ...Object.fromEntries(statements.map(([file, text]) => [`docs/sql/${file}`, () => text])),
    [LIST]: () => addMigrations(read(LIST), readMigrationScripts()),
    ...(noDump === undefined && { 'packages/service/schema.sql': dumpSchema }),
  };
}
