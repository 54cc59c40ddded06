// The authority commands generate and import against a real playground.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

const generate = async (...words: string[]) => {
  const { code, stdout, stderr } = await runCommand(['authority', 'generate', ...words]);
  assert.equal(code, 0, stderr);
  return stdout;
};
const authority = (words: readonly string[], input = '', start = runCommand) =>
  start(['authority', ...words, '--data', data], { input });

describe('authority generate', () => {
  it('generates the requested number, reproducible by seed', async () => {
    const lines = await generate('--ens', '3', '--houses', '50', '--seed', '7');
    assert.equal(lines.split('\n').length - 1, 53);
    assert.equal(await generate('--ens', '3', '--houses', '50', '--seed', '7'), lines);
    assert.notEqual(await generate('--ens', '3', '--houses', '50', '--seed', '8'), lines);
    const whole = await generate('--ens', '3', '--houses', '50', '--seed', '7', '--whole');
    const declarations: { houseConsignments: unknown[] }[] = whole
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    assert.equal(declarations.flatMap(({ houseConsignments }) => houseConsignments).length, 50);
  });
});

describe('authority import', () => {
  it('registers generated lines from a pipe or a file; repeating is safe', async () => {
    const lines = await generate('--ens', '5', '--houses', '3000', '--seed', '11');
    const first = await authority(['import', '-'], lines, runLandfall);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^3,005 lines: 3,005 registered\. .*\/s\.\n$/);
    const file = join(folder, 'lines.ndjson');
    await writeFile(file, lines);
    const again = await authority(['import', file]);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /^3,005 lines: 0 registered, 3,005 unchanged\./);
  });

  it('registers consignments that can be presented, with a signal if already decided', async () => {
    const mrn = '26NO0000000000CLI1';
    const lines = [
      {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments: [],
      },
      {
        mrn,
        houseConsignment: {
          transportDocumentHouseLevel: { documentNumber: 'CLI-1', type: 'N703' },
          routing: 'TO_ENTRY',
        },
      },
    ];
    await authority(['import', '-'], lines.map((line) => JSON.stringify(line)).join('\n'));
    const words = ['present', 'house-consignment', '--document', 'CLI-1', '--type', 'N703'];
    const presented = await runCommand([...words, '--as', 'forwarder', '--data', data]);
    assert.equal(presented.code, 0, presented.stderr);
    // The carrier lodged the declaration, so it receives the signal when the forwarder presents.
    const routing = await runCommand(['routing', 'list', '--as', 'carrier', '--data', data]);
    assert.match(routing.stdout, /CLI-1 +N703 +26NO0000000000CLI1 .*TO_ENTRY/);
  });

  it('reports refused lines with their numbers, and exits with 1', async () => {
    const lines = '{"mrn":"x"}\n\nnonsense\n';
    const { code, stdout, stderr } = await authority(['import', '-'], lines);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^line 1 refused \(x\)\n {2}customsOfficeOfFirstEntry: must not be null \(REQUIRED\)/,
    );
    assert.match(stderr, /\nline 3 refused\n {2}line: must be valid JSON \(FORMAT\)\n/);
    assert.match(stderr, /\nerror: 2 of 2 lines were refused/);
    assert.match(stdout, /^2 lines: 0 registered, 2 refused\./);
  });

  it('prints only results with --json', async () => {
    const { code, stdout, stderr } = await authority(['import', '-', '--json'], '{}\n');
    assert.equal(code, 1);
    const { line, status } = JSON.parse(stdout);
    assert.deepEqual([line, status], [1, 'REFUSED']);
    assert.match(stderr, /1 lines/);
  });

  it('reports errors before sending anything', async () => {
    const missing = await authority(['import', join(folder, 'none')]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /cannot read .*none \(ENOENT\)/);
    const { code, stderr } = await authority(['import', '-', '--as', 'carrier'], '{}\n');
    assert.equal(code, 1);
    assert.match(stderr, /needs the scope customs:authority\/registry/);
  });

  it('says that resubmitting is safe when the service dies during an import', async () => {
    const other = join(folder, 'other');
    const dying = startLandfall(['playground', '--port', '0', '--data', other]);
    await dying.printed(/Press Ctrl-C to stop/);
    const importing = startLandfall(['authority', 'import', '-', '--json', '--data', other]);
    const lines = await generate('--ens', '1', '--houses', '20', '--seed', '3');
    importing.process.stdin?.write(lines);
    await importing.printed(/"line":21/);
    dying.process.kill('SIGKILL');
    const { code, stderr } = await importing.ended;
    assert.equal(code, 4);
    const { error } = JSON.parse(stderr);
    assert.match(
      error.message,
      /the connection was lost.*\n21 lines were processed\. Resubmitting the whole file is safe/,
    );
  });
});
