// The suites of each test runner: their files, and how they are run.
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A folder in which the packages of this repository are found by their names, and those of a test runner. */
function prepareModules(folder, modules) {
  mkdirSync(join(folder, 'node_modules/@landfall'), { recursive: true });
  for (const name of ['client', 'playground']) {
    symlinkSync(join(root, 'packages', name), join(folder, 'node_modules/@landfall', name));
  }
  for (const name of modules) cpSync(name, join(folder, 'node_modules'), { recursive: true });
  copyFileSync(here('one-test.js'), join(folder, 'one-test.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}

const imports = `import { count, runOne, TIMEOUT_MS } from './one-test.js';\n`;
const concurrent = `for (let index = 0; index < count; index++) {
  test.concurrent('test ' + index, () => runOne(index), TIMEOUT_MS);
}\n`;

/**
 * Each prepares a folder, and returns the command that runs its tests there.
 *
 * `modules` is a folder of node_modules with Vitest and Jest, `python` one with pytest-xdist, `jars` one with JUnit.
 */
export const suites = {
  'node:test': (folder) => {
    prepareModules(folder, []);
    writeFileSync(
      join(folder, 'all.test.js'),
      `import { describe, test } from 'node:test';\n${imports}
describe('at once', { concurrency: count, timeout: TIMEOUT_MS }, () => {
  for (let index = 0; index < count; index++) test('test ' + index, () => runOne(index));
});\n`,
    );
    return [process.execPath, ['--test', '--test-reporter=dot', 'all.test.js']];
  },
  vitest: (folder, { modules }) => {
    if (modules === undefined) return 'needs --modules, a node_modules with vitest';
    prepareModules(folder, [modules]);
    writeFileSync(
      join(folder, 'all.test.js'),
      `import { test } from 'vitest';\n${imports}${concurrent}`,
    );
    const options = ['run', '--maxConcurrency=100', '--reporter=dot'];
    return [process.execPath, ['node_modules/vitest/vitest.mjs', ...options]];
  },
  jest: (folder, { modules }) => {
    if (modules === undefined) return 'needs --modules, a node_modules with jest';
    prepareModules(folder, [modules]);
    writeFileSync(join(folder, 'all.test.js'), `${imports}${concurrent}`);
    const flags = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
    return [process.execPath, [...flags, '--maxConcurrency=100', '--transform={}', '--silent']];
  },
  unittest: (folder) => {
    for (const name of ['landfall.py', 'playground.py']) {
      copyFileSync(join(root, 'examples/python', name), join(folder, name));
    }
    copyFileSync(here('test_at_once.py'), join(folder, 'test_at_once.py'));
    return ['python3', ['test_at_once.py']];
  },
  pytest: (folder, { python }) => {
    if (python === undefined) return 'needs --python, a folder with pytest-xdist';
    const [, words] = suites.unittest(folder);
    const environment = { PYTHONPATH: python };
    const options = ['-q', '-p', 'xdist', '-n', '8', '-p', 'no:cacheprovider'];
    return ['python3', ['-m', 'pytest', ...options, ...words], environment];
  },
  junit: (folder, { jars }) => {
    const tests = join(folder, 'src/test/java');
    mkdirSync(join(folder, 'src/test/resources'), { recursive: true });
    for (const name of ['Json', 'LandfallClient', 'RefusedException', 'RoutingSignal']) {
      mkdirSync(tests, { recursive: true });
      copyFileSync(join(root, 'examples/java/src', `${name}.java`), join(tests, `${name}.java`));
    }
    copyFileSync(here('AtOnceTest.java'), join(tests, 'AtOnceTest.java'));
    copyFileSync(here('pom.xml'), join(folder, 'pom.xml'));
    writeFileSync(
      join(folder, 'src/test/resources/junit-platform.properties'),
      `junit.jupiter.execution.parallel.enabled=true
junit.jupiter.execution.parallel.mode.default=concurrent
junit.jupiter.execution.parallel.config.strategy=fixed
junit.jupiter.execution.parallel.config.fixed.parallelism=16
`,
    );
    if (jars === undefined) return ['mvn', ['--quiet', '--batch-mode', 'test']];
    const launcher = `java -cp 'classes:src/test/resources:${jars}/*' org.junit.platform.console.ConsoleLauncher`;
    return [
      'sh',
      [
        '-c',
        `javac -d classes -cp '${jars}/*' src/test/java/*.java && ${launcher} --disable-banner --details=none --select-class AtOnceTest`,
      ],
    ];
  },
};
