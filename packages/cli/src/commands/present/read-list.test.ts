// Every line of a list is read, or named with what is wrong with it.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { PresentationPath } from '@landfall/contract';
import fc from 'fast-check';
import { duration, ListCounts } from '../../lists/list-counts.js';
import { CommandFailedError } from '../../process/exit.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';
import { fieldsOf } from './list-columns.js';
import { PRESENTED } from './present-list.js';
import { readList } from './read-list.js';

const file = join(await makeTemporaryFolder(), 'list');
const office = 'NO351001';
const HOUSE = 'house-consignment';

async function read(text: string | Buffer, level: PresentationPath = HOUSE) {
  await writeFile(file, text);
  return readList(file, level, office);
}

/** Each broken rule as `line column: code`. */
async function broken(text: string | Buffer, level?: PresentationPath): Promise<string[]> {
  const { invalid } = await read(text, level);
  return invalid.flatMap(({ line, errors }) =>
    errors.map(({ field, code }) => `${line} ${field || 'line'}: ${code}`),
  );
}

const house = (documentNumber: string, more: object = {}) => ({
  customsOfficeOfPresentation: office,
  transportDocumentHouseLevel: { documentNumber, type: 'N740' },
  ...more,
});

describe('CSV', () => {
  it('has columns in any order, with any of three delimiters, quotes and a byte order mark', async () => {
    for (const delimiter of [',', ';', '\t']) {
      const row = (...fields: string[]) => fields.join(delimiter);
      const text = `\ufeff${row('type', 'documentNumber', 'mrn')}\r\n${row('N740', '"A, ; ""1"""', '')}\r\n\r\n${row('N740', ' B ', '23NO00000000000003')}`;
      const { presentations, lines, invalid } = await read(text);
      assert.deepEqual(invalid, []);
      assert.deepEqual(lines, [2, 4]);
      assert.deepEqual(presentations, [
        house('A, ; "1"'),
        house('B', { mrn: '23NO00000000000003' }),
      ]);
    }
  });

  it('has the columns of its level', async () => {
    const cases: [PresentationPath, string, object][] = [
      ['container', 'containerId\nJARU0000010', { containerId: 'JARU0000010' }],
      [
        'receptacle',
        'receptacleId\nGBASFZMLBKONAUN30001001019999',
        { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
      ],
      ['entry-summary-declaration', 'mrn\n23NO00000000000005', { mrn: '23NO00000000000005' }],
      [
        'master-consignment',
        'documentNumber,type\nMAWB0003,N741',
        { transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' } },
      ],
    ];
    for (const [level, text, reference] of cases) {
      const { presentations } = await read(text, level);
      assert.deepEqual(presentations, [{ customsOfficeOfPresentation: office, ...reference }]);
    }
  });

  it('names the line and column of each broken rule', async () => {
    const header = 'documentNumber,type,mrn,customsOfficeOfPresentation,error\n';
    assert.deepEqual(
      await broken(
        `${header}A,N740,,,\n,N740,,,\nB,X1,12,,earlier reason\n${'x'.repeat(300)},N740,,SE003030,\nC,N740\nD,"N740,,,\nE,N740,,,\n`,
      ),
      [
        '3 documentNumber: REQUIRED',
        '4 type: UNKNOWN_CODE',
        '4 mrn: FORMAT',
        '5 documentNumber: SIZE',
        '6 line: FORMAT',
        '7 line: FORMAT',
      ],
    );
  });

  it('has an outcome for each line that is not blank, and presents all that a line has', async () => {
    const pieces = [
      'A,N740',
      'B,N740',
      ',',
      '"',
      '""',
      '\r',
      '\r\n',
      '\n',
      ' ',
      '\ufeff',
      '\u2028',
    ];
    const piece = fc.constantFrom(...pieces);
    /** What a line has, without what separates or quotes it. */
    const contentOf = (text: string) => text.replace(/[",\s\ufeff]/g, '');
    const property = fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (found) => {
      const text = `documentNumber,type\n${found.join('')}`;
      const all = text.split('\n');
      const { presentations, lines, invalid } = await read(text);
      const expected = all.flatMap((line, index) =>
        index > 0 && /[^ \t\r]/.test(line) ? [index + 1] : [],
      );
      const named = [...lines, ...invalid.map(({ line }) => line)];
      assert.deepEqual(
        named.sort((one, other) => one - other),
        expected,
      );
      for (const [index, presentation] of presentations.entries()) {
        const fields = Object.fromEntries(fieldsOf(presentation));
        const line = all[(lines[index] ?? 0) - 1] ?? '';
        assert.equal(contentOf(`${fields.documentNumber}${fields.type}`), contentOf(line));
      }
    });
    await fc.assert(property, { numRuns: 400 });
  });

  it('names a line with a carriage return in it', async () => {
    assert.deepEqual(await broken('documentNumber,type\nA,N740\rB,N740\nC,"N7\r40"\nD,N740\r\n'), [
      '2 line: FORMAT',
      '3 line: FORMAT',
    ]);
  });

  it('names a line that is not UTF-8', async () => {
    const text = Buffer.concat([
      Buffer.from('documentNumber,type\nA,N740\n'),
      Buffer.from([0xe6]),
      Buffer.from(',N740\nB,N740\n'),
    ]);
    assert.deepEqual(await broken(text), ['3 line: FORMAT']);
  });

  const headers: [string, RegExp][] = [
    ['', /is empty/],
    [
      'A,N740\nB,N740',
      /no column documentNumber\n.*no column type\n.*"A" is no column: they are documentNumber, type, mrn/,
    ],
    ['documentNumber,type,type\n', /type must be there once/],
    ['documentNumber\nA', /there is no column type/],
    ['"documentNumber,type\n', /quotation mark/],
    ['[{"a":1}]', /is a JSON array/],
    // As an old spreadsheet writes it: one line for this reader.
    ['documentNumber,type\rA,N740\rB,N740\r', /line 1: has a carriage return within it/],
  ];
  for (const [text, message] of headers) {
    it(`is refused with the header ${JSON.stringify(text)}`, async () => {
      await assert.rejects(
        read(text),
        (error) => error instanceof CommandFailedError && message.test(error.message),
      );
    });
  }
});

describe('NDJSON', () => {
  it('has the bodies of presentations', async () => {
    const { presentations, lines } = await read(
      '{"transportDocumentHouseLevel":{"documentNumber":"A","type":"N740"},"mrn":null,"error":"earlier"}\n\n{"transportDocumentHouseLevel":{"documentNumber":"B","type":"N740"},"customsOfficeOfPresentation":"SE003030"}',
    );
    assert.deepEqual(lines, [1, 3]);
    assert.deepEqual(presentations, [
      house('A'),
      house('B', { customsOfficeOfPresentation: 'SE003030' }),
    ]);
  });

  it('names the line and member of each broken rule', async () => {
    assert.deepEqual(
      await broken(
        '{"containerId":"JARU0000010"}\n{"containerId":"JARU0000011"}\n{"containerId":"JARU0000010","requestId":"x"}\n{"container":"JARU0000010"}\n[]\n{\n',
        'container',
      ),
      [
        '2 containerId: FORMAT',
        '3 requestId: UNKNOWN_MEMBER',
        '4 container: UNKNOWN_MEMBER',
        '5 line: FORMAT',
        '6 line: FORMAT',
      ],
    );
  });
});

it('progress has the rate, the time left and what was refused', () => {
  const counts = new ListCounts(2000, 0, PRESENTED);
  assert.match(counts.progress(), /^0 of 2,000 \(0 %\), 0\/s$/);
  const given = { isUnknown: false, isFromJournal: false, settled: false };
  for (let index = 0; index < 1000; index++) {
    counts.add({ key: `${index}`, outcome: index < 999 ? 'presented' : 'refused', ...given });
  }
  assert.match(counts.progress(), /^1,000 of 2,000 \(50 %\), [\d,]+\/s, \d+ s left, 1 refused$/);
  assert.equal(duration(7500), '2 h 5 min');
  assert.equal(duration(200), '3 min 20 s');
  assert.equal(duration(11.2), '12 s');
});
