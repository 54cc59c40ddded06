// `landfall movement view`, `documents` and `entry`: what a transport reaches, what is missing, and whether it may be unloaded.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CARRIER, houseMessage, transportMessage } from '../../testing/movement-messages.js';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
const playground = await startPlayground(data);
after(() => playground.close());

const documentOf = (documentNumber: string) => ({ documentNumber, type: 'N730' });
const { consignmentHouseLevel: example, documentIssueDate } = houseMessage('EXAMPLE');
const { consignor, consignee } = example;

const run = (line: string, input: unknown = '') =>
  runCommand(['movement', ...line.split(' '), '--mode', 'road', '--data', data], {
    input: JSON.stringify(input),
  });

async function lodge(level: string, message: object): Promise<string> {
  const { code, stdout, stderr } = await run(`lodge ${level} --file - --json`, message);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout).mrn;
}

const master = (number: string, carrier = CARRIER) =>
  lodge('master-consignment', {
    documentIssueDate,
    consignmentMasterLevel: {
      transportDocumentMasterLevel: documentOf(number),
      carrier: { identificationNumber: carrier },
      containerIndicator: '0',
      grossMass: 100,
      consignor,
      consignee,
    },
  });
const house = (number: string, above: string, more: object = {}) =>
  lodge(
    'house-consignment',
    houseMessage(number, {
      consignmentMasterLevel: {
        carrierIdentificationNumber: CARRIER,
        transportDocumentMasterLevel: documentOf(above),
      },
      ...more,
    }),
  );
const transport = (means: string, masters: readonly string[], houses: readonly string[] = []) =>
  lodge('transport', transportMessage(means, masters, houses));

test('the tree says what is missing where, and which master has another carrier', async () => {
  const mrn = await transport('VIEW1', ['VM1', 'VM2', 'VM3'], ['VD']);
  const first = await master('VM1');
  const other = await master('VM2', 'NO777777777');
  await house('VH1', 'VM1');
  await house('VH2', 'VM1', { importProcedure: undefined });
  const { code, stdout, stderr } = await run(`view ${mrn}`);
  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    `transport ${mrn}  master consignments 100 kg, house consignments 25 kg
├─ VM1 N730  100 kg, house consignments 25 kg
│  ├─ VH1 N730  12.5 kg
│  └─ VH2 N730  12.5 kg, a procedure or its document is missing (INCOMPLETE_DOCUMENTATION)
├─ VM2 N730  not reached: ${other} has this document, and names the carrier NO777777777
├─ VM3 N730  not lodged
└─ VD N730  not lodged
Missing: 3 not lodged, 1 incomplete.
`,
  );
  const tree = JSON.parse((await run(`view ${mrn} --json`)).stdout);
  assert.equal(tree.masterConsignments.length, 3);
  const below = await run(`view ${first} --level master-consignment`);
  assert.match(
    below.stdout,
    /^VM1 N730 {2}100 kg, .*\n├─ VH1 .*\n└─ VH2 .*\nMissing: 1 incomplete\.\n$/,
  );
  assert.match((await run(`view ${first}`)).stderr, /no message/);

  const masters = await run(`documents transport ${mrn} --masters`);
  assert.match(
    masters.stdout,
    /VM1 +N730 +yes +INCOMPLETE\nVM2 +N730 +no +INCOMPLETE\nVM3 +N730 +no +INCOMPLETE\n/,
  );
  const all = await run(`documents transport ${mrn}`);
  assert.match(
    all.stdout,
    /VH1 +N730 +yes +SUCCESS\nVH2 +N730 +yes +INCOMPLETE\n {4}incomplete: .*\nVD +N730 +no +INCOMPLETE\n/,
  );
  const named = `--document VM1 --type N730 --carrier ${CARRIER}`;
  const listed = (await run(`documents master-consignment ${first} --json`)).stdout;
  assert.equal((await run(`documents master-consignment ${named} --json`)).stdout, listed);
  const one = await run(
    `documents house-consignment --document VH1 --type N730 --carrier ${CARRIER}`,
  );
  assert.match(one.stdout, /VH1 +N730 +yes +SUCCESS\n/);
  assert.equal((await run('documents receptacle NONE')).stdout, 'There are no consignments.\n');
  for (const line of [
    'documents transport',
    'documents receptacle X --masters',
    'documents house-consignment --document VH1',
    `documents transport ${named}`,
    `documents house-consignment ${first} ${named}`,
  ]) {
    assert.equal((await run(line)).code, 2, line);
  }
});

test('the entry says why goods may not be unloaded, and ends with the code of what is pending', async () => {
  const mrn = await transport('VIEW2', ['VN1']);
  const now = await run(`entry ${mrn}`);
  assert.equal(now.stdout, '');
  assert.match(
    now.stderr,
    /may not be unloaded: the transport has not arrived \(NOT_ARRIVED\); no house consignment is lodged for it \(NOTHING_LODGED\); a document that it names is not lodged \(DOCUMENT_NOT_LODGED\)\.\nTo wait: .*movement entry .* --wait/,
  );
  const pending = await run(`entry ${mrn} --wait --within 1`);
  assert.deepEqual([pending.code, now.code], [now.code, pending.code]);
  assert.notEqual(now.code, 0);
  assert.match(pending.stderr, /not yet: /);
  const json = await run(`entry ${mrn} --json`);
  assert.equal(JSON.parse(json.stdout.split('\n}\n')[0]?.concat('\n}') ?? '').validEntry, false);
  assert.equal((await run(`entry ${mrn} --within 1`)).code, 2);
});
