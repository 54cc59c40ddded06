// The example of the README compiles, and passes as a test of a program that has installed the packages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

test('the example of the README passes', async () => {
  const readme = await readFile(join(repository, 'packages/playground/README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  const installed = join(folder, 'node_modules/@landfall');
  await mkdir(installed, { recursive: true });
  for (const name of ['client', 'playground']) {
    await symlink(join(repository, 'packages', name), join(installed, name));
  }
  await symlink(join(repository, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'example.test.ts'), example);
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const run = promisify(execFile);
  const options = { cwd: folder, env: { PATH: process.env.PATH } };
  await run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc')], options);
  const { stdout } = await run(process.execPath, ['--test', 'example.test.js'], options);
  assert.match(stdout, /# pass 1\n/);
  await rm(folder, { recursive: true });
});

test('a playground starts in a program that is an argument of Node.js', async () => {
  const program = `
    import { startPlayground } from '@landfall/playground';
    const playground = await startPlayground();
    const response = await fetch(playground.baseUrl + '/readyz');
    console.log(response.status);
    await playground.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: join(repository, 'packages/playground') },
  );
  assert.equal(stdout, '200\n');
});
