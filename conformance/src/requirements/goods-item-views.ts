// Requirements on views of the goods-item stream. Each case has an organisation of its own, because a view would hide from other
// cases what they read.
import { setTimeout as delay } from 'node:timers/promises';
import type { GoodsItemMessage, GoodsItemView, ValidationError } from '@landfall/contract';
import { eventIdOf, makeBareRemoval, makeMessage, publishNew } from '../data/goods-items.js';
import { newDeclarationIdentification } from '../data/identifiers.js';
import { type Entry, memberOf, nextPage, readEntries } from '../data/read-feed.js';
import { obtain, registerClient } from '../data/registered-client.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const PUT = 'putGoodsItemView';
const GET = 'getGoodsItemView';
const DELETE = 'deleteGoodsItemView';
const LIST = 'listGoodsItems';
const CURRENT = 'listCurrentGoodsItems';
const TRY = 'tryGoodsItemView';
const LIST_VIEWS = 'listGoodsItemViews';

/** Within this time a changed view applies, in milliseconds: seconds, and a busy machine. */
const APPLIES_WITHIN_MS = 20_000;

/** How often it is tried whether a view applies, in milliseconds. */
const POLL_INTERVAL_MS = 300;

/** At most so many pages are read after a message that the case has published. */
const MAX_PAGES = 100;

/** An organisation that may read the stream, and its view. */
type Reader = {
  organisation: string;
  /** Everything from a query on, of the stream or of the current items. */
  read(operation: typeof LIST | typeof CURRENT, query: Record<string, string>): Promise<Entry[]>;
};

async function makeReader(context: CaseContext): Promise<Reader> {
  const identity = await registerClient(context, 'declaration.feed');
  const response = await obtain(context, identity);
  expectStatus(response, 200);
  const token = String(readObject(response).access_token);
  return {
    organisation: identity.organisation,
    read: async (operation, first) => {
      const found: Entry[] = [];
      let query: readonly [string, string][] = Object.entries(first);
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const page = await context.anonymous.call(operation, { query, token });
        expectStatus(page, 200);
        expectSchema(operation, page);
        found.push(...readEntries(page));
        const next = nextPage(page, context.settings.baseUrl);
        if (next === undefined) break;
        query = [...next.searchParams];
      }
      return found;
    },
  };
}

/** Sets the view of an organisation that has none. */
async function setView(
  context: CaseContext,
  organisation: string,
  view: GoodsItemView,
): Promise<string> {
  const response = await context.as('authority').call(PUT, { path: { organisation }, json: view });
  expectStatus(response, 200);
  expectSchema(PUT, response);
  const stored = readObject(response);
  expectEqual(stored.view, view, 'the view');
  expectEqual(response.headers.get('etag'), stored.etag, 'ETag');
  return String(stored.etag);
}

/** A message of these goods, to which other cases add nothing. */
const wine = (declaration: string, number: number) =>
  makeMessage({ declaration, number, subheading: '220421' });
const car = (declaration: string, number: number) => makeMessage({ declaration, number });

/** What a view that grants the code alone leaves of a message. */
function codeOnly({ metadata, data }: GoodsItemMessage): unknown {
  const { DeclarationIdentification, GoodsItemNumber, CommodityCode } = data?.GoodsItem ?? {};
  return {
    metadata,
    data: { GoodsItem: { DeclarationIdentification, GoodsItemNumber, CommodityCode } },
  };
}

const isOf =
  (declaration: string) =>
  (entry: Entry): boolean =>
    memberOf(entry, 'data.GoodsItem.DeclarationIdentification') === declaration;

