// Lodging through a proxy that loses, delays and repeats requests and responses: each message is lodged once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { MovementUnknownError } from '../errors/outcome-unknown-error.js';
import { MemoryJournal } from '../settling/journal.js';
import { type Fault, startFaultyProxy } from '../testing/faulty-proxy.js';
import { houseMessage, masterMessage, transportMessage } from '../testing/movement-messages.js';
import { startTestPlayground } from '../testing/playground.js';
import {
  isHouseConsignment,
  isMasterConsignment,
  isTransport,
  levelOfMovement,
} from './movement-message.js';

const playground = await startTestPlayground({ rateLimit: 0 });
const proxy = await startFaultyProxy(playground.baseUrl);
const retry = { baseDelayMs: 10, maxDelayMs: 50 };
const carrier = await playground.client('carrier', { baseUrl: proxy.url, retry });
const direct = await playground.client('carrier');

const PATH = '/api/movement/road/v2/house-consignment';
const STATUS_PATH = '/validation-status/';
let count = 0;
const nextNumber = () => `H${++count}`;

/** How many requests with this method the service or the proxy receives for house consignments meanwhile. */
async function countSent(method: string, during: () => Promise<unknown>): Promise<number> {
  const before = proxy.requests.length;
  await during();
  const sent = proxy.requests.slice(before).filter((line) => line.startsWith(`${method} ${PATH}`));
  return sent.length;
}

/** The levels of which a message is. */
function levelsOf(message: object): string[] {
  const guards = [
    ['TRANSPORT', isTransport],
    ['MASTER_CONSIGNMENT', isMasterConsignment],
    ['HOUSE_CONSIGNMENT', isHouseConsignment],
  ] as const;
  return guards.filter(([, isOf]) => isOf(message)).map(([level]) => level);
}

test('each level is lodged in each mode, with the scope and the version of the mode', async () => {
  for (const mode of ['road', 'air', 'rail', 'maritime'] as const) {
    const number = nextNumber();
    for (const [level, message] of [
      ['TRANSPORT', transportMessage(mode, number)],
      ['MASTER_CONSIGNMENT', masterMessage(number)],
      ['HOUSE_CONSIGNMENT', houseMessage(number)],
    ] as const) {
      const status = await direct.lodgeMovement(mode, message);
      assert.deepEqual(
        [status.status, status.mode, status.level, status.validationErrorList],
        ['SUCCESS', mode, level, undefined],
      );
      const found = await direct.getMovement(mode, levelOfMovement(message), status.mrn ?? '');
      assert.equal(found.state, 'CURRENT');
      assert.deepEqual(levelsOf(found.message ?? {}), [level]);
    }
  }
  assert.deepEqual(levelsOf({}), [], 'members that show no level');
  assert.throws(() => direct.listMovements('space' as 'road', 'transport'), ConfigurationError);
});

const faults: [Fault, requests: number][] = [
  ['none', 1],
  ['repeated', 1],
  ['lost-response', 1],
  ['cut-response', 1],
  ['replaced-response', 1],
  ['lost-request', 2],
  ['silence', 2],
  ['overtaken', 2],
  [{ status: 503, headers: { 'retry-after': '0' } }, 2],
  [{ status: 500 }, 2],
  [{ status: 200, body: '<html>sign in</html>' }, 2],
  [{ status: 202, body: 'null' }, 2],
];

for (const [fault, requests] of faults) {
  test(`is lodged, replaced and cancelled once after ${JSON.stringify(fault)}`, async () => {
    const number = nextNumber();
    const options = { timeoutMs: 1000 };
    let mrn = '';
    const lodge = async () => {
      const status = await carrier.lodgeHouseConsignment('road', houseMessage(number), options);
      assert.deepEqual([status.status, status.operation], ['SUCCESS', 'LODGE']);
      mrn = status.mrn ?? '';
    };
    proxy.fail(PATH, fault);
    assert.equal(await countSent('POST', lodge), requests);

    const changed = houseMessage(number, { goodsDescription: 'Wooden tables' });
    const replace = async () => {
      const status = await carrier.replaceHouseConsignment('road', mrn, changed, options);
      assert.deepEqual([status.status, status.operation, status.mrn], ['SUCCESS', 'REPLACE', mrn]);
    };
    proxy.fail(PATH, fault);
    assert.equal(await countSent('PUT', replace), requests);

    proxy.fail(PATH, fault);
    const cancelled = await carrier.cancelMovement('road', 'house-consignment', mrn, options);
    assert.equal(cancelled.status, 'SUCCESS');
    const { state } = await direct.getMovement('road', 'house-consignment', mrn);
    assert.equal(state, 'CANCELLED');
  });
}

test('is lodged once although the first reads of the status fail', async () => {
  proxy.fail(STATUS_PATH, 'lost-request', { status: 503 }, 'cut-response', 'replaced-response');
  const lodge = () => carrier.lodgeHouseConsignment('road', houseMessage(nextNumber()));
  assert.equal(await countSent('POST', lodge), 1);
});

test('a refusal at once is an error, and one by the status is the status, whatever is lost', async () => {
  for (const fault of ['none', 'lost-response', 'lost-request'] as const) {
    proxy.fail(PATH, fault);
    const empty = houseMessage(nextNumber(), { goodsDescription: '' });
    await assert.rejects(
      carrier.lodgeHouseConsignment('road', empty),
      (error) => error instanceof ApiError && error.has('REQUIRED'),
    );
    proxy.fail(PATH, fault);
    const wrong = houseMessage(nextNumber(), { containerIndicator: '9' });
    const { status, mrn, validationErrorList } = await carrier.lodgeHouseConsignment('road', wrong);
    assert.deepEqual(
      [status, mrn, validationErrorList?.map(({ code }) => code)],
      ['FAILURE', undefined, ['UNKNOWN_CODE']],
    );
  }
});

