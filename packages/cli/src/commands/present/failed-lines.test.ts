// What failed is in the file of failures as it was: presented without a correction, it fails again and presents nothing else.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MemoryJournal } from '@landfall/client';
import { keysOf, presentationLevels } from '@landfall/contract';
import { claimJournal } from '../../lists/claim-journal.js';
import { FailedFile } from '../../lists/failed-file.js';
import { ERROR_COLUMN } from '../../lists/list.js';
import { columnsOf } from './list-columns.js';
import { withKeys } from './present-list.js';
import { readList } from './read-list.js';

const folder = await mkdtemp(join(tmpdir(), 'landfall-failed-'));
after(() => rm(folder, { recursive: true }));

const OFFICE = 'NO351001';
const long = 'x'.repeat(70_000);

/** Of a level, values that are accepted, by the columns. */
const values: Record<string, string> = {
  documentNumber: 'HC001',
  type: 'N740',
  mrn: '23NO00000000000004',
  containerId: 'JARU0000010',
  receptacleId: 'GBASFZMLBKONAUN30001001019999',
};

for (const level of keysOf(presentationLevels)) {
  const columns = columnsOf(level).filter((name) => name in values);
  const line = columns.map((name) => values[name]).join(',');
  const invalidCsv = [
    `${line},2`,
    `,${line}`,
    `${line},"${line}`,
    `"${line}`,
    long,
    ',',
    ...(columns.length > 1 ? [columns.slice(1).join(',')] : []),
  ];
  const invalidJson = ['{', '[]', 'null', '"x"', `{"x":"${long}"}`, '{"requestId":"1"}', '{}'];
  for (const [form, header, invalid] of [
    ['csv', `${columns.join(',')}\n${line}\n`, invalidCsv],
    ['ndjson', '{}\n', invalidJson],
  ] as const) {
    test(`${level}, ${form}: lines that failed stay failed, and are all there`, async () => {
      const [file, failedFile] = [
        join(folder, `${level}.${form}`),
        join(folder, `f-${level}.${form}`),
      ];
      await writeFile(file, `${header}${invalid.join('\n')}\n`);
      const list = await readList(file, level, OFFICE);
      assert(list.invalid.length >= invalid.length - 1);
      const failed = await FailedFile.open(failedFile, list.form, columnsOf(level));
      for (const each of list.invalid) failed.addInvalid(each);
      assert.equal(failed.close(true).lines, list.invalid.length);
      const again = await readList(failedFile, level, OFFICE);
      assert.deepEqual(again.presentations, []);
      assert.equal(again.invalid.length, list.invalid.length);
      if (form === 'csv') {
        assert(again.invalid.every(({ fields }) => fields.get(ERROR_COLUMN) !== ''));
      }
    });
  }
}

test('a journal is of the office of lines that have none', async () => {
  const file = join(folder, 'office.csv');
  const claim = async (journal: MemoryJournal, text: string, office: string) => {
    await writeFile(file, text);
    const list = withKeys(await readList(file, 'container', office));
    await claimJournal(journal, 'me', list, { path: 'j' });
  };
  const journal = new MemoryJournal();
  const own = 'containerId,customsOfficeOfPresentation\nJARU0000010,NO351001\n';
  await claim(journal, own, 'NO000001');
  await claim(journal, own, 'NO000002');
  await claim(journal, 'containerId\nJARU0000010\n', 'NO351001');
  await claim(journal, 'containerId\nJARU0000010\n', 'NO351001');
  await assert.rejects(
    claim(journal, 'containerId\nJARU0000010\n', 'NO342001'),
    /was begun with --office NO351001, and with NO342001/,
  );
});
