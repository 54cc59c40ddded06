// Batches of house consignments: each line is a presentation by the rules of single ones, with its result in order.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  isObject,
  isUuid,
  MAX_REPORTED_ERRORS,
  operations,
  type PresentationResult,
  type ValidationStatus,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { DatabaseUnavailableError, OverloadedError } from '../database/errors.js';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import type { UploadedLine } from '../uploaded-line.js';
import { LINES_OF_A_BLOCK, makeBlockTurns } from './block-turns.js';
import type { PresentConsignment } from './present-consignment.js';
import { presentHouseConsignments } from './present-house-consignments.js';
import { readSubmission } from './submission.js';

const { path: PATH } = operations.presentHouseConsignments;
const SINGLE = operations.presentHouseConsignment.path;
const STATUS = operations.listValidationStatuses.path;

const HC001 = {
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  mrn: '23NO00000000000003',
};

const presentation = (members: object = HC001, requestId: string = randomUUID()) => ({
  requestId,
  customsOfficeOfPresentation: 'NO351001',
  ...members,
});

const documentOf = (number: number) => ({
  transportDocumentHouseLevel: { documentNumber: `NONE${number}`, type: 'N740' },
});

/** The results of lines, without their numbers, which must be in order. */
function readResults(text: string): Omit<PresentationResult, 'line'>[] {
  const lines = text.trimEnd().split('\n');
  return lines.map((line, index) => {
    // The cast is true because every line is a result.
    const { line: number, ...result } = JSON.parse(line) as PresentationResult;
    assert.equal(number, index + 1);
    return result;
  });
}

