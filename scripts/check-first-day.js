// Goes the ways of a new developer and of a new operator from the documents alone, before a release: in a new clone, each on
// a machine that nobody has used (`first-day/clean-machine.sh`), with a new PostgreSQL. Then the troubles of an operator, by
// the tests that make them and do what the runbook says. Arguments, if any, name the ways.
import './end-with-script.js';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ways } from './first-day/ways.js';
import { requirePrograms } from './require-programs.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The longest that a step may take, in milliseconds: it ends what waits forever. */
const MAX_STEP_MS = 3_600_000;

if (process.getuid?.() !== 0) {
  console.error('This makes namespaces: run it as root on Debian.');
  process.exit(2);
}
requirePrograms('The first day', ['git', 'initdb', 'psql', 'ip', 'setpriv', 'nats-server']);

const named = process.argv.slice(2);
const unknown = named.filter((name) => ways[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no way ${unknown.join(', ')}: ${Object.keys(ways).join(', ')}`);
  process.exit(2);
}

let failed = 0;
// Not below /tmp, of which each machine has its own.
const folder = mkdtempSync('/var/tmp/landfall-first-day-');
try {
  const clone = join(folder, 'landfall');
  const isInstalled =
    step('a new clone', root, ['git', 'clone', '--quiet', root, clone]) &&
    // What it downloads is in the cache of npm: the machines have no network.
    step('npm ci', clone, ['npm', 'ci']);
  const names = named.length > 0 ? named : Object.keys(ways);
  if (isInstalled && names.includes('upgrade')) {
    const build = `import('./faults/upgrade/previous-release.js').then((made) => made.buildPreviousRelease(console.log))`;
    step('the release before this one', clone, [process.execPath, '-e', build]);
  }
  for (const name of isInstalled ? names : []) onCleanMachine(name, clone);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? 'The first day works.' : `${failed} steps of the first day failed.`);
process.exitCode = failed > 0 ? 1 : 0;

/** @param {string} name @param {string} clone */
function onCleanMachine(name, clone) {
  const machine = join(folder, name);
  mkdirSync(machine);
  const command = [process.execPath, ...ways[name]];
  step(`the way: ${name}`, clone, [
    'unshare',
    ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
    'scripts/first-day/clean-machine.sh',
    machine,
    ...command,
  ]);
}

/**
 * Runs a command to its end, and counts a failure.
 *
 * @param {string} name
 * @param {string} cwd
 * @param {readonly [string, ...string[]]} command
 */
function step(name, cwd, [program, ...words]) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status, error } = spawnSync(program, words, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: MAX_STEP_MS,
    killSignal: 'SIGKILL',
    // A part that is missing is a failure, and nothing is downloaded that the clone did not need.
    env: { ...process.env, CI: 'true', npm_config_prefer_offline: 'true' },
  });
  const succeeded = status === 0;
  if (!succeeded) failed++;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`-- ${name}: ${succeeded ? 'passed' : `FAILED ${error ?? ''}`} (${seconds} s)`);
  return succeeded;
}
