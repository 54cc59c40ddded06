// Relating through a proxy that loses, delays and repeats requests and responses: each pair is related once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { RelationRequest } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { MovementUnknownError } from '../errors/outcome-unknown-error.js';
import { type Fault, startFaultyProxy } from '../testing/faulty-proxy.js';
import { houseMessage, masterMessage } from '../testing/movement-messages.js';
import { startTestPlayground } from '../testing/playground.js';

const playground = await startTestPlayground({ rateLimit: 0 });
const proxy = await startFaultyProxy(playground.baseUrl);
const retry = { baseDelayMs: 10, maxDelayMs: 50 };
const carrier = await playground.client('carrier', { baseUrl: proxy.url, retry });
const direct = await playground.client('carrier');

const PATH = '/api/movement/road/v2/relation';
let count = 0;
const nextNumber = () => `R${++count}`;

/** A relation of two messages that were just lodged. */
async function newPair(): Promise<RelationRequest> {
  const number = nextNumber();
  const lodge = async (message: Parameters<typeof direct.lodgeMovement>[1]) =>
    (await direct.lodgeMovement('road', message)).mrn ?? assert.fail();
  return {
    parentObjectType: 'MASTER_CONSIGNMENT',
    parentObjectReference: await lodge(masterMessage(number)),
    childObjectType: 'HOUSE_CONSIGNMENT',
    childObjectReference: await lodge(houseMessage(number)),
  };
}

/** The relations of the master consignment, as the service has them. */
async function relationsOf({ parentObjectReference }: RelationRequest): Promise<string[]> {
  const { relations = [] } = await direct.getMovement(
    'road',
    'master-consignment',
    parentObjectReference,
  );
  return relations.map(({ mrn }) => mrn);
}

const faults: Fault[] = [
  'none',
  'repeated',
  'lost-response',
  'cut-response',
  'replaced-response',
  'lost-request',
  'silence',
  'overtaken',
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 202, body: 'null' },
];

for (const fault of faults) {
  test(`a pair is related and its relation cancelled once after ${JSON.stringify(fault)}`, async () => {
    const pair = await newPair();
    const options = { timeoutMs: 1000 };
    proxy.fail(PATH, fault);
    const made = await carrier.lodgeRelation('road', pair, options);
    assert.deepEqual([made.status, made.level, made.operation], ['SUCCESS', 'RELATION', 'LODGE']);
    const mrn = made.mrn ?? '';
    assert.deepEqual(await relationsOf(pair), [mrn]);

    proxy.fail(PATH, fault);
    const cancelled = await carrier.cancelRelation('road', mrn, options);
    assert.deepEqual(
      [cancelled.status, cancelled.operation, cancelled.mrn],
      ['SUCCESS', 'CANCEL', mrn],
    );
    assert.deepEqual(await relationsOf(pair), []);
  });
}

test('a refusal by the status is the status; what is refused at once, and an unknown MRN, are errors', async () => {
  const pair = await newPair();
  const { mrn } = await carrier.lodgeRelation('road', pair);
  const again = await carrier.lodgeRelation('road', pair);
  assert.deepEqual(
    [again.status, again.validationErrorList?.map(({ code }) => code)],
    ['FAILURE', ['DUPLICATE']],
  );
  assert.match(again.validationErrorList?.[0]?.description ?? '', new RegExp(`: ${mrn}$`));
  await assert.rejects(
    carrier.lodgeRelation('road', { ...pair, parentObjectReference: 'none' }),
    (error) => error instanceof ApiError && error.has('FORMAT'),
  );
  await assert.rejects(
    carrier.cancelRelation('road', '26NO000000000000T0'),
    (error) => error instanceof ApiError && error.status === 404,
  );
  await assert.rejects(
    carrier.lodgeRelation('road', { ...pair, requestId: 'x' }),
    (error) => error instanceof ConfigurationError,
  );
});

test('an outcome that stays unknown is an error with the requestId, by which it is found later', async () => {
  const requestId = randomUUID();
  const pair = { ...(await newPair()), requestId };
  proxy.fail(PATH, 'lost-response');
  proxy.fail('/validation-status/', ...Array.from({ length: 50 }, () => 'lost-request' as const));
  await assert.rejects(
    carrier.lodgeRelation('road', pair, { isNew: true, settleWithinMs: 200, timeoutMs: 100 }),
    (error) => error instanceof MovementUnknownError && error.requestId === requestId,
  );
  const status = await direct.getMovementStatus('road', 'relation', requestId);
  assert.deepEqual([status.status, status.mrn], ['SUCCESS', (await relationsOf(pair))[0]]);
});
