// `landfall dataset generate` and `view`: reproducible files, a picture of 80 columns, and every invalid line reported.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../../testing/run-command.js';
import { startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const run = (line: string, input?: string) =>
  runCommand(['dataset', ...line.split(' ')], input === undefined ? {} : { input });

describe('dataset generate', () => {
  it('writes the same file for the same seed, and nothing else into the folder', async () => {
    const file = join(folder, 'quay.ndjson');
    const { code, stdout, stderr } = await run(
      `generate ferry-quay --houses 200 --seed 3 --output ${file}`,
    );
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /^generated 200 house consignments in \S+ \(ferry-quay, seed 3\)\n$/);
    const onStdout = await run('generate ferry-quay --houses 200 --seed 3');
    assert.equal(await readFile(file, 'utf8'), onStdout.stdout);
    assert.notEqual(
      (await run('generate ferry-quay --houses 200 --seed 4')).stdout,
      onStdout.stdout,
    );
    assert.deepEqual(await readdir(folder), ['quay.ndjson']);
  });

  it('has sizes for each kind of site', async () => {
    const counts: number[] = [];
    for (const kind of ['airport', 'post-terminal', 'ferry-quay', 'road-border']) {
      const { stdout } = await run(`generate ${kind} --size small`);
      const { stdout: viewed } = await run('view - --json', stdout);
      counts.push(JSON.parse(viewed).houseConsignments);
    }
    assert.deepEqual(counts, [400, 2000, 125, 250]);
  });

  it('reports wrong options, and a file that cannot be written, and leaves nothing behind', async () => {
    for (const [line, expected] of [
      ['generate harbour', /'harbour' is invalid.*airport, post-terminal, ferry-quay, road-border/],
      ['generate airport --size huge', /'huge' is invalid.*small, medium, large/],
      ['generate airport --houses -1', /--houses.*whole number from 0 to 9999999/],
      ['generate airport --seed x', /--seed.*whole number/],
    ] as const) {
      const { code, stderr } = await run(line);
      assert.equal(code, 2, line);
      assert.match(stderr, expected);
    }
    const file = join(folder, 'missing', 'quay.ndjson');
    const { code, stderr } = await run(`generate airport --houses 5 --output ${file}`);
    assert.equal(code, 1);
    assert.match(stderr, /^error: cannot write \S+ \(ENOENT\)\n$/);
  });

  it('exits silently when the reader closes the pipe', async () => {
    const making = startLandfall(['dataset', 'generate', 'airport', '--houses', '9999999']);
    await making.printed(/\n/);
    making.process.stdout?.destroy();
    const { code, stderr } = await making.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });
});

