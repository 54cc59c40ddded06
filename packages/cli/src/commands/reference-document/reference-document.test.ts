// The commands of reference documents against a real playground.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';
import { csvToLines } from './csv-to-lines.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

const run = (words: readonly string[], input = '') =>
  runCommand(['reference-document', ...words, '--data', data], { input });

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

describe('reference-document import', () => {
  it('registers generated documents from a pipe; repeating is safe', async () => {
    const generated = await runCommand(['reference-document', 'generate', '--count', '2500']);
    assert.equal(generated.code, 0, generated.stderr);
    const first = await run(['import', '-'], generated.stdout);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^2,500 lines: 2,500 registered\. /);
    const again = await run(['import', '-'], generated.stdout);
    assert.match(again.stdout, /^2,500 lines: 0 registered, 2,500 unchanged\. /);
  });

  it('reads CSV, and names the line of the file that is refused', async () => {
    const csv = [
      '\ufeffstate,kind,reference_number,declarant_number,declaration_date,sequence_number',
      'VALID,VOEC,CSV-1,,,',
      '',
      'INVALID,CUDE,,999999999,2026-05-04,12',
      'VALID,CUDE,,99,2026-05-04,12',
      '"VALID","N820","CSV-2",,,',
    ].join('\r\n');
    const { code, stdout, stderr } = await run(['import', await fileOf('a.CSV', csv)]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^line 5 refused\n {2}declarantNumber: must be 9 to 11 digits \(FORMAT\)\n/,
    );
    assert.match(stdout, /^4 lines: 3 registered, 1 refused\./);
    const results = await run(['import', '-', '--format', 'csv', '--json'], csv);
    const statuses = results.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ line, status }) => `${line} ${status}`);
    assert.deepEqual(statuses, ['2 UNCHANGED', '4 UNCHANGED', '5 REFUSED', '6 UNCHANGED']);
  });

  it('refuses what is no such CSV, and says why', async () => {
    const cases: [string, RegExp][] = [
      ['kind,number,state\n', /has a column "number"; its columns must be of kind, /],
      ['kind,reference_number\n', /has no column state/],
      ['kind,state,state\n', /has the column state twice/],
      ['kind,state\nVOEC\n', /is no CSV of reference documents: /],
      [`kind,state\n"${'x'.repeat(5000)}`, /is no CSV of reference documents: /],
    ];
    for (const [csv, message] of cases) {
      const { code, stderr } = await run(['import', await fileOf('b.csv', csv)]);
      assert.equal(code, 1, csv);
      assert.match(stderr, message);
    }
    const absent = await run(['import', join(folder, 'absent.csv')]);
    assert.match(absent.stderr, /^error: cannot read \S+absent\.csv \(ENOENT\)\n$/);
  });

  it('converts a CSV wherever its pieces end', async () => {
    const bytes = Buffer.from('kind,state,reference_number\nVOEC,VALID,"Ø\n1"\n\nN820,INVALID,2');
    const convert = async (size: number) => {
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const lines: string[] = [];
      for await (const line of csvToLines(pieces(), 'x.csv')) lines.push(String(line));
      return lines.join('');
    };
    const whole = await convert(bytes.length);
    const [header, , declared, blank, other] = whole.split('\n');
    assert.deepEqual([header, blank], ['', '']);
    assert.deepEqual(JSON.parse(declared ?? '').kind, 'VOEC');
    assert.deepEqual(JSON.parse(other ?? '').kind, 'N820');
    for (const size of [1, 3, 7]) assert.equal(await convert(size), whole);
  });
});

describe('reference-document list', () => {
  it('lists by kind and beginning, and names the next command', async () => {
    const lines = [1, 2, 3].map((number) =>
      JSON.stringify({ kind: 'VOEC', referenceNumber: `L${number}`, state: 'VALID' }),
    );
    await run(['import', '-'], lines.join('\n'));
    const { stdout } = await run(['list', '--kind', 'VOEC', '--reference', 'l', '--limit', '2']);
    assert.match(stdout, /^kind +reference +state +changed\nVOEC +L1 +VALID .*\nVOEC +L2 +VALID /);
    assert.match(
      stdout,
      /\nMore results: .* reference-document list --kind VOEC --reference l --limit 2 --marker VOEC:L2 --data /,
    );
    const rest = await run(['list', '--reference', 'L', '--marker', 'VOEC:L2', '--json']);
    const [last, ...others] = JSON.parse(rest.stdout);
    assert.deepEqual([last.referenceNumber, others], ['L3', []]);
    assert.match((await run(['list', '--reference', 'none'])).stdout, /^No documents\.\n$/);
    const refused = await run(['list', '--kind', 'X']);
    assert.match(refused.stderr, /Allowed choices are CUDE, /);
  });
});
