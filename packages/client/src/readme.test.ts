// The examples of the README compile in a program for Node.js without the types of browsers, and run on a playground.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestPlayground } from './testing/playground.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(repository, 'packages/client/README.md'), 'utf8');
const examples = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);
const nameOf = (index: number) => `example-${index + 1}`;

const playground = await startTestPlayground();
const folder = join(playground.dataFolder, 'program');
await makeProgram();

/** A folder as an integrator has it: the package, credentials and keys. */
async function makeProgram() {
  mkdirSync(join(folder, 'node_modules/@landfall'), { recursive: true });
  const link = (target: string, path: string) => symlinkSync(target, join(folder, path));
  link(join(repository, 'packages/client'), 'node_modules/@landfall/client');
  link(join(repository, 'node_modules/@types'), 'node_modules/@types');
  link(playground.dataFolder, '.landfall');
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{ "type": "module" }');
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [index, code] of examples.entries()) write(`${nameOf(index)}.ts`, code);

  const { credentials } = await playground.credentials('express');
  const [leaf = ''] = [credentials.certificates ?? []].flat();
  write('key.pem', String(credentials.key));
  write('leaf.pem', `-----BEGIN CERTIFICATE-----\n${leaf}\n-----END CERTIFICATE-----\n`);
  const options = ['-inkey', 'key.pem', '-in', 'leaf.pem', '-out', 'eseal.p12'];
  execFileSync('openssl', ['pkcs12', '-export', ...options, '-passout', 'pass:password'], {
    cwd: folder,
  });
}

/** Runs a script of Node.js in the folder; rejects with its output unless it exits with 0. */
function run(script: string) {
  return promisify(execFile)(process.execPath, [script], { cwd: folder });
}

test('the examples compile', async () => {
  assert(examples.length > 3);
  await run(join(repository, 'node_modules/typescript/bin/tsc'));
});

for (const [index, code] of examples.entries()) {
  test(`${nameOf(index)} runs: ${code.trim().split('\n').at(-1)}`, async () => {
    await run(`${nameOf(index)}.js`);
  });
}
