// Reading and judging movement messages as a whole.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { keysOf } from '../keys-of.js';
import { setMember } from './cases/change-message.js';
import { exampleTime, makeExample } from './cases/examples.js';
import { checkMovement, type MovementContext } from './check-message.js';
import { checkMovementText } from './check-text.js';
import { countryCodes } from './codes/countries.js';
import {
  guessLevel,
  type MovementMessageName,
  movementLevels,
  movementMessages,
} from './levels.js';
import { modes } from './modes.js';
import { uncheckedRegisters } from './registers.js';

const context = (level: MovementMessageName): MovementContext => ({
  level,
  mode: 'road',
  registers: uncheckedRegisters,
  now: exampleTime,
});

const levels = keysOf(movementMessages);

function fieldsOf(level: MovementMessageName, message: unknown): string[] {
  const checked = checkMovement(message, context(level));
  assert(!checked.accepted);
  return checked.errors.map(({ field }) => field);
}

test('an empty body names all that it needs, also below what is missing', () => {
  assert.deepEqual(fieldsOf('house-consignment', {}), [
    'documentIssueDate',
    'consignmentHouseLevel',
    ...[
      'transportDocumentHouseLevel',
      'transportDocumentHouseLevel.documentNumber',
      'transportDocumentHouseLevel.type',
      'containerIndicator',
      'totalGrossMass',
      'numberOfPackages',
      'goodsDescription',
      ...['consignor', 'consignee'].flatMap((party) => [
        party,
        `${party}.name`,
        `${party}.typeOfPerson`,
        `${party}.address`,
        `${party}.address.city`,
        `${party}.address.country`,
        `${party}.address.postcode`,
      ]),
    ].map((path) => `consignmentHouseLevel.${path}`),
  ]);
  for (const level of keysOf(movementLevels)) {
    for (const body of [{}, null, { documentIssueDate: null, mrn: 'x' }]) {
      assert(fieldsOf(level, body).includes('documentIssueDate'));
    }
  }
});

