// Views of the goods-item stream over HTTP, on both databases: a view never shows a message or a member that it does not grant,
// whatever is published and however it is read.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type {
  GoodsItemMessage,
  GoodsItemView,
  GoodsItemViewTrial,
  Problem,
  StoredGoodsItemView,
} from '@landfall/contract';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  declarationId,
  makeBareRemoval,
  makeMessage,
  toLines,
} from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { readEvents } from '../testing/read-events.js';
import { until } from '../testing/until.js';
import {
  makeMessages,
  makeView,
  markedTexts,
  ViewModel,
  writeOddly,
} from '../testing/view-model.js';
import { expireStep } from './expire-events.js';

const PATH = '/api/declaration/feed/v1/goods-items';
const VIEWS = '/api/authority/v1/goods-item-views';
const TRIALS = '/api/authority/v1/goods-item-view-trials';

/** For more: `VIEW_ROUNDS=200`. */
const ROUNDS = Number(process.env.VIEW_ROUNDS ?? 12);
const SEED = Number(process.env.VIEW_SEED ?? Date.now() % 1_000_000);

/** Mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`views on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let address: string;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      address = `${VIEWS}/${encodeURIComponent(playground.credentials('statistics').organisation)}`;
    });
    after(() => playground.close());

    const publish = async (raw: string) => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const response = await playground.call(PATH, {
        as: 'authority',
        method: 'POST',
        raw,
        headers,
      });
      assert.equal(response.status, 202, response.text);
    };
    const remove = () => playground.call(address, { as: 'authority', method: 'DELETE' });
    const put = (view: unknown, headers: Record<string, string> = {}) =>
      playground.call(address, { as: 'authority', method: 'PUT', body: view, headers });
    const set = async (view: GoodsItemView | undefined) => {
      await remove();
      if (view !== undefined) assert.equal((await put(view)).status, 200);
    };
    const read = async (query = '') => {
      const response = await playground.get(`${PATH}${query}`, 'statistics');
      assert.equal(response.status, 200, response.text);
      return response.body as GoodsItemMessage[];
    };
    const idsOf = (messages: readonly GoodsItemMessage[]) =>
      messages.map(({ metadata }) => metadata.eventId);
    /** Everything from an address on, page by page, with all that was received. */
    const readPages = async (first: string, accept: string) => {
      const received: string[] = [];
      const messages: unknown[] = [];
      for (let next: string | undefined = first; next !== undefined; ) {
        const response = await playground.get(next, 'statistics', { accept });
        assert.equal(response.status, 200, response.text);
        received.push(response.text, JSON.stringify([...response.headers]));
        const page: unknown[] = Array.isArray(response.body)
          ? response.body
          : response.text
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line));
        assert.equal(Number(response.headers.get('landfall-count')), page.length);
        messages.push(...page);
        const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        next = link?.slice(playground.playground.baseUrl.length);
        const token = link && new URL(link).searchParams.get('page');
        // The position of the next page names an item that was shown.
        if (token) received.push(Buffer.from(token, 'base64url').toString('latin1'));
      }
      return { messages, received: received.join('\n') };
    };

    test(`whatever is published, nothing is shown that the view does not grant (seed ${SEED})`, async () => {
      const random = makeRandom(SEED);
      const model = new ViewModel();
      const published: GoodsItemMessage[] = [];
      let removed = 0;
      let shownMessages = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const messages = [...makeMessages(random, 4)];
        await publish(messages.map((message) => `${writeOddly(message, random)}\n`).join(''));
        for (const message of messages) model.apply(message);
        published.push(...messages);
        if (round % 6 === 5) {
          const upTo = removed + Math.floor((model.length - removed) / 2);
          removed += (await expireStep(database, new Date(Date.now() + 60_000), upTo)).expired;
        }
        const view = random() < 0.1 ? undefined : makeView(random, published);
        await set(view);
        const context = JSON.stringify(view);
        const stream = model.shown(view, removed) as GoodsItemMessage[];
        const items = model.shownItems(view) as GoodsItemMessage[];
        shownMessages += stream.length;
        const limit = 1 + Math.floor(random() * 60);
        const accept = random() < 0.5 ? 'application/json' : 'application/x-ndjson';
        const pages = await readPages(`${PATH}?limit=${limit}`, accept);
        assert.deepEqual(pages.messages, stream, context);
        const currentPages = await readPages(`${PATH}/current?limit=${limit}`, accept);
        assert.deepEqual(currentPages.messages, items, context);
        const declaration = items.at(-1)?.data?.GoodsItem.DeclarationIdentification;
        const ofOne = await readPages(
          `${PATH}/current?declaration=${declaration ?? declarationId(0)}`,
          accept,
        );
        assert.deepEqual(
          ofOne.messages,
          items.filter(({ data }) => data?.GoodsItem.DeclarationIdentification === declaration),
        );
        const since = await readPages(`${PATH}?since=2020-01-01T00:00:00Z&limit=${limit}`, accept);
        assert.deepEqual(since.messages, stream, context);
        const events =
          stream.length === 0
            ? []
            : await readEvents(playground, PATH, 'statistics', stream.length);
        assert.deepEqual(
          events.map(({ data }) => JSON.parse(data)),
          stream,
          context,
        );
        assert.deepEqual(
          events.map(({ id }) => id),
          idsOf(stream),
        );
        const trial = await playground.post(
          TRIALS,
          'authority',
          view ?? { directions: ['I', 'O'] },
        );
        if (view !== undefined && model.length - removed <= 1000) {
          const { shown, examined, messages: tried } = trial.body as GoodsItemViewTrial;
          assert.deepEqual([shown, examined], [stream.length, model.length - removed], context);
          assert.deepEqual(
            tried.flatMap(({ message }) => message ?? []),
            stream,
            context,
          );
        }

        const received =
          [pages, currentPages, ofOne, since].map((each) => each.received).join('\n') +
          JSON.stringify(events);
        const granted = markedTexts(JSON.stringify([stream, items]));
        const notGranted = [...markedTexts(received)].filter((text) => !granted.has(text));
        assert.deepEqual(notGranted, [], context);
        const grantedIds = new Set(JSON.stringify([stream, items]).match(/[0-9a-f-]{36}/g));
        const grantedKeys = new Set(JSON.stringify([stream, items]).match(/\d+-\d{8}-\d+-\d{2}/g));
        for (const { metadata, data } of published) {
          if (!grantedIds.has(metadata.eventId))
            assert(!received.includes(metadata.eventId), context);
          const key = data?.GoodsItem.DeclarationIdentification ?? metadata.eventId;
          if (data !== undefined && !grantedKeys.has(key) && key !== declarationId(0))
            assert(!received.includes(key), context);
        }
      }
      assert(shownMessages > ROUNDS * 10, `${shownMessages} messages were shown`);
    });

    test('what is sent is what was published, byte for byte', async () => {
      await set({ members: ['GoodsItem.StatisticalValue', 'GoodsItem.DutiesAndTaxes.TaxType'] });
      const id = randomUUID();
      const line = JSON.stringify(makeMessage({ eventId: id, declaration: declarationId(900) }))
        .replace('"StatisticalValue":1250.5', '"Statistical\\u0056alue" : 1.2505000E+3 ')
        .replace(
          '"GoodsItemNumber":1,',
          '"GoodsItemNumber":1.0,"DutiesAndTaxes":[ {"TaxType":"1MV","PayableTaxAmount":1}, {"PayableTaxAmount":2,"Tax\\u0054ype":"\\u0031VA"}],',
        );
      await publish(`${line}\n`);
      const response = await playground.get(
        `${PATH}/current?declaration=${declarationId(900)}`,
        'statistics',
        { accept: 'application/x-ndjson' },
      );
      const metadata = line.slice(line.indexOf('{"eventId'), line.indexOf('}') + 1);
      assert.equal(
        response.text,
        `{"metadata":${metadata},"data":{"GoodsItem":{"DeclarationIdentification":"${declarationId(900)}","GoodsItemNumber":1.0,"DutiesAndTaxes":[{"TaxType":"1MV"},{"Tax\\u0054ype":"\\u0031VA"}],"Statistical\\u0056alue":1.2505000E+3}}}\n`,
      );
    });

    test('a consumer that sees an addition sees its removal, whatever the removal names', async () => {
      await set({ chapters: ['22'] });
      const added = [1, 2, 3].map((number) =>
        makeMessage({ declaration: declarationId(901), number, subheading: '220421' }),
      );
      const [first, second, third] = idsOf(added);
      assert(first && second && third);
      const other = makeMessage({ declaration: declarationId(902), subheading: '870323' });
      const removals = [
        makeBareRemoval(first),
        makeMessage({
          declaration: declarationId(901),
          number: 2,
          eventType: 'ITEM_REMOVED',
          subheading: '870323',
        }),
        makeMessage({
          declaration: declarationId(901),
          number: 3,
          eventType: 'ITEM_REMOVED',
          relatedEventId: third,
          subheading: '220421',
        }),
      ];
      const ofOther = makeBareRemoval(other.metadata.eventId);
      const marker = (await read()).at(-1)?.metadata.eventId;
      await publish(toLines([...added, other, ...removals, ofOther]));
      const shown = await read(marker === undefined ? '' : `?marker=${marker}`);
      assert.deepEqual(idsOf(shown), idsOf([...added, ...removals]));
      // The data of the second removal are of goods that the view does not show.
      assert.deepEqual(shown[4]?.data, {
        GoodsItem: { DeclarationIdentification: declarationId(901), GoodsItemNumber: 2 },
      });
      assert.deepEqual(shown[5], removals[2]);
    });

    test('a view that is narrowed ends an open stream of what it grants no longer, and a widened one shows what comes', async () => {
      await set(undefined);
      const stop = new AbortController();
      const response = await fetch(`${playground.playground.baseUrl}${PATH}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${await playground.token('statistics')}`,
        },
        signal: stop.signal,
      });
      let text = '';
      const following = (async () => {
        for await (const part of (response.body as ReadableStream<Uint8Array>).pipeThrough(
          new TextDecoderStream(),
        ))
          text += part;
      })().catch(() => undefined);
      const send = async (subheading: string) => {
        const message = makeMessage({ declaration: declarationId(903), number: 1, subheading });
        await publish(toLines([message]));
        return message.metadata.eventId;
      };
      const wine = await send('220421');
      await until(() => text.includes(wine));
      await set({ chapters: ['87'] });
      const [hidden, shown] = [await send('220421'), await send('870323')];
      await until(() => text.includes(shown));
      assert(!text.includes(hidden));
      await set({ chapters: ['22'] });
      const again = await send('220421');
      await until(() => text.includes(again));
      assert(!text.includes(hidden));
      stop.abort();
      await following;
    });

    test('a read that waits gets what its view shows, and a page that all may read is not given to one with a view', async () => {
      await set(undefined);
      await publish(
        toLines(
          [1, 2, 3].map((number) => makeMessage({ declaration: declarationId(907), number })),
        ),
      );
      const full = await playground.get(`${PATH}?limit=2`, 'statistics');
      await set({ chapters: ['77'], members: ['GoodsItem.NetMass'] });
      assert.notEqual((await playground.get(`${PATH}?limit=2`, 'statistics')).text, full.text);
      const marker = idsOf(full.body as GoodsItemMessage[]).at(-1);
      const waiting = playground.get(`${PATH}?marker=${marker}`, 'statistics', {
        prefer: 'wait=20',
      });
      const message = makeMessage({ declaration: declarationId(904), subheading: '770000' });
      await publish(toLines([makeMessage({ declaration: declarationId(905) })]));
      await publish(toLines([message]));
      assert.deepEqual(idsOf((await waiting).body as GoodsItemMessage[]).slice(-1), [
        message.metadata.eventId,
      ]);
      await set({ members: ['GoodsItem.NetMass'] });
      const limited = (await playground.get(`${PATH}?limit=2`, 'statistics')).text;
      await set(undefined);
      assert.equal((await playground.get(`${PATH}?limit=2`, 'statistics')).text, full.text);
      assert.notEqual(limited, full.text);
    });

    test('a view is set, replaced as it was read, listed and removed, and each change is in the audit trail', async () => {
      await set(undefined);
      assert.equal((await playground.get(address, 'authority')).status, 404);
      const first = await put({ chapters: ['22'] }, { 'if-none-match': '*' });
      const stored = first.body as StoredGoodsItemView;
      assert.equal(first.headers.get('etag'), stored.etag);
      assert.deepEqual(stored.view, { chapters: ['22'] });
      assert.deepEqual(
        (await put({ chapters: ['22'] })).body,
        stored,
        'the same again changes nothing',
      );
      assert.equal((await put({ chapters: ['23'] })).status, 428);
      assert.equal((await put({ chapters: ['23'] }, { 'if-none-match': '*' })).status, 412);
      assert.equal((await put({ chapters: ['23'] }, { 'if-match': '"other"' })).status, 412);
      const second = (await put({ directions: ['O'] }, { 'if-match': stored.etag }))
        .body as StoredGoodsItemView;
      assert.equal(second.version, stored.version + 1);
      assert.deepEqual((await playground.get(VIEWS, 'authority')).body, [second]);
      assert.deepEqual((await playground.get(address, 'authority')).body, second);
      const gone = { as: 'authority', method: 'DELETE', headers: { 'if-match': stored.etag } };
      assert.equal((await playground.call(address, gone)).status, 412);
      assert.equal((await remove()).status, 204);
      assert.equal((await remove()).status, 204);
      assert.deepEqual((await playground.get(VIEWS, 'authority')).body, []);
      const later = (await put({ directions: ['O'] })).body as StoredGoodsItemView;
      assert.equal(later.version, second.version + 2, 'no version means two views');
      const records = await database.query<{ action: string; details: { version: number } }>({
        name: '',
        text: `select entry::json ->> 'action' as action, entry::json -> 'details' as details from audit_record
          where entry like '%"goods-item-view.%' order by recorded_at desc limit 4`,
        values: [],
      });
      assert.deepEqual(
        records.map(({ action, details }) => [action, details.version - stored.version]),
        [
          ['goods-item-view.put', 3],
          ['goods-item-view.removed', 2],
          ['goods-item-view.put', 1],
          ['goods-item-view.put', 0],
        ],
      );
      const { breaks } = await verifyAudit(database, feedKinds);
      // Only the job of retention records what it removes.
      assert.deepEqual(
        breaks.filter(({ code }) => code !== 'REMOVAL_UNKNOWN'),
        [],
      );
      const unknown = await playground.call(`${VIEWS}/0192:999999999`, {
        as: 'authority',
        method: 'PUT',
        body: { chapters: ['22'] },
      });
      assert.equal(unknown.status, 404);
      assert.equal((await playground.get(address, 'statistics')).status, 403);
    });

    const wrong: [string, unknown, string, RegExp][] = [
      ['nothing', {}, '', /at least one member/],
      ['an empty list', { chapters: [] }, 'chapters', /between 1 and 99/],
      ['no members', { members: [] }, 'members', /between 1 and/],
      ['a chapter of three digits', { chapters: ['22', '221'] }, 'chapters.1', /01 to 99/],
      ['a procedure that is no code', { procedures: ['4x'] }, 'procedures.0', /two digits/],
      ['a direction that there is not', { directions: ['IN'] }, 'directions.0', /\[I, O\]/],
      [
        'a member that there is not',
        { members: ['GoodsItem.Weight'] },
        'members.0',
        /GoodsItem\.NetMass/,
      ],
      [
        'a path into a list by its index',
        { members: ['GoodsItem.DutiesAndTaxes.0'] },
        'members.0',
        /TaxType/,
      ],
      ['a day that does not exist', { from: '2026-02-30' }, 'from', /date/],
      [
        'an end before the beginning',
        { from: '2026-02-02', to: '2026-02-01' },
        'to',
        /before from/,
      ],
      ['a misspelt condition', { chapters: ['22'], chapter: ['23'] }, 'chapter', /not known/],
      ['a value twice', { chapters: ['22', '22'] }, 'chapters', /unique/],
    ];
    for (const [what, view, field, error] of wrong) {
      test(`${what} is refused, and named`, async () => {
        for (const response of [
          await put(view),
          await playground.post(TRIALS, 'authority', view),
        ]) {
          assert.equal(response.status, 400, response.text);
          const found = (response.body as Problem).validationErrors?.find(
            (each) => each.field === field,
          );
          assert.match(found?.error ?? response.text, error);
        }
      });
    }

    test('a view that shows one message of very many finds it, and does not search again what was searched', async () => {
      await set({ procedures: ['99'] });
      const marker = (await playground.get(`${PATH}/current?limit=1`, 'authority')).headers.get(
        'landfall-marker',
      );
      const message = makeMessage({ declaration: declarationId(906) });
      await database.query({
        name: '',
        text: `
          with made as (
            insert into goods_item_event (owner, position, id, declaration, number, topic, requested_procedure, accepted_on, published_at, entry)
            select 0, (select position from feed_state where kind = 6) + n, gen_random_uuid(), 'x', n, 'I.87', '40', '2026-01-17', now(), '{}'
            from generate_series(1, 70000) n
            returning position
          )
          update feed_state set position = (select max(position) from made) where kind = 6`,
        values: [],
      });
      assert.deepEqual(await read(`?marker=${marker}`), []);
      if (message.data) message.data.GoodsItem.Procedure.RequestedProcedure = '99';
      await publish(toLines([message]));
      const before = performance.now();
      assert.deepEqual(idsOf(await read(`?marker=${marker}`)), [message.metadata.eventId]);
      const took = performance.now() - before;
      assert(took < 1000, `${took} ms`);
      const response = await playground.get(`${PATH}/current`, 'statistics');
      assert.deepEqual(idsOf(response.body as GoodsItemMessage[]), [message.metadata.eventId]);
      assert.equal(response.headers.get('landfall-marker'), message.metadata.eventId);
      assert.equal(
        (await readEvents(playground, `${PATH}?marker=${marker}`, 'statistics', 1))[0]?.id,
        message.metadata.eventId,
      );
    });

    test('a read from the start begins with the oldest message that is kept, however many were removed', async () => {
      await database.query({
        name: '',
        text: `
          with stream as (select position - 1 as up_to from feed_state where kind = 6),
          gone as (delete from goods_item_event using stream where position <= up_to)
          update feed_state set removed_position = up_to from stream where kind = 6`,
        values: [],
      });
      await set({ procedures: ['99'] });
      for (let time = 0; time < 2; time++) assert.equal((await read()).length, 1);
      await set({ procedures: ['98'] });
      for (let time = 0; time < 2; time++) assert.deepEqual(await read(), []);
    });
  });
}
