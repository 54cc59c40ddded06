// `landfall movement`: lodging, replacing, cancelling and reading, one message and many, with responses that are lost.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startLossyProxy } from '../../testing/lossy-proxy.js';
import { houseMessage } from '../../testing/movement-messages.js';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const playground = await startPlayground(data);
after(() => playground.close());
const proxy = await startLossyProxy(playground.baseUrl);
proxy.path = '/movement/road/';

const MRN = /\b\d{2}NO\w{14}\b/;
const incomplete = (number: string) => houseMessage(number, { importProcedure: undefined });

const run = (line: string, input: unknown = '') =>
  runCommand(['movement', ...line.split(' '), '--data', data], {
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });

function write(name: string, messages: readonly object[]): string {
  const file = join(folder, name);
  writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  return file;
}

async function json(line: string, input: unknown = '') {
  const { code, stdout, stderr } = await run(`${line} --json`, input);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** How many requests about movement messages are recorded. */
const countStatuses = async () => (await json('status list')).length;

describe('one message', () => {
  it('is lodged incomplete, replaced with what was missing, shown, listed and cancelled', async () => {
    const lodged = await run('lodge --mode road --file -', incomplete('ONE'));
    assert.equal(lodged.code, 0, lodged.stderr);
    const [mrn = ''] = MRN.exec(lodged.stdout) ?? [];
    assert.match(lodged.stdout, /^Lodged, and incomplete\. MRN /);
    assert.match(
      lodged.stdout,
      /^ {2}incomplete: consignmentHouseLevel\.importProcedure\.importProcedure: an import procedure is needed \(INCOMPLETE_DOCUMENTATION\)$/m,
    );
    assert.match(
      lodged.stdout,
      new RegExp(`^Next: .*movement replace house-consignment ${mrn} --mode road --file FILE`, 'm'),
    );
    const replace = `replace house-consignment ${mrn} --mode road --file -`;
    const replaced = await run(replace, houseMessage('ONE'));
    assert.match(replaced.stdout, new RegExp(`^Replaced\\. MRN ${mrn}, .*\\nNext: .*show`));

    const ofRoad = `house-consignment ${mrn} --mode road`;
    assert.match((await run(`show ${ofRoad}`)).stdout, /^CURRENT .*[\s\S]*"Wooden chairs"/);
    const { message, complete } = await json(`show ${ofRoad}`);
    assert.equal(complete, true);
    assert.equal(message.consignmentHouseLevel.transportDocumentHouseLevel.documentNumber, 'ONE');
    const table = await run('list house-consignment --mode road --document ONE');
    assert.match(table.stdout, new RegExp(`\\n${mrn} +CURRENT +ONE N730 +yes `));

    const cancelled = await run(`cancel ${ofRoad}`);
    assert.match(cancelled.stdout, new RegExp(`^Cancelled\\. MRN ${mrn}, requestId \\S+\\n$`));
    const [found] = await json('list house-consignment --mode road --document ONE');
    assert.equal(found.state, 'CANCELLED');
    const current = 'list house-consignment --mode road --document ONE --state CURRENT';
    assert.match((await run(current)).stdout, /^No messages of carrier match\.\n$/);
  });

  it('is refused at once or by its status, with every rule that it breaks', async () => {
    const before = await countStatuses();
    const atOnce = await run(
      'lodge --mode road --file -',
      houseMessage('BAD', { totalGrossMass: -1, goodsDescription: '' }),
    );
    assert.equal(atOnce.code, 1);
    assert.match(atOnce.stderr, /refused at once: nothing was sent\n/);
    assert.match(atOnce.stderr, /goodsDescription: must not be blank \(REQUIRED\)\n/);
    assert.match(atOnce.stderr, /totalGrossMass: numeric value out of bounds/);
    assert.equal(await countStatuses(), before);

    const wrong = houseMessage('BAD', { containerIndicator: '9', placeOfDelivery: {} });
    const byStatus = await run('lodge --mode road --file - --json', wrong);
    assert.equal(byStatus.code, 1);
    const { error } = JSON.parse(byStatus.stderr);
    assert.deepEqual(
      error.validationErrors.map(({ field, code }: { field: string; code: string }) => [
        field.split('.').at(-1),
        code,
      ]),
      [
        ['containerIndicator', 'UNKNOWN_CODE'],
        ['unloCode', 'REQUIRED'],
      ],
    );
    const view = `status view house-consignment ${error.requestId} --mode road`;
    assert.match(
      (await run(view)).stdout,
      /^FAILURE {2}[\w-]+\n {2}operation {2}LODGE\n[\s\S]*unloCode: If location AND address/,
    );
    assert.match((await run('status list')).stdout, /\(UNKNOWN_CODE\)/);
  });

  it('is lodged once when the response is lost', async () => {
    const before = await countStatuses();
    proxy.losses = 1;
    const settled = await run(
      `lodge --mode road --file - --url ${proxy.url}`,
      houseMessage('LOST'),
    );
    assert.equal(settled.code, 0, settled.stderr);
    assert.match(settled.stdout, /^Lodged\. MRN /);
    assert.equal(proxy.losses, 0);
    assert.equal(await countStatuses(), before + 1);
  });

  it('is of the mode and level that are given, and needs one file', async () => {
    for (const [line, input, expected, error] of [
      ['lodge --mode road --file -', '', 1, /no messages in standard input/],
      ['lodge --mode lorry --file -', '', 2, /Allowed choices are road/],
      ['lodge lorry --mode road --file -', '', 2, /Allowed choices are transport/],
      ['lodge --file -', '', 2, /required option '--mode/],
      ['lodge --mode road', '', 2, /required option '--file/],
      ['lodge --mode road --file - --request-id 1', '', 2, /must be a UUID/],
      ['lodge --mode road --file -', {}, 1, /members do not show whether it is a transport/],
      [
        'lodge transport --mode road --file -',
        {},
        1,
        /activeBorderTransportMeans: must not be null/,
      ],
      ['show transport 26NO7K2M4Q9XWR5HT0 --mode road', '', 1, /refused \(404/],
      ['cancel transport 26NO7K2M4Q9XWR5HT0 --mode road', '', 1, /refused \(404/],
      [
        'status view transport 26NO7K2M4Q9XWR5HT0 --mode road',
        '',
        2,
        /for the message: .*movement show/,
      ],
      [
        'lodge --mode rail --file - --as haulier',
        houseMessage('RAIL'),
        1,
        /needs the scope .*rail/,
      ],
    ] as const) {
      const { code, stderr } = await run(line, input);
      assert.equal(code, expected, `${line}: ${stderr}`);
      assert.match(stderr, error);
    }
  });
});

describe('many messages', () => {
  it('are lodged once, with an outcome for each; what failed can be corrected', async () => {
    const before = await countStatuses();
    const wrong = houseMessage('MANY3', { containerIndicator: '9' });
    const file = write('many.ndjson', [houseMessage('MANY1'), incomplete('MANY2'), wrong]);
    const failed = join(folder, 'failed.ndjson');
    const lodge = `lodge --mode road --file ${file} --failed ${failed}`;
    const first = await run(lodge);
    assert.equal(first.code, 1);
    assert.match(first.stdout, /^line 1 {2}\S{18}$/m);
    assert.match(first.stdout, /^line 2 {2}\S{18} {2}incomplete: INCOMPLETE_DOCUMENTATION$/m);
    assert.match(first.stdout, /^3 messages: 2 lodged, 1 refused\. /m);
    assert.match(first.stderr, /^line 3 refused\n.*containerIndicator: .*\(UNKNOWN_CODE\)$/m);
    assert.match(first.stderr, /what is lodged is not lodged twice/);
    const again = await run(`${lodge} --json`);
    const lines = again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((a, b) => a.line - b.line);
    assert.deepEqual(
      lines.map(({ line, status }) => [line, status]),
      [
        [1, 'LODGED'],
        [2, 'LODGED'],
        [3, 'REFUSED'],
      ],
    );
    assert.match(lines[0].mrn, MRN);
    assert.deepEqual(lines[1].incompleteDocumentationReasonList, ['INCOMPLETE_DOCUMENTATION']);
    // What was lodged is not sent again, and what was refused is.
    assert.equal(await countStatuses(), before + 4);

    const corrected = readFileSync(failed, 'utf8').replace('"9"', '"0"');
    assert.match(corrected, /"error":"\S+containerIndicator /);
    writeFileSync(failed, corrected);
    const rest = await run(`lodge --mode road --file ${failed} --journal ${failed}.journal`);
    assert.equal(rest.code, 0, rest.stderr);
    assert.match(rest.stdout, /^1 message: 1 lodged\. /m);
  });

  it('are settled after a lost response, and not lodged again by the next run', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => `RESUMED${index}`);
    const file = write(
      'resumed.ndjson',
      numbers.map((number) => houseMessage(number)),
    );
    proxy.losses = 1;
    const lodge = `lodge house-consignment --mode road --file ${file}`;
    const settled = await run(`${lodge} --url ${proxy.url} --journal ${file}.other`);
    assert.equal(settled.code, 0, settled.stderr);
    assert.match(settled.stdout, /^30 messages: 30 lodged\./m);
    const again = await run(`${lodge} --url ${proxy.url} --journal ${file}.other`);
    assert.match(again.stdout, /^30 messages: 30 lodged \(30 by an earlier run\)/m);
    const found = await json('list house-consignment --mode road --state CURRENT');
    const listed = found.filter(({ document }: { document: { documentNumber: string } }) =>
      document.documentNumber.startsWith('RESUMED'),
    );
    assert.equal(listed.length, 30);
  });

  it('are checked before the first is sent', async () => {
    const before = await countStatuses();
    const bad = houseMessage('CHECKED2', { goodsDescription: '' });
    const file = write('checked.ndjson', [houseMessage('CHECKED1'), bad]);
    const { code, stderr } = await run(`lodge --mode road --file ${file}`);
    assert.equal(code, 1);
    assert.match(stderr, /^line 2 is invalid\n.*goodsDescription: must not be blank \(REQUIRED\)/);
    assert.match(stderr, /1 of 2 messages cannot be lodged\. Nothing was sent\./);
    assert.equal(await countStatuses(), before);
    const skipped = await run(`lodge --mode road --file ${file} --skip-invalid`);
    assert.match(skipped.stdout, /^2 messages: 1 lodged, 1 invalid and not sent\./m);
    assert.equal(await countStatuses(), before + 1);
  });

  it('are followed by their statuses', async () => {
    const { stdout } = await run('status follow --marker start --limit 2 --json');
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ operation }) => operation),
      ['LODGE', 'REPLACE'],
    );
  });
});