const codesOf = ({ status, validationErrors = [] }: Omit<PresentationResult, 'line'>) =>
  [status, ...validationErrors.map(({ field, code }) => `${field} ${code}`)].join(' ');

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`a batch on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    const send = (raw: string, headers: Record<string, string> = {}) =>
      playground.call(PATH, {
        as: 'carrier',
        method: 'POST',
        raw,
        headers: { 'content-type': 'application/x-ndjson', ...headers },
      });
    const statusOf = async (requestId: string | undefined) => {
      const { body } = await playground.get(`${STATUS}/${requestId}`, 'carrier');
      return body as ValidationStatus;
    };
    const toText = (lines: readonly unknown[]) =>
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

    test('each line has the result and the status of a single presentation', async () => {
      const bodies = [
        presentation(),
        presentation({ ...HC001, mrn: undefined }),
        presentation({ transportDocumentHouseLevel: { documentNumber: 'NONE', type: 'N740' } }),
        presentation({ ...HC001, customsOfficeOfPresentation: 'XX000000' }),
        presentation({ containerId: 'JARU0000010' }),
        presentation(HC001, 'no uuid'),
        { ...HC001, requestId: undefined, customsOfficeOfPresentation: '' },
        {},
        [],
        null,
      ];
      const { status, text } = await send(toText(bodies));
      assert.equal(status, 200, text);
      const results = readResults(text);
      assert.equal(results.length, bodies.length);
      for (const [index, body] of bodies.entries()) {
        const requestId = randomUUID();
        const hasId = isObject(body) && isUuid(`${body.requestId}`);
        const again = hasId ? { ...body, requestId } : body;
        const single = await playground.call(SINGLE, {
          as: 'carrier',
          method: 'POST',
          raw: JSON.stringify(again),
          headers: { 'content-type': 'application/json' },
        });
        const result = results[index];
        assert(result);
        const { validationErrors } = single.body as Pick<PresentationResult, 'validationErrors'>;
        assert.deepEqual(
          [result.status, result.validationErrors],
          [single.status, validationErrors],
        );
        if (!hasId) continue;
        const {
          requestId: _,
          notificationDate: __,
          ...recorded
        } = await statusOf(result.requestId);
        const { requestId: ___, notificationDate: ____, ...ofSingle } = await statusOf(requestId);
        assert.deepEqual(recorded, ofSingle);
      }
    });

    test('lines that cannot be read are refused by themselves, and blank ones are counted', async () => {
      const good = presentation();
      const { text } = await send(
        `{\n\n${JSON.stringify(good)}\n{"requestId":"a","requestId":"b"}\n{"x":"${'x'.repeat(70_000)}"}\n`,
      );
      const results = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as PresentationResult);
      assert.deepEqual(
        results.map(({ line, ...result }) => `${line} ${codesOf(result)}`),
        ['1 400  FORMAT', '3 202', '4 400 requestId FORMAT', '5 400  SIZE'],
      );
    });

    test('of two lines with one requestId the first one counts, and all are refused when they are sent again', async () => {
      const [first, second] = [presentation(), presentation()];
      const reused = { ...second, requestId: first.requestId.toUpperCase() };
      const lines = [first, reused, second];
      const { text } = await send(toText(lines));
      const REUSED = '400 requestId REQUEST_ID_REUSED';
      assert.deepEqual(readResults(text).map(codesOf), ['202', REUSED, '202']);
      const again = await send(toText(lines));
      assert.deepEqual(readResults(again.text).map(codesOf), [REUSED, REUSED, REUSED]);
      assert.equal((await statusOf(first.requestId)).status, 'SUCCESS');
    });

    test('more lines than a commit takes are in order, with a summary', async () => {
      const bodies = Array.from({ length: 9 * LINES_OF_A_BLOCK + 7 }, (_, index) =>
        presentation(index % 100 === 0 ? HC001 : { ...documentOf(index), x: 1 }),
      );
      const { text, headers } = await send(toText(bodies), {
        prefer: 'summary, handling=strict',
      });
      const [applied] = [headers.get('preference-applied')];
      assert.equal(applied, 'handling=strict, summary');
      const lines = text.trimEnd().split('\n');
      const summary = lines.pop();
      const results = readResults(lines.join('\n'));
      assert.deepEqual(
        results.map(({ requestId }) => requestId),
        bodies.map(({ requestId }) => requestId),
      );
      const refused = results.filter(({ status }) => status === 400);
      assert.equal(refused.length, bodies.length - Math.ceil(bodies.length / 100));
      assert(refused.every((result) => codesOf(result).startsWith('400 x UNKNOWN_MEMBER')));
      assert.deepEqual(JSON.parse(summary ?? ''), {
        summary: {
          lines: bodies.length,
          accepted: bodies.length - refused.length,
          refused: refused.length,
        },
      });
    });

    test('results come while lines are sent, and a block of the organisation ends the batch with the first line that is not processed', async () => {
      const upload = new PassThrough();
      const responding = fetch(`${playground.playground.baseUrl}${PATH}`, {
        method: 'POST',
        body: Readable.toWeb(upload) as ReadableStream,
        duplex: 'half',
        headers: {
          authorization: `Bearer ${await playground.token('forwarder')}`,
          'content-type': 'application/x-ndjson',
        },
      } as RequestInit);
      const [before, late] = [presentation(), presentation()];
      upload.write(`${JSON.stringify(before)}\n`);
      const response = await responding;
      const setBlocked = (blocked: boolean) =>
        database.query({
          name: '',
          text: 'update organisation set blocked = $2 where identifier = $1',
          values: [playground.credentials('forwarder').organisation, blocked],
        });
      await setBlocked(true);
      // A check may be a second old.
      await delay(1500);
      upload.write(`${JSON.stringify(late)}\n`);
      const results = readResults(await response.text());
      assert.deepEqual(results.map(codesOf), ['202', '400  ACCESS_ENDED']);
      upload.destroy();
      await setBlocked(false);
    });
  });
}

describe('lines of a batch', () => {
  const lineOf = (line: number, requestId: string): UploadedLine => ({
    line,
    bytes: 100,
    value: presentation(documentOf(line), requestId),
  });

  /** Presents blocks of lines with a rule that is given; returns the results that were delivered, and the failure. */
  async function run(
    blocks: AsyncIterable<readonly UploadedLine[]>,
    present: PresentConsignment,
    requireAccess = async () => undefined,
  ) {
    const results: PresentationResult[] = [];
    const failure = await presentHouseConsignments(blocks, {
      organisationId: 1,
      actor: { organisation: 'test', client: 'test' },
      present,
      turns: makeBlockTurns(),
      read: (value) => readSubmission('house-consignment', value, () => true),
      requireAccess,
      noteBegun: () => undefined,
      addResults: async (added) => {
        results.push(...added);
      },
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { results, failure };
  }

  async function* oneByOne(lines: readonly UploadedLine[]) {
    for (const line of lines) yield [line];
  }

  const accept = async (requestId: string | undefined) =>
    ({ accepted: true, requestId: requestId ?? '' }) as const;

  test('results are in order although later lines are committed first, and equal requestIds wait for each other', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const began: (string | undefined)[] = [];
    const { results } = await run(
      oneByOne([lineOf(1, first), lineOf(2, second), lineOf(3, first)]),
      async ({ submission: { requestId } }) => {
        began.push(requestId);
        await delay(requestId === first ? 30 : 0);
        return accept(requestId);
      },
    );
    assert.deepEqual(
      results.map(({ line, requestId }) => [line, requestId]),
      [
        [1, first],
        [2, second],
        [3, first],
      ],
    );
    assert.deepEqual(began, [first, second, first]);
  });

  test('a failed commit ends the batch although nothing more arrives, after the results before it', async () => {
    const error = new DatabaseUnavailableError('lost');
    async function* silent() {
      yield [lineOf(1, randomUUID())];
      yield [lineOf(2, randomUUID())];
      await new Promise(() => undefined);
    }
    let calls = 0;
    const { results, failure } = await run(silent(), async ({ submission }) => {
      calls += 1;
      if (calls === 2) throw error;
      await delay(10);
      return accept(submission.requestId);
    });
    assert.equal(failure, error);
    assert.deepEqual(
      results.map(({ line }) => line),
      [1],
    );
  });

  test('what was begun has its results when access ends', async () => {
    const ended = new Error('ended');
    let checks = 0;
    const { results, failure } = await run(
      oneByOne([lineOf(1, randomUUID()), lineOf(2, randomUUID())]),
      async ({ submission }) => {
        await delay(10);
        return accept(submission.requestId);
      },
      async () => {
        checks += 1;
        if (checks === 2) throw ended;
      },
    );
    assert.equal(failure, ended);
    assert.deepEqual(
      results.map(({ line }) => line),
      [1],
    );
  });

  test('a line that waited too long is HELD, and does not end the batch', async () => {
    let calls = 0;
    const { results, failure } = await run(
      oneByOne([lineOf(1, randomUUID()), lineOf(2, randomUUID())]),
      async ({ submission }) => {
        calls += 1;
        if (calls === 1) throw new OverloadedError('the request waited too long');
        return accept(submission.requestId);
      },
    );
    assert.equal(failure, undefined);
    assert.deepEqual(results.map(codesOf), ['400  HELD', '202']);
  });

  test('no line has more errors than a response reports', async () => {
    const errors = Array.from({ length: MAX_REPORTED_ERRORS + 1 }, () => ({
      field: 'x',
      error: 'x',
      code: 'FORMAT' as const,
    }));
    const { results } = await run(oneByOne([lineOf(1, randomUUID())]), async () => ({
      accepted: false,
      errors,
    }));
    assert.equal(results[0]?.validationErrors?.length, MAX_REPORTED_ERRORS);
  });
});