describe('dataset view', () => {
  it('draws numbers, offices, hours, presenters and an example in 80 columns', async () => {
    const { stdout: dataset } = await run('generate post-terminal --houses 3000 --seed 2');
    const { code, stdout } = await run('view -', dataset);
    assert.equal(code, 0);
    for (const line of stdout.split('\n')) assert(line.length <= 80, line);
    assert.match(stdout, /^post-terminal-2\n/);
    assert.match(stdout, /house consignments +3,000\n/);
    assert.match(stdout, /\n {2}NO351001 Gardermoen +[\d,]+ {2}█+\n/);
    assert.match(stdout, /\n {2}0\d:00 +[\d,]+ {2}█+\n/);
    assert.match(stdout, /\n {2}post-operator-1 +[\d,]+ {2}█+\n/);
    assert.match(
      stdout,
      /\n {2}├─ master N741 \d{11}, receptacle \w{29}\n {2}│ {2}├─ \w{4} \w{13}/,
    );
  });

  it('counts what a file contains', async () => {
    const mrn = '26NO00000000000001';
    const house = (documentNumber: string, members = {}) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N703' },
      ...members,
    });
    const master = { transportDocumentMasterLevel: { documentNumber: 'M1', type: 'N741' } };
    const lines = [
      {
        mrn,
        customsOfficeOfFirstEntry: 'NO342001',
        declarant: '0192:310000086',
        carrier: 'NTRSE-1',
        estimatedTimeOfArrival: '2026-01-15T23:59:00Z',
        houseConsignments: [house('H1', { ...master, routing: 'TO_CONTROL' }), house('H2', master)],
      },
      {
        mrn,
        houseConsignment: house('H3', {
          containerId: ['JARU0000010', 'JARU0000026'],
          harmonizedSystemSubheadingCode: ['640399', '640391', '240220'],
        }),
      },
      { decision: { mrn, ...house('H2'), routing: 'TO_ENTRY' } },
      { identity: { name: 'line', organisation: 'NTRSE-1', organisationName: 'Line AB' } },
      { scenario: { kind: 'lost-response', identity: 'line' } },
    ];
    const file = join(folder, 'small.ndjson');
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { code, stdout } = await run(`view ${file} --json`);
    assert.equal(code, 0);
    const { hours, identities, example, ...counts } = JSON.parse(stdout);
    assert.equal(hours[23], 3);
    assert.deepEqual(identities, [
      { name: 'line', organisation: 'NTRSE-1', organisationName: 'Line AB' },
    ]);
    assert.equal(example.declaration.mrn, mrn);
    assert.deepEqual(
      example.groups.map((group: { houseConsignments: number }) => group.houseConsignments),
      [2, 1],
    );
    const three = (name: string) => [{ name, houseConsignments: 3 }];
    assert.deepEqual(counts, {
      lines: 5,
      declarations: 1,
      houseConsignments: 3,
      masterConsignments: 1,
      receptacles: 0,
      containers: 2,
      meansOfTransport: 0,
      declarants: 1,
      perMasterConsignment: { min: 2, median: 2, max: 2 },
      perContainer: { min: 1, median: 1, max: 1 },
      decidedInAdvance: { TO_ENTRY: 0, TO_CONTROL: 1, undecided: 2 },
      decisions: 1,
      scenarios: 1,
      referenceDocuments: 0,
      movements: { transports: 0, masterConsignments: 0, houseConsignments: 0 },
      offices: three('NO342001'),
      withoutArrival: 0,
      presenters: three('NTRSE-1'),
      documentTypes: three('N703'),
      chapters: [
        { name: '24', houseConsignments: 1 },
        { name: '64', houseConsignments: 1 },
      ],
    });
  });

  it('reports every invalid line with its number, the member and the rule, and counts the others', async () => {
    const { stdout: dataset } = await run('generate airport --houses 100');
    const input = `{"mrn":1,"houseConsignments":[]}\n${dataset}not JSON\n`;
    const { code, stdout, stderr } = await run('view -', input);
    assert.equal(code, 1);
    assert.match(stdout, /house consignments +100\n/);
    assert.match(stderr, /^line 1: mrn: must be a string \(FORMAT\)$/m);
    assert.match(stderr, /^line 1: declarant: must not be null \(REQUIRED\)$/m);
    assert.match(stderr, /^line 2: dataset: must be in the first line \(FORMAT\)$/m);
    assert.match(stderr, /^line \d+: line: must be valid JSON \(FORMAT\)$/m);
    assert.match(stderr, /^error: 3 of [\d,]+ lines are invalid\n$/m);
  });

  it('judges and counts the messages of a journey', async () => {
    const generated = 'movement generate lorry --incomplete 50 --dataset haulier';
    const { stdout: journey } = await runCommand(generated.split(' '));
    const whole = await run('view -', journey);
    assert.deepEqual([whole.code, whole.stderr], [0, '']);
    assert.match(
      whole.stdout,
      /\n {2}transports +1\n {2}masters lodged +2\n {2}houses lodged +12\n/,
    );
    const lines = journey.trim().split('\n');
    const late = lines.map((line) => line.replaceAll('"+2h"', '"-11m"'));
    const again = [...late, lines[1], lines[2]?.replace('haulier', 'nobody')].join('\n');
    const { code, stdout, stderr } = await run('view - --json', again);
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(stdout).movements, {
      transports: 0,
      masterConsignments: 2,
      houseConsignments: 12,
    });
    assert.deepEqual(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.replace(/^(line \d+: [^:]+): .*(?= \()/, '$1')),
      [
        'line 16: movement.message.estimatedDateAndTimeOfArrival (TIME_OUT_OF_RANGE)',
        'line 17: movement.message.consignmentHouseLevel.transportDocumentHouseLevel (DUPLICATE)',
        'line 18: movement.identity (REFERENCE_NOT_FOUND)',
        '{"error":{"ending":"FAILED","exitCode":1,"message":"3 of 18 lines are invalid"}}',
      ],
    );
  });

  it('accepts what authority generate prints', async () => {
    const { stdout: lines } = await runCommand('authority generate --houses 50'.split(' '));
    const { code, stdout } = await run('view -', lines);
    assert.equal(code, 0);
    assert.match(stdout, /house consignments +50\n/);
  });

  it('reports a file that cannot be read', async () => {
    const { code, stderr } = await run(`view ${join(folder, 'absent')}`);
    assert.equal(code, 1);
    assert.match(stderr, /^error: cannot read \S+absent \(ENOENT\)\n$/);
  });
});