test('a requestId of the caller is sent once, and refused if it was used', async () => {
  const requestId = randomUUID();
  const message = { ...houseMessage(nextNumber()), requestId };
  const { status } = await carrier.lodgeMovement('road', message);
  assert.equal(status, 'SUCCESS');
  const sent = await countSent('POST', () =>
    assert.rejects(
      carrier.lodgeMovement('road', message),
      (error) => error instanceof ApiError && error.has('REQUEST_ID_REUSED'),
    ),
  );
  assert.equal(sent, 0);
  await assert.rejects(
    carrier.lodgeMovement('road', { ...message, requestId: 'one' }),
    ConfigurationError,
  );
});

test('an abort after sending leaves a requestId, which is settled', async () => {
  const message = houseMessage(nextNumber());
  proxy.fail(PATH, 'lost-response');
  proxy.fail(STATUS_PATH, 'silence');
  const reason = new Error('shutting down');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 500);
  const call = carrier.lodgeMovement('road', message, { signal: controller.signal });
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  assert(error instanceof MovementUnknownError, String(error));
  assert.equal(error.cause, reason);
  proxy.reset();
  const settle = async () => {
    const settled = await carrier.settleMovement('road', error.requestId, message);
    assert.deepEqual([settled.status, settled.requestId], ['SUCCESS', error.requestId]);
  };
  assert.equal(await countSent('POST', settle), 0);
});

test('many are lodged once each through a network that fails, and not again with their journal', async () => {
  proxy.failRandomly(0.3, [
    'lost-request',
    'lost-response',
    'cut-response',
    'repeated',
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 429, headers: { 'retry-after': '0' } },
  ]);
  const messages = Array.from({ length: 200 }, () => houseMessage(nextNumber()));
  const wrong = houseMessage(nextNumber(), { containerIndicator: '9' });
  const journal = new MemoryJournal();
  const lodge = async () => {
    const mrns: string[] = [];
    let isFromJournal = 0;
    const outcomes = carrier.lodgeMany('road', [...messages, wrong], { journal, timeoutMs: 5000 });
    for await (const { item, outcome, errors, status, ...result } of outcomes) {
      assert.equal(outcome, item === wrong ? 'refused' : 'lodged', JSON.stringify(errors));
      if (status?.mrn !== undefined) mrns.push(status.mrn);
      if (result.isFromJournal) isFromJournal += 1;
    }
    return { mrns: mrns.sort(), isFromJournal };
  };
  const first = await lodge();
  proxy.failRandomly(0, ['none']);
  assert.deepEqual([first.mrns.length, first.isFromJournal], [200, 0]);
  const again = await lodge();
  assert.deepEqual(again, { mrns: first.mrns, isFromJournal: 201 });

  const numbers = new Set(
    messages.map(
      ({ consignmentHouseLevel: house }) => house.transportDocumentHouseLevel.documentNumber,
    ),
  );
  const listed: string[] = [];
  for await (const { mrn, document } of direct.listMovements('road', 'house-consignment')) {
    if (numbers.has(document?.documentNumber ?? '')) listed.push(mrn);
  }
  assert.deepEqual(listed.sort(), first.mrns);
});

test('a journey is lodged through a network that fails; what is refused keeps nothing else back', async () => {
  const [first, second, third] = [nextNumber(), nextNumber(), nextNumber()];
  const master = masterMessage(nextNumber());
  const journey = {
    transport: transportMessage('road', nextNumber()),
    masterConsignments: [master],
    houseConsignments: [
      houseMessage(first, {
        consignmentMasterLevel: {
          carrierIdentificationNumber: 'NO888888888',
          transportDocumentMasterLevel: master.consignmentMasterLevel.transportDocumentMasterLevel,
        },
      }),
      houseMessage(second, { containerIndicator: '9' }),
      houseMessage(third),
    ],
  };
  proxy.failRandomly(0.3, ['lost-request', 'lost-response', 'cut-response', 'repeated']);
  const journal = new MemoryJournal();
  const lodge = () => carrier.lodgeJourney('road', journey, { journal, timeoutMs: 5000 });
  const refused = await lodge();
  assert.deepEqual(
    refused.houseConsignments.map(({ item, outcome }) => [
      journey.houseConsignments.indexOf(item),
      outcome,
    ]),
    [
      [0, 'lodged'],
      [1, 'refused'],
      [2, 'lodged'],
    ],
  );
  assert.equal(refused.isLodged, false);
  assert.equal(refused.transport?.item, journey.transport);
  assert.equal(refused.masterConsignments[0]?.item, master);

  journey.houseConsignments[1] = houseMessage(second);
  const corrected = await lodge();
  proxy.failRandomly(0, ['none']);
  assert.equal(corrected.isLodged, true);
  assert.deepEqual(
    corrected.houseConsignments.map(({ isFromJournal }) => isFromJournal),
    [true, false, true],
  );
  assert.equal(corrected.transport?.status?.mrn, refused.transport?.status?.mrn);
  const nothing = await carrier.lodgeJourney('road', {});
  assert.deepEqual(nothing, {
    transport: undefined,
    masterConsignments: [],
    houseConsignments: [],
    isLodged: true,
  });
});

test('a message whose members do not show its level needs it', async () => {
  const empty = {} as ReturnType<typeof houseMessage>;
  await assert.rejects(carrier.lodgeMovement('road', empty), ConfigurationError);
  await assert.rejects(
    carrier.lodgeMovement('road', empty, { level: 'transport' }),
    (error) => error instanceof ApiError && error.validationErrors.length > 5,
  );
});
