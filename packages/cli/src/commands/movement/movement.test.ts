// `landfall movement check` and `rules`: they work offline, on any number of messages.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { movementRules } from '@landfall/contract';
import { runCommand } from '../../testing/run-command.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();

const party = {
  name: 'Somebody',
  typeOfPerson: 1,
  address: { city: 'Oslo', country: 'NO', postcode: '0150', streetLine: 'Strandgata 1' },
};
const house = (documentNumber: string, more: object = {}) => ({
  documentIssueDate: '2026-05-04T07:00:00Z',
  consignmentHouseLevel: {
    transportDocumentHouseLevel: { documentNumber, type: 'N730' },
    containerIndicator: 0,
    totalGrossMass: 12.5,
    numberOfPackages: 1,
    goodsDescription: 'Wooden chairs',
    importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: 'FALSE' },
    consignor: party,
    consignee: party,
    ...more,
  },
});
const transport = (office: string) => ({
  documentIssueDate: '2026-05-04T07:00:00Z',
  activeBorderTransportMeans: {
    identificationNumber: 'AB12345',
    typeOfIdentification: 30,
    modeOfTransportCode: 3,
    typeOfMeansOfTransport: '31',
    countryCode: 'SE',
    operator: { name: 'Kim Berg', communication: [{ identifier: '+47', type: 'TE' }] },
  },
  carrier: {
    name: 'Carrier',
    identificationNumber: 'NO888888888',
    address: { city: 'Svinesund', country: 'NO' },
  },
  customsOfficeOfFirstEntry: { referenceNumber: office },
  estimatedDateAndTimeOfArrival: '2026-05-04T12:00:00Z',
  scheduledDateAndTimeOfArrival: '2026-05-04T12:00:00Z',
});

