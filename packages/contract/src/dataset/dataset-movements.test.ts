// Movement messages of a dataset: times from the start, the rules of messages, documents of lines before, and keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleTime, makeExample } from '../movement/cases/examples.js';
import type { MovementLevel } from '../movement/levels.js';
import { uncheckedRegisters } from '../movement/registers.js';
import {
  DatasetMovements,
  datasetKeyTaken,
  type MovementEntry,
  messageFrom,
} from './dataset-movements.js';

const start = new Date('2026-05-04T08:00:00.250Z');

/** The entry of a message of this level that keeps the rules, with other members. */
function entryOf(level: MovementLevel, members: object = {}, submitter = '0192:1'): MovementEntry {
  // The cast is true because examples are objects.
  const example = makeExample(level, 'road') as Record<string, unknown>;
  const message = { ...example, ...members };
  return {
    kind: 'movement',
    submitter,
    movement: { identity: 'carrier', mode: 'road', level, message },
  };
}

const context = { start, registers: uncheckedRegisters, isLodged: false };

/** Each error as `field code`. */
const errorsOf = (movements: DatasetMovements, entry: MovementEntry, more: object = {}) =>
  movements
    .check(entry, { ...context, ...more })
    .errors.map(({ field, code }) => `${field} ${code}`);

test('instants count from the start; other values stay as they are', () => {
  const message = {
    documentIssueDate: '-30m',
    estimatedDateAndTimeOfArrival: '+2h',
    scheduledDateAndTimeOfArrival: '+1d',
    customsOfficeOfFirstEntry: { referenceNumber: '+2h' },
  };
  assert.deepEqual(messageFrom({ level: 'transport', message }, start), {
    ...message,
    documentIssueDate: '2026-05-04T07:30:00Z',
    estimatedDateAndTimeOfArrival: '2026-05-04T10:00:00Z',
    scheduledDateAndTimeOfArrival: '2026-05-05T08:00:00Z',
  });
  for (const given of ['2026-05-04T12:00:00Z', '2h', '+2 h', '+2w', '+123456s', '', 7, null, {}]) {
    const same = { documentIssueDate: given };
    assert.deepEqual(messageFrom({ level: 'house-consignment', message: same }, start), same);
  }
});

test('a message is judged by the rules of messages, at the start', () => {
  const at = (time: string) =>
    errorsOf(new DatasetMovements(), entryOf('transport', { estimatedDateAndTimeOfArrival: time }));
  assert.deepEqual(at('+0s'), []);
  assert.deepEqual(at('2026-05-04T12:00:00Z'), []);
  assert.deepEqual(at('-11m'), [
    'movement.message.estimatedDateAndTimeOfArrival TIME_OUT_OF_RANGE',
  ]);
  assert.deepEqual(at('tomorrow'), ['movement.message.estimatedDateAndTimeOfArrival FORMAT']);
  assert.deepEqual(errorsOf(new DatasetMovements(), entryOf('transport', { carrier: null })), [
    'movement.message.carrier REQUIRED',
    'movement.message.carrier.name REQUIRED',
    'movement.message.carrier.identificationNumber REQUIRED',
    'movement.message.carrier.address REQUIRED',
    'movement.message.carrier.address.city REQUIRED',
    'movement.message.carrier.address.country REQUIRED',
  ]);
});

test('documents of lines before count before the registers, and those of later lines do not', () => {
  const declaration = {
    kind: 'CUDE',
    declarantNumber: '123456789',
    declarationDate: '2022-08-10',
  } as const;
  const house = (documentNumber: string) => {
    const entry = entryOf('house-consignment');
    const { consignmentHouseLevel } = entry.movement.message;
    const message = {
      ...entry.movement.message,
      consignmentHouseLevel: {
        // The cast is true because examples have it.
        ...(consignmentHouseLevel as object),
        transportDocumentHouseLevel: { documentNumber, type: 'N730' },
        importProcedure: { importProcedure: 'CUSTOMS_DECLARATION', hasOutgoingProcedure: false },
        exportFromEU: [],
        previousDocuments: [{ ...declaration, typeOfReference: 'CUDE', sequenceNumber: '7' }],
      },
    };
    return { ...entry, movement: { ...entry.movement, message } };
  };
  const movements = new DatasetMovements();
  assert.deepEqual(errorsOf(movements, house('A')), []);
  movements.addDocument({ ...declaration, sequenceNumber: '07', state: 'INVALID' });
  assert.match(errorsOf(movements, house('B')).join(), /previousDocuments\[0\].* NOT_VERIFIED$/);
  movements.addDocument({ ...declaration, sequenceNumber: '7', state: 'VALID' });
  const registers = { ...uncheckedRegisters, documentState: () => 'INVALID' as const };
  assert.deepEqual(errorsOf(movements, house('C'), { registers }), []);
});

test('no two messages have the same key, also if they were lodged before', () => {
  const movements = new DatasetMovements();
  const repeated = 'movement.message.consignmentMasterLevel.transportDocumentMasterLevel DUPLICATE';
  assert.deepEqual(errorsOf(movements, entryOf('master-consignment')), []);
  assert.deepEqual(errorsOf(movements, entryOf('master-consignment')), [repeated]);
  assert.deepEqual(errorsOf(movements, entryOf('master-consignment'), { isLodged: true }), [
    repeated,
  ]);
  // Of what was lodged before, nothing else counts: its times have passed.
  const passed = { estimatedDateAndTimeOfArrival: '2026-05-01T12:00:00Z' };
  assert.deepEqual(errorsOf(movements, entryOf('transport', passed), { isLodged: true }), []);
});

test('the error of a key that another message has names its MRN', () => {
  const { movement } = entryOf('transport');
  assert.deepEqual(datasetKeyTaken(movement, '26NO00000000000001', exampleTime), {
    field: 'movement.message.activeBorderTransportMeans.identificationNumber',
    error: 'Transport AB12345 is already in use: 26NO00000000000001',
    code: 'DUPLICATE',
  });
});
