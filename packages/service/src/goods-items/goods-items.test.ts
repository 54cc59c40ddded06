// The stream of goods items over HTTP, on both databases: what goes in comes out, once, in order.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { GoodsItemMessage, GoodsItemsPublished, Problem } from '@landfall/contract';
import { generateGoodsItems } from '@landfall/samples';
import { drawnDatabases } from '../testing/databases.js';
import {
  declarationId,
  makeBareRemoval,
  makeMessage,
  ReadItems,
  toLines,
} from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { readEvents } from '../testing/read-events.js';

const PATH = '/api/declaration/feed/v1/goods-items';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`goods items on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const publishLines = (raw: string | Uint8Array<ArrayBuffer>) =>
      playground.call(PATH, {
        as: 'authority',
        method: 'POST',
        raw,
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const publish = (body: unknown) => playground.post(PATH, 'authority', body);
    const publishRaw = (raw: string) =>
      playground.call(PATH, { as: 'authority', method: 'POST', raw });
    const read = async (marker?: string, limit = 1000) => {
      const response = await playground.get(
        `${PATH}?limit=${limit}${marker ? `&marker=${marker}` : ''}`,
        'statistics',
        { accept: 'application/x-ndjson' },
      );
      assert.equal(response.status, 200, response.text);
      return response.text.split('\n').filter((line) => line !== '');
    };
    /** The marker at the end of the stream. */
    const end = async () => {
      const response = await playground.get(`${PATH}/current?limit=1`, 'statistics');
      return response.headers.get('landfall-marker') ?? undefined;
    };
    const current = async (declaration: string) => {
      const response = await playground.get(
        `${PATH}/current?declaration=${declaration}`,
        'statistics',
      );
      return (response.body as GoodsItemMessage[]).map(({ metadata }) => metadata.eventId);
    };

    test('before anything is published there is nothing, and no marker', async () => {
      assert.deepEqual(await read(), []);
      const response = await playground.get(`${PATH}/current`, 'statistics');
      assert.deepEqual(response.body, []);
      assert.equal(response.headers.get('landfall-marker'), null);
    });

    test('one message, an array and lines come out in their order', async () => {
      const messages = Array.from({ length: 5 }, (_, index) => makeMessage({ number: index + 1 }));
      const [one, two, three, four, five] = messages;
      assert.deepEqual((await publish(one)).body, { accepted: 1, duplicates: 0 });
      assert.deepEqual((await publish([two, three])).body, { accepted: 2, duplicates: 0 });
      const response = await publishLines(`${JSON.stringify(four)}\r\n\n${JSON.stringify(five)}`);
      assert.equal(response.status, 202);
      assert.deepEqual(response.body, { accepted: 2, duplicates: 0 });
      const lines = await read();
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        messages,
      );
    });

    test('a line comes out byte for byte; a body as compact JSON with its numbers as they were written', async () => {
      const marker = await end();
      const text = JSON.stringify(makeMessage({ value: 1 }), undefined, 2)
        .replace('"StatisticalValue": 1,', '"StatisticalValue": 1.250e3,')
        .replace('Verkstatt', 'Verkst\\u00e4tt \\" [{ ,');
      const line = ` ${JSON.stringify(makeMessage()).replaceAll(':1,', ' : 1.0 ,')}\t`;
      assert.equal((await publishRaw(`[ ${text} ]`)).status, 202);
      assert.equal((await publishLines(`${line}\n`)).status, 202);
      const [fromBody, fromLine] = await read(marker);
      assert.equal(fromLine, line);
      assert(fromBody?.includes('"StatisticalValue":1.250e3,"GrossMass":12,'), fromBody);
      assert(fromBody?.includes('Verkst\\u00e4tt \\" [{ , GmbH'), fromBody);
      assert(!fromBody?.includes('": '));
    });

    test('the same message again is a duplicate, in whatever form; another under its eventId is refused', async () => {
      const marker = await end();
      const message = makeMessage({ value: 17 });
      const { metadata, data } = message;
      assert.deepEqual((await publish([message, message])).body, { accepted: 1, duplicates: 1 });
      assert.deepEqual((await publish({ data, metadata })).body, { accepted: 0, duplicates: 1 });
      const again = JSON.stringify(message).replace(':17,', ':1.7e1 ,');
      assert.deepEqual((await publishLines(again)).body, { accepted: 0, duplicates: 1 });

      const other = makeMessage({ eventId: metadata.eventId, value: 18 });
      const neighbour = makeMessage();
      const refused = await publish([neighbour, other]);
      assert.equal(refused.status, 400);
      const problem = refused.body as Problem;
      assert.deepEqual(
        problem.validationErrors?.map(({ index, eventId, field, code }) => [
          index,
          eventId,
          field,
          code,
        ]),
        [[1, metadata.eventId, 'metadata.eventId', 'EVENT_ID_REUSED']],
      );
      assert.deepEqual(problem.published, { accepted: 0, duplicates: 0 });
      const within = await publish([neighbour, { ...neighbour, data: other.data }]);
      assert.equal(within.status, 400);
      assert.equal((await read(marker)).length, 1);
    });

    test('publishers at the same time: what several send counts once', async () => {
      const marker = await end();
      const messages = Array.from({ length: 60 }, () => makeMessage());
      const responses = await Promise.all(
        [0, 20, 40, 0, 20, 40, 10].map((start) => publish(messages.slice(start, start + 20))),
      );
      const single = await Promise.all(messages.map((message) => publish(message)));
      const sums = [...responses, ...single].map(({ body }) => body as GoodsItemsPublished);
      assert.equal(
        sums.reduce((sum, { accepted }) => sum + accepted, 0),
        60,
      );
      assert.equal(
        sums.reduce((sum, { duplicates }) => sum + duplicates, 0),
        140,
      );
      const ids = (await read(marker)).map(
        (line) => (JSON.parse(line) as GoodsItemMessage).metadata.eventId,
      );
      assert.equal(ids.length, 60);
      assert.equal(new Set(ids).size, 60);
    });

    test('every bad message is reported with its index, eventId, member and rule, and nothing is stored', async () => {
      const marker = await end();
      const good = makeMessage();
      const strange = { ...makeMessage(), surprise: 1 };
      const response = await publishLines(
        [
          JSON.stringify(good),
          '{"metadata":',
          JSON.stringify(strange),
          '',
          'null',
          '{"a":\r1}',
        ].join('\n'),
      );
      assert.equal(response.status, 400);
      const { validationErrors = [], errorCount } = response.body as Problem;
      assert.equal(errorCount, validationErrors.length);
      const reported = (index: number) => validationErrors.filter((error) => error.index === index);
      assert.deepEqual(reported(0), []);
      assert.equal(reported(1)[0]?.code, 'FORMAT');
      assert.deepEqual(
        reported(2).map(({ eventId, field, code }) => [eventId, field, code]),
        [[strange.metadata.eventId, 'surprise', 'UNKNOWN_MEMBER']],
      );
      assert.equal(reported(3).length, 1);
      assert.match(reported(4)[0]?.error ?? '', /carriage return/);
      assert.deepEqual(await read(marker), []);
    });

    test('of many errors 100 are reported, and their number', async () => {
      const response = await publishLines('{}\n'.repeat(300));
      const { validationErrors, errorCount = 0 } = response.body as Problem;
      assert.equal(validationErrors?.length, 100);
      assert(errorCount >= 300);
    });

    test('bodies that are no messages are refused in words', async () => {
      const cases: [string, RegExp][] = [
        ['', /empty/],
        ['[]', /between 1 and 10000/],
        [' \n', /empty/],
        ['[{}', /ends before it is whole/],
        ['[{}] 1', /must end with the array/],
        ['[{},]', /valid JSON/],
        ['7', /object/],
        [`[${'{},'.repeat(10_000)}{}]`, /between 1 and 10000/],
      ];
      for (const [raw, reason] of cases) {
        const response = await publishRaw(raw);
        assert.equal(response.status, 400, raw.slice(0, 20));
        assert.match(response.text, reason, raw.slice(0, 20));
      }
      const bytes = new TextEncoder().encode(toLines([makeMessage(), makeMessage()]));
      bytes[bytes.length - 40] = 0xff;
      const response = await publishLines(bytes);
      assert.equal(response.status, 400);
      const [error] = (response.body as Problem).validationErrors ?? [];
      assert.equal(error?.index, 1);
      assert.match(error?.error ?? '', /UTF-8/);
      const long = JSON.stringify(makeMessage()).padEnd(1_000_001);
      assert.match(
        (await publishLines(`${long}\n${toLines([makeMessage()])}`)).text,
        /262144 bytes/,
      );
      assert.match((await publishLines(long.padEnd(5_000_000))).text, /262144 bytes/);
      const unsafe = makeMessage({ number: 1e300 });
      assert.match((await publish(unsafe)).text, /GoodsItemNumber/);
    });

    test('what is no JSON does not become any when white space is left out', async () => {
      const marker = await end();
      const text = JSON.stringify(makeMessage()).replace('"GrossMass":12', '"GrossMass":1 2');
      for (const raw of [text, `[${text}]`]) {
        const response = await publishRaw(raw);
        assert.equal(response.status, 400);
        assert.match(response.text, /valid JSON/);
      }
      assert.deepEqual(await read(marker), []);
    });

    test('items stand as they were added last, until they are removed by key or by their event', async () => {
      const [first, second] = [declarationId(101), declarationId(102)];
      const one = makeMessage({ declaration: first, number: 1 });
      const two = makeMessage({
        declaration: first,
        number: 2,
        eventType: 'ITEM_ADDED_NO_HISTORY',
      });
      const corrected = makeMessage({ declaration: first, number: 1, value: 3 });
      const other = makeMessage({ declaration: second });
      const ids = (messages: GoodsItemMessage[]) =>
        messages.map(({ metadata }) => metadata.eventId);
      await publish([two, one, other]);
      assert.deepEqual(await current(first), ids([one, two]));
      await publish(corrected);
      assert.deepEqual(await current(first), ids([corrected, two]));
      // What was replaced does not stand any longer, so there is nothing to take back.
      await publish(makeBareRemoval(one.metadata.eventId));
      assert.deepEqual(await current(first), ids([corrected, two]));
      await publish(makeBareRemoval(two.metadata.eventId));
      assert.deepEqual(await current(first), ids([corrected]));
      await publish(makeMessage({ declaration: first, number: 1, eventType: 'ITEM_REMOVED' }));
      assert.deepEqual(await current(first), []);
      // One that names no event of the stream removes by its key.
      const related = { relatedEventId: randomUUID(), eventType: 'ITEM_REMOVED' as const };
      await publish(makeMessage({ declaration: second, ...related }));
      assert.deepEqual(await current(second), []);
      // An old message again changes nothing.
      assert.deepEqual((await publish(one)).body, { accepted: 0, duplicates: 1 });
      assert.deepEqual(await current(first), []);
    });

    test('a removal whose data is not what its related event added is refused', async () => {
      const declaration = declarationId(103);
      const added = makeMessage({ declaration });
      const removal = makeMessage({
        declaration,
        number: 2,
        eventType: 'ITEM_REMOVED',
        relatedEventId: added.metadata.eventId,
      });
      assert.equal((await publish([added, removal])).status, 400);
      await publish(added);
      const response = await publish(removal);
      assert.equal(response.status, 400);
      assert.match(response.text, /relatedEventId/);
      assert.deepEqual(await current(declaration), [added.metadata.eventId]);
    });

    test('10,000 lines are all or nothing; more come in blocks, and how far is reported', async () => {
      const marker = await end();
      const many = Array.from({ length: 10_000 }, (_, number) =>
        makeMessage({ declaration: declarationId(2000 + number) }),
      );
      const spoilt = await publishLines(`${toLines(many.slice(0, 9_999))}{}\n`);
      assert.equal(spoilt.status, 400);
      assert.deepEqual((spoilt.body as Problem).published, { accepted: 0, duplicates: 0 });
      assert.deepEqual(await read(marker), []);

      const whole = await publishLines(toLines(many));
      assert.deepEqual(whole.body, { accepted: 10_000, duplicates: 0 });
      const further = Array.from({ length: 4_500 }, () => makeMessage());
      const mixed = `${toLines([...many, ...further])}{}\n${toLines([makeMessage()])}{}\n`;
      const response = await publishLines(mixed);
      assert.equal(response.status, 400);
      const { published, validationErrors = [] } = response.body as Problem;
      assert.deepEqual(published, { accepted: 4_000, duplicates: 10_000 });
      assert.deepEqual([...new Set(validationErrors.map(({ index }) => index))], [14_500, 14_502]);
      const rest = await publishLines(toLines([...many, ...further]));
      assert.deepEqual(rest.body, { accepted: 500, duplicates: 14_000 });
      const lines: string[] = [];
      for (let page = await read(marker); page.length > 0; ) {
        lines.push(...page);
        page = await read((JSON.parse(page.at(-1) ?? '') as GoodsItemMessage).metadata.eventId);
      }
      assert.equal(`${lines.join('\n')}\n`, toLines([...many, ...further]));
    });

    test('all who follow the stream get every message once, in its order, while it is published', async () => {
      const marker = await end();
      const messages = Array.from({ length: 250 }, () => makeMessage());
      const followers = Array.from({ length: 5 }, () =>
        readEvents(playground, `${PATH}?marker=${marker}`, 'statistics', messages.length),
      );
      for (let start = 0; start < messages.length; ) {
        const some = messages.slice(start, start + 1 + (start % 40));
        await publish(some);
        start += some.length;
      }
      for (const events of await Promise.all(followers)) {
        assert.deepEqual(
          events.map(({ data }) => data),
          messages.map((message) => JSON.stringify(message)),
        );
      }
    });

    test('a made-up history with corrections and withdrawals comes to the items that a reader makes of it', async () => {
      const marker = await end();
      const history = [...generateGoodsItems({ declarations: 150, seed: 7 })];
      const response = await publishLines(toLines(history));
      assert.deepEqual(response.body, { accepted: history.length, duplicates: 0 }, response.text);
      const lines = await read(marker);
      assert.deepEqual(
        lines,
        history.slice(0, 1000).map((message) => JSON.stringify(message)),
      );
      const items = new ReadItems();
      for (const message of history) items.apply(message);
      const declarations = new Set(
        history.flatMap(({ data }) => data?.GoodsItem.DeclarationIdentification ?? []),
      );
      const found: string[] = [];
      for (const declaration of declarations) found.push(...(await current(declaration)));
      assert.deepEqual(found.sort(), items.state.map((item) => item.split(' ')[2] ?? '').sort());
    });

    test('a large page is compressed on request, with the same content; a small one is not', async () => {
      const plain = await playground.get(PATH, 'statistics', { 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      const [first] = plain.body as GoodsItemMessage[];
      const address = `${PATH}?marker=${first?.metadata.eventId}&limit=500`;
      const identity = await playground.get(address, 'statistics', { 'accept-encoding': '' });
      for (const [accepted, given] of [
        ['gzip', 'gzip'],
        ['br, gzip', 'br'],
        ['br;q=0.1, gzip', 'gzip'],
        ['gzip', 'gzip'],
      ] as const) {
        const response = await playground.get(address, 'statistics', {
          'accept-encoding': accepted,
        });
        assert.equal(response.headers.get('content-encoding'), given, accepted);
        assert.equal(response.headers.get('vary'), 'Origin, Accept-Encoding');
        assert.equal(response.text, identity.text);
      }
      const items = await playground.get(`${PATH}/current`, 'statistics', {
        'accept-encoding': 'gzip',
      });
      assert.equal(items.headers.get('content-encoding'), 'gzip');
      const small = await playground.get(`${PATH}?limit=1`, 'statistics', {
        'accept-encoding': 'gzip',
      });
      assert.equal(small.headers.get('content-encoding'), null);
    });

    test('who may not is refused', async () => {
      assert.equal((await playground.post(PATH, 'statistics', makeMessage())).status, 403);
      assert.equal((await playground.get(PATH, 'carrier')).status, 403);
      assert.equal((await playground.get(`${PATH}/current`, 'carrier')).status, 403);
    });

    test('a page and a marker that were made up are refused', async () => {
      for (const page of ['nonsense', Buffer.from('x y z').toString('base64url')]) {
        assert.equal(
          (await playground.get(`${PATH}/current?page=${page}`, 'statistics')).status,
          400,
        );
      }
      const response = await playground.get(`${PATH}?marker=${randomUUID()}`, 'statistics');
      assert.match(response.text, /UNKNOWN_MARKER/);
    });
  });
}
