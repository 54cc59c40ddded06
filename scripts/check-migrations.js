// Checks that no migration was changed or removed after it had been published (decision 0261).
import { readFileSync } from 'node:fs';
import { LIST, migrationProblems } from './published-migrations.js';
import { readMigrationScripts } from './read-migrations.js';

const list = readFileSync(new URL(`../${LIST}`, import.meta.url), 'utf8');
const problems = migrationProblems(list, readMigrationScripts());
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
