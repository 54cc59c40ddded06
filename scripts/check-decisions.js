// Checks docs/decisions: each decision is in the index once, each number that the repository names is a decision or
// was merged into one, and no link is dead.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decisionProblems } from './decision-problems.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const texts = new Map(
  listed
    .split('\n')
    .filter((path) => path !== '' && !/\.(?:png|json|csv|svg)$/.test(path))
    .filter((path) => existsSync(`${root}/${path}`))
    .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]),
);

const problems = decisionProblems(texts, (path) => existsSync(`${root}/${path}`));
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
