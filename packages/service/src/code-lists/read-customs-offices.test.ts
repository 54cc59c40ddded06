// Reading a list of customs offices: all of it is read, or every broken line is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCustomsOffices } from './read-customs-offices.js';

const readList = (csv: string) => readCustomsOffices(Buffer.from(csv));

/** The errors of a list as `field code: words`. */
async function errorsOf(csv: string): Promise<string[]> {
  const list = await readList(csv);
  return list.valid
    ? []
    : list.errors.map(({ field, code, error }) => `${field} ${code}: ${error}`);
}

test('columns may be in any order, quoted, after a byte order mark, with either line end', async () => {
  const csv =
    '\ufeffname,valid_to,reference_number,valid_from\r\n"Østby, ""old""",2026-12-31,NO374001,2020-01-01\r\nEda,,NO379903,\r\n';
  assert.deepEqual(await readList(csv), {
    valid: true,
    entries: [
      {
        referenceNumber: 'NO374001',
        name: 'Østby, "old"',
        validFrom: '2020-01-01',
        validTo: '2026-12-31',
      },
      { referenceNumber: 'NO379903', name: 'Eda' },
    ],
  });
});

test('every broken line is reported with its number', async () => {
  assert.deepEqual(
    await errorsOf(
      [
        'reference_number,name,valid_from,valid_to',
        'NO351001,Gardermoen,,',
        'NO35100,Short,,',
        '',
        ',,,',
        'NO351003,Eggemoen',
        'NO361001,Kristiansand,2026-02-30,never',
        'NO361002,Kjevik,2026-02-01,2026-01-31',
        'NO351001,Twice,,',
      ].join('\n'),
    ),
    [
      'line 3: reference_number FORMAT: must be a country code and six capital letters or digits',
      'line 5: reference_number REQUIRED: must not be blank',
      'line 5: name REQUIRED: must not be blank',
      'line 6 FORMAT: must have 4 fields, not 2',
      'line 7: valid_from FORMAT: must be a date that exists (YYYY-MM-DD)',
      'line 7: valid_to FORMAT: must be a date that exists (YYYY-MM-DD)',
      'line 8: valid_to FORMAT: must not be before valid_from',
      'line 9: reference_number FORMAT: NO351001 is already in line 2',
    ],
  );
});

test('missing, unknown and repeated columns are reported', async () => {
  assert.deepEqual(await errorsOf('reference_number,nam,nam\nNO351001,Gardermoen,x\n'), [
    'line 1: name REQUIRED: there must be such a column',
    'line 1: nam FORMAT: must be one of [reference_number, name, valid_from, valid_to]',
    'line 1: nam FORMAT: must be one of [reference_number, name, valid_from, valid_to]',
    'line 1: nam FORMAT: must be there once',
  ]);
});

test('an empty list is refused', async () => {
  for (const csv of ['', '\ufeff', '\n\n']) {
    assert.deepEqual(await errorsOf(csv), [' REQUIRED: the list is empty'], JSON.stringify(csv));
  }
  assert.deepEqual(await errorsOf('reference_number,name\n'), [
    ' REQUIRED: the list has no customs office',
  ]);
});

test('an unclosed quote does not extend to the end of the list', async () => {
  const [error, ...others] = await errorsOf(
    `reference_number,name\nNO351001,Gardermoen\nNO361001,"Kristiansand\n${'NO361002,Kjevik\n'.repeat(1000)}`,
  );
  assert.match(error ?? '', /^line 3 FORMAT: /);
  assert.deepEqual(others, []);
});

test('a name cannot contain what a text of the database cannot', async () => {
  assert.deepEqual(await errorsOf('reference_number,name\nNO351001,Garder\u0000moen\n'), [
    'line 2: name FORMAT: must not contain control or invisible characters',
  ]);
});

test('reading throws for no text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      await readList(text);
      await readList(`reference_number,name\n${text}`);
    }),
  );
});

test('a list is read the same wherever its parts end', async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `Office${' ø€😀'.repeat(index % 7)}`);
  const csv = `reference_number,name\n${names
    .map((name, index) => `XX${String(index).padStart(6, '0')},"${name}"`)
    .join('\r\n')}`;
  assert.ok(Buffer.byteLength(csv) > 100_000);
  const list = await readList(csv);
  assert.ok(list.valid);
  assert.deepEqual(
    list.entries.map(({ name }) => name),
    names,
  );
});

test('a list with too many errors, lines or characters in a line is refused, and other work has its turns', async () => {
  const { offices, errors, turns } = await new Promise<{
    offices: string[];
    errors: string[];
    turns: number;
  }>((resolve, reject) => {
    let turns = 0;
    let done = false;
    const turn = () => {
      turns++;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    const lines = Array.from({ length: 30_000 }, (_, index) => `XX${index + 100_000},Office\n`);
    Promise.all([
      errorsOf(`reference_number,name\n${lines.join('')}`),
      errorsOf(`reference_number,name\n${'a\n'.repeat(500_000)}`),
    ]).then(([offices, errors]) => {
      done = true;
      resolve({ offices, errors, turns });
    }, reject);
  });
  assert.deepEqual(offices, ['line 20002 SIZE: there must not be more than 20000 customs offices']);
  assert.equal(errors.length, 101);
  assert.ok(turns > 10, String(turns));
  assert.match(
    (await errorsOf(`reference_number,name\nNO351001,${'x'.repeat(2000)}\n`))[0] ?? '',
    /^line 2 FORMAT: /,
  );
});