test('what national clients send is read: numbers, FALSE, null, single items, unknown members', () => {
  const message = makeExample('house-consignment', 'road');
  const changes: Record<string, unknown> = {
    'consignmentHouseLevel.containerIndicator': 1,
    'consignmentHouseLevel.consignor.typeOfPerson': 2,
    'consignmentHouseLevel.previousDocuments[0].sequenceNumber': 7,
    'consignmentHouseLevel.directConsignment': 'FALSE',
    'consignmentHouseLevel.transportLevel': null,
    'consignmentHouseLevel.consignor.communication': null,
    userId: 'somebody',
    mrn: 'ignored',
    toString: 1,
  };
  for (const [path, value] of Object.entries(changes)) setMember(message, path, value);
  const checked = checkMovement(message, context('house-consignment'));
  assert(checked.accepted, JSON.stringify(checked));
  assert.deepEqual(checked.missing, []);
  const text = JSON.stringify(checked.body);
  assert.match(text, /"containerIndicator":"1"/);
  assert.match(text, /"directConsignment":false/);
  assert.match(text, /"sequenceNumber":"7"/);
  assert.doesNotMatch(text, /null|userId|ignored/);

  const master = makeExample('master-consignment', 'air');
  setMember(master, 'consignmentMasterLevel.consignmentHouseLevel', {
    receptacle: { receptacleIdentificationNumber: 'R1' },
  });
  const mail = checkMovement(master, { ...context('master-consignment'), mode: 'air' });
  assert(mail.accepted);
  assert.match(
    JSON.stringify(mail.body),
    /"consignmentHouseLevel":\[\{"receptacle":\[\{"receptacleIdentificationNumber":\["R1"\]/,
  );
  setMember(master, 'consignmentMasterLevel.consignmentHouseLevel.receptacle', [
    { receptacleIdentificationNumber: ' ' },
  ]);
  assert.deepEqual(fieldsOf('master-consignment', master), [
    'consignmentMasterLevel.consignmentHouseLevel.receptacle[0].receptacleIdentificationNumber',
  ]);
});

test('the subheading is also read by the name that one national example has', () => {
  const message = makeExample('house-consignment', 'road');
  setMember(message, 'consignmentHouseLevel.importProcedure', {
    importProcedure: 'IMMEDIATE_RELEASE_VOEC',
  });
  for (const list of ['previousDocuments', 'exportFromEU']) {
    setMember(message, `consignmentHouseLevel.${list}`, undefined);
  }
  setMember(message, 'consignmentHouseLevel.goodsItem', [
    {
      itemAmountInvoicedVOEC: { value: 1, numberOfItems: 1 },
      commodityCodeVOEC: { harmonizedSystemSubHeadingCode: '030214' },
      additionalFiscalReferences: { vatIdentificationNumber: '1', role: 'FR5' },
    },
  ]);
  const checked = checkMovement(message, context('house-consignment'));
  assert(checked.accepted, JSON.stringify(checked));
  assert.match(JSON.stringify(checked.body), /"harmonizedSystemSubheadingCode":"030214"/);
});

test('what is refused at once is not judged further, and reasons are in the order of their list', () => {
  const message = makeExample('house-consignment', 'road');
  setMember(message, 'consignmentHouseLevel.importProcedure', {
    importProcedure: 'TRANSIT_IMPORT',
  });
  setMember(message, 'consignmentHouseLevel.previousDocuments', undefined);
  const incomplete = checkMovement(message, context('house-consignment'));
  assert(incomplete.accepted);
  assert.deepEqual(
    incomplete.missing.map(({ code }) => code),
    ['INCOMPLETE_DOCUMENTATION', 'INCOMPLETE_TRA_DOCUMENTATION', 'INCOMPLETE_TRA_DOCUMENTATION'],
  );
  setMember(message, 'consignmentHouseLevel.consignor.address.country', 'XX');
  const byStatus = checkMovement(message, context('house-consignment'));
  assert(!byStatus.accepted && byStatus.phase === 'status');
  setMember(message, 'consignmentHouseLevel.goodsDescription', '');
  const atOnce = checkMovement(message, context('house-consignment'));
  assert(!atOnce.accepted && atOnce.phase === 'at once');
  assert.equal(atOnce.errorCount, 1);
});

test('the level of a message is guessed when its members show it', () => {
  for (const level of levels) {
    for (const mode of keysOf(modes)) assert.equal(guessLevel(makeExample(level, mode)), level);
  }
  const lists = { consignmentMasterLevel: [], consignmentHouseLevel: [] };
  for (const message of [{}, null, [], 'transport', lists]) {
    assert.equal(guessLevel(message), undefined);
  }
});

test('a text that is no message, too long, too deep or has a member twice is refused', () => {
  const { level, ...given } = context('house-consignment');
  const errorOf = (text: string) => {
    const checked = checkMovementText(text, { ...given, level });
    assert(!checked.accepted);
    return checked.errors.map(({ field, code }) => `${field} ${code}`);
  };
  assert.deepEqual(errorOf('{'), [' FORMAT']);
  assert.deepEqual(errorOf('['.repeat(1_000_000)), [' SIZE']);
  assert.deepEqual(errorOf(`{"a":"${'x'.repeat(512 * 1024)}"}`), [' SIZE']);
  assert.deepEqual(errorOf('{"consignmentHouseLevel":{"goodsItem":[{},{"a":1,"a":2}]}}'), [
    'consignmentHouseLevel.goodsItem[1].a FORMAT',
  ]);
  assert.deepEqual(checkMovementText('{}', given).level, undefined);
  const whole = checkMovementText(JSON.stringify(makeExample('transport', 'road')), given);
  assert(whole.accepted && whole.level === 'transport');
});

describe('any input', () => {
  test('is judged without an exception, and twice alike', () => {
    const examples = levels.map((level) => makeExample(level, 'road'));
    const paths = examples.map((example) => pathsIn(example, ''));
    fc.assert(
      fc.property(
        fc.constantFrom(...levels),
        fc.constantFrom(...keysOf(modes)),
        fc.jsonValue(),
        fc.nat(),
        (level, mode, value, at) => {
          const given = { ...context(level), mode };
          assert.deepEqual(checkMovement(value, given), checkMovement(value, given));
          // Any value in the place of any member.
          const index = levels.indexOf(level);
          const message = makeExample(level, mode);
          const ofLevel = paths[index] ?? [];
          setMember(message, ofLevel[at % ofLevel.length] ?? '', value);
          const checked = checkMovement(message, given);
          if (checked.accepted) {
            // What was read is read again as it is.
            const again = checkMovement(checked.body, given);
            assert(again.accepted);
            assert.deepEqual(again.body, checked.body);
          } else assert(checked.errors.length > 0 && checked.errors.length <= checked.errorCount);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('has at most 100 errors reported, and all are counted', () => {
    const message = makeExample('house-consignment', 'road');
    setMember(
      message,
      'consignmentHouseLevel.goodsItem',
      Array.from({ length: 999 }, () => ({})),
    );
    const checked = checkMovement(message, context('house-consignment'));
    assert(!checked.accepted);
    assert.equal(checked.errors.length, 100);
    // Three objects and five members of each item.
    assert.equal(checked.errorCount, 999 * 8);
  });
});

test('there are 249 countries', () => {
  assert.equal(countryCodes.size, 249);
});

function pathsIn(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, member]) =>
    pathsIn(
      member,
      Array.isArray(value) ? `${path}[${name}]` : `${path === '' ? '' : `${path}.`}${name}`,
    ),
  );
  return path === '' ? below : [path, ...below];
}