const check = (input: string, ...more: string[]) =>
  runCommand(['movement', 'check', '--mode', 'road', ...more], { input });

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('movement check', () => {
  it('accepts complete messages: lines, an array, one that spans several lines', async () => {
    const messages = [house('H1'), house('H2')];
    for (const [input, count] of [
      [messages.map((message) => JSON.stringify(message)).join('\n'), '2 messages: 2 accepted'],
      [JSON.stringify(messages, null, 2), '2 messages: 2 accepted'],
      [
        messages.map((message) => JSON.stringify(message, null, 2)).join('\n'),
        '2 messages: 2 accepted',
      ],
      [JSON.stringify(messages[0]), '1 message: 1 accepted'],
    ] as const) {
      assert.deepEqual(await check(input), { code: 0, stdout: `${count}\n`, stderr: '' });
    }
  });

  it('says what is missing, what is refused, and in which line', async () => {
    const lines = [
      house('H1', { importProcedure: undefined }),
      house('H2', { totalGrossMass: -1, goodsDescription: ' ' }),
      house('H3', { consignor: { ...party, address: { ...party.address, country: 'XX' } } }),
      { nothing: true },
    ];
    const input = [...lines.map((line) => JSON.stringify(line)), '{'].join('\n');
    const { code, stdout } = await check(input);
    assert.equal(code, 1);
    assert.equal(
      stdout,
      `line 1, incomplete: consignmentHouseLevel.importProcedure.importProcedure: an import procedure is needed (INCOMPLETE_DOCUMENTATION)
line 1, incomplete: consignmentHouseLevel.importProcedure.outgoingProcedure: an outgoing procedure is needed before the border, unless hasOutgoingProcedure is false (INCOMPLETE_DOCUMENTATION)
line 2, refused at once: consignmentHouseLevel.goodsDescription: must not be blank (REQUIRED)
line 2, refused at once: consignmentHouseLevel.totalGrossMass: numeric value out of bounds (<10 digits>.<6 digits> expected) (FORMAT)
line 3, refused by status: consignmentHouseLevel.consignor.address.country: Country is invalid (UNKNOWN_CODE)
line 4, refused at once: message: its members do not show whether it is a transport, a master or a house consignment, or a relation (FORMAT)
line 5, refused at once: message: must be valid JSON: each line is a whole value, and this one only begins one (FORMAT)
5 messages: 1 accepted and incomplete, 4 refused
`,
    );
    const json = await check(input, '--json', '--level', 'house-consignment');
    const results = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(json.code, 1);
    assert.deepEqual(results.at(-1), {
      summary: { messages: 5, accepted: 0, incomplete: 1, refused: 4 },
    });
    assert.deepEqual(results[0].missing[0], {
      rule: 'needs.procedure',
      field: 'consignmentHouseLevel.importProcedure.importProcedure',
      error: 'an import procedure is needed',
      code: 'INCOMPLETE_DOCUMENTATION',
    });
    assert.deepEqual(
      [results[1].accepted, results[1].phase, results[1].errorCount, results[1].line],
      [false, 'at once', 2, 2],
    );
  });

  it('finds two messages with one key, in several files', async () => {
    const first = await write('first.json', JSON.stringify(house('H1'), null, 2));
    const second = await write('second.ndjson', `${JSON.stringify(house('H1'))}\n`);
    const { code, stdout } = await check('', first, second);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^\S+second\.ndjson line 1, refused by status: \S+: Transport document H1 of type N730 is already in use \(DUPLICATE\)\n2 messages: 1 accepted, 1 refused\n$/,
    );
  });

  it('knows the national offices, or those of a list that are valid at the time', async () => {
    const at = ['--at', '2026-05-04T08:00:00Z'];
    const offices = await write(
      'offices.csv',
      'reference_number,name,valid_from,valid_to\nSE000001,One,,\nSE000002,Two,,2026-05-03\n',
    );
    const officeErrors = async (office: string, ...more: string[]) =>
      (await check(JSON.stringify(transport(office)), ...at, ...more)).stdout;
    assert.equal(await officeErrors('NO371001'), '1 message: 1 accepted\n');
    assert.match(await officeErrors('SE000001'), /Must be a valid customs office \(UNKNOWN_CODE\)/);
    assert.equal(await officeErrors('SE000001', '--offices', offices), '1 message: 1 accepted\n');
    for (const office of ['SE000002', 'NO371001']) {
      assert.match(await officeErrors(office, '--offices', offices), /Must be a valid/);
    }
    const late = await check(JSON.stringify(transport('NO371001')));
    assert.match(late.stdout, /has already passed \(TIME_OUT_OF_RANGE\)/);
  });

  it('knows the places of a list, else their form alone', async () => {
    const places = await write('places.csv', 'name,code\n"Oslo, city",NOOSL\n');
    const message = JSON.stringify(house('H1', { placeOfDelivery: { unloCode: 'NOBGO' } }));
    assert.equal((await check(message)).code, 0);
    assert.match((await check(message, '--places', places)).stdout, /Expected valid UNLOCODE/);
    for (const [text, error] of [
      ['name\nNOOSL\n', /no column code/],
      ['code\nOslo\n', /"Oslo" is no UN\/LOCODE/],
      ['code\n', /has no places/],
      ['code\n"NOOSL', /is no CSV/],
    ] as const) {
      const { code, stderr } = await check(message, '--places', await write('wrong.csv', text));
      assert.equal(code, 1);
      assert.match(stderr, error);
    }
  });

  it('refuses what it cannot read, and bounds what it reads', async () => {
    const cases: [string, string[], number, RegExp][] = [
      ['', [], 1, /no messages in the input/],
      ['', [join(folder, 'nowhere.json')], 1, /cannot read .*nowhere\.json \(ENOENT\)/],
      ['', ['-', '-'], 1, /can be read only once/],
      ['', ['--offices', join(folder, 'nowhere.csv')], 1, /cannot read .*nowhere\.csv \(ENOENT\)/],
      ['', ['--at', 'today'], 2, /time in UTC such as/],
      ['', ['--level', 'lorry'], 2, /Allowed choices are transport/],
    ];
    for (const [input, words, expected, error] of cases) {
      const { code, stderr } = await check(input, ...words);
      assert.equal(code, expected, stderr);
      assert.match(stderr, error);
    }
    assert.match((await runCommand(['movement', 'check'])).stderr, /required option '--mode/);
    const long = await check(`{"a":"${'x'.repeat(3_000_000)}"}\n{}`);
    assert.match(
      long.stdout,
      /^line 1, .*must not be longer than 2097152 bytes \(SIZE\)\nline 2, /,
    );
    const many = await check(
      JSON.stringify(house('H1', { goodsItem: Array.from({ length: 999 }, () => ({})) })),
    );
    assert.match(many.stdout, /refused at once: and 7,892 more errors\n1 message: 1 refused\n$/);
  });
});

describe('movement rules', () => {
  it('lists the rules by phase, and with --json as they are', async () => {
    const { stdout } = await runCommand('movement rules --mode road --json'.split(' '));
    const listed: { id: string }[] = JSON.parse(stdout);
    const ofRoad = movementRules.filter(({ modes }) => modes?.includes('road') ?? true);
    assert.deepEqual(
      listed.map(({ id }) => id),
      ofRoad.map(({ id }) => id),
    );
    const text = await runCommand('movement rules --mode air --level house-consignment'.split(' '));
    for (const title of ['Refused at once', 'Refused by status', 'Accepted and incomplete']) {
      assert.match(text.stdout, new RegExp(`^${title}: `, 'm'));
    }
    assert.match(text.stdout, / {2}mode\.import-procedure \(NOT_FOR_MODE\)\n/);
    assert.doesNotMatch(text.stdout, /^ {2}(?:operator|needs\.outgoing-procedure) /m);
  });
});