export const goodsItemViews: Area = {
  name: 'Views of the goods-item stream',
  requirements: [
    {
      id: 'VIEW-001',
      sentence:
        'An organisation with a view gets the messages that it shows, in their order, with the members that it grants.',
      sources: [api(PUT, LIST, CURRENT), decision(301)],
      needs: ['authority', 'publisher'],
      cases: {
        'the stream and the current items, by chapter and member': async (context) => {
          const reader = await makeReader(context);
          const view = { chapters: ['22'], members: ['GoodsItem.CommodityCode'] };
          await setView(context, reader.organisation, view as GoodsItemView);
          const declaration = newDeclarationIdentification();
          const [before, hidden, one, two] = [
            car(declaration, 1),
            car(declaration, 2),
            wine(declaration, 3),
            wine(declaration, 4),
          ];
          await publishNew(context, [before, one, hidden, two]);
          const marker = eventIdOf(before);
          const expected = [codeOnly(one), codeOnly(two)];
          const read = await reader.read(LIST, { marker, limit: '1' });
          expectEqual(read.filter(isOf(declaration)), expected, 'the stream');
          expectEqual(await reader.read(CURRENT, { declaration }), expected, 'the current items');
        },
        'a day before which everything was accepted': async (context) => {
          const reader = await makeReader(context);
          await setView(context, reader.organisation, { from: '2026-01-18' });
          const declaration = newDeclarationIdentification();
          const message = car(declaration, 1);
          await publishNew(context, [message]);
          expectEqual(await reader.read(CURRENT, { declaration }), [], 'the current items');
        },
      },
    },
    {
      id: 'VIEW-002',
      sentence:
        'Whoever sees the addition of an item sees its removal, whatever the removal names.',
      sources: [api(PUT, LIST), decision(301)],
      needs: ['authority', 'publisher'],
      cases: {
        'with and without data': async (context) => {
          const reader = await makeReader(context);
          await setView(context, reader.organisation, { chapters: ['22'] });
          const declaration = newDeclarationIdentification();
          const [one, two] = [wine(declaration, 1), wine(declaration, 2)];
          const removals = [
            makeBareRemoval(eventIdOf(one)),
            makeMessage({ declaration, number: 2, eventType: 'ITEM_REMOVED' }),
          ];
          await publishNew(context, [one, two, ...removals]);
          const read = await reader.read(LIST, { marker: eventIdOf(one) });
          const ids = new Set(removals.map(eventIdOf));
          expectEqual(
            read.map(eventIdOf).filter((id) => ids.has(id)),
            removals.map(eventIdOf),
            'the removals',
          );
        },
      },
    },
    {
      id: 'VIEW-003',
      sentence: 'A view that is narrowed or removed applies within seconds.',
      sources: [api(PUT, DELETE), decision(301)],
      needs: ['authority', 'publisher'],
      cases: {
        'a view is set, and removed': async (context) => {
          const reader = await makeReader(context);
          const declaration = newDeclarationIdentification();
          await publishNew(context, [car(declaration, 1)]);
          const applies = async (count: number, what: string) => {
            const until = performance.now() + APPLIES_WITHIN_MS;
            for (;;) {
              const found = await reader.read(CURRENT, { declaration });
              if (found.length === count) return;
              expect(performance.now() < until, `${what} does not apply within seconds`);
              await delay(POLL_INTERVAL_MS, undefined, { signal: context.signal });
            }
          };
          await applies(1, 'that there is no view');
          const etag = await setView(context, reader.organisation, { chapters: ['22'] });
          await applies(0, 'the view');
          const path = { organisation: reader.organisation };
          const headers = { 'if-match': etag };
          const removed = await context.as('authority').call(DELETE, { path, headers });
          expectStatus(removed, 204);
          await applies(1, 'the removal of the view');
        },
      },
    },
    {
      id: 'VIEW-004',
      sentence: 'A view that grants nothing, or names what there is not, is refused.',
      sources: [api(PUT), decision(301)],
      needs: ['authority'],
      cases: {
        'an empty list': refused({ chapters: [] }, 'SIZE', 'chapters'),
        'no condition': refused({}, 'REQUIRED', ''),
        'a member that there is not': refused(
          { members: ['GoodsItem.Colour'] },
          'UNKNOWN_CODE',
          'members.0',
        ),
        'a misspelt condition': refused(
          { chapters: ['22'], chapter: ['23'] },
          'UNKNOWN_MEMBER',
          'chapter',
        ),
        'an organisation that is not registered': async (context) => {
          const response = await context.as('authority').call(PUT, {
            path: { organisation: 'conformance-nothing' },
            json: { chapters: ['22'] },
          });
          expectProblem(response, 404);
        },
      },
    },
    {
      id: 'VIEW-005',
      sentence: 'A view is replaced only as it was read.',
      sources: [api(PUT, GET, LIST_VIEWS)],
      needs: ['authority'],
      cases: {
        'without If-Match, with another one, and with its own': async (context) => {
          const { organisation } = await registerClient(context, 'declaration.feed');
          const etag = await setView(context, organisation, { chapters: ['22'] });
          const replace = (headers: Record<string, string>) =>
            context
              .as('authority')
              .call(PUT, { path: { organisation }, json: { chapters: ['24'] }, headers });
          expectProblem(await replace({}), 428);
          expectProblem(await replace({ 'if-match': '"another"' }), 412);
          expectStatus(await replace({ 'if-match': etag }), 200);
          const read = await context.as('authority').call(GET, { path: { organisation } });
          expectStatus(read, 200);
          expectSchema(GET, read);
          expectEqual(readObject(read).view, { chapters: ['24'] }, 'the view');
          // The marker is an id, and whatever sorts before this one.
          const query = { marker: organisation.slice(0, -1), limit: 1 };
          const listed = await context.as('authority').call(LIST_VIEWS, { query });
          expectStatus(listed, 200);
          expectSchema(LIST_VIEWS, listed);
          expectEqual(readEntries(listed), [readObject(read)], 'the list of views');
        },
      },
    },
    {
      id: 'VIEW-006',
      sentence: 'A view can be tried on the last messages, and nothing is stored.',
      sources: [api(TRY)],
      needs: ['authority', 'publisher'],
      cases: {
        'what it shows and skips': async (context) => {
          const declaration = newDeclarationIdentification();
          const [hidden, shown] = [car(declaration, 1), wine(declaration, 2)];
          await publishNew(context, [hidden, shown]);
          const json = { chapters: ['22'], members: ['GoodsItem.CommodityCode'] };
          const response = await context.as('authority').call(TRY, { json });
          expectStatus(response, 200);
          expectSchema(TRY, response);
          const trial = readObject(response);
          // The cast is true because the response has the schema.
          const messages = trial.messages as Entry[];
          const one = messages.find((each) => memberOf(each, 'eventId') === eventIdOf(hidden));
          const two = messages.find((each) => memberOf(each, 'eventId') === eventIdOf(shown));
          expectEqual([one?.shown, two?.shown], [false, true], 'what is shown');
          expectEqual(two?.message, codeOnly(shown), 'the message');
          const count = messages.filter((each) => each.shown === true).length;
          expectEqual(
            [trial.examined, trial.shown, trial.skipped],
            [messages.length, count, messages.length - count],
            'the counts',
          );
        },
      },
    },
  ],
};

function refused(json: unknown, code: ValidationError['code'], field: string) {
  return async (context: CaseContext) => {
    const { organisation } = await registerClient(context, 'declaration.feed');
    const response = await context.as('authority').call(PUT, { path: { organisation }, json });
    expectProblem(response, 400, { code, field });
  };
}
