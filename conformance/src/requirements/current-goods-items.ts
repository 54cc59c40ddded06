import {
  eventIdOf,
  makeBareRemoval,
  makeMessage,
  publishNew,
  readCurrent,
} from '../data/goods-items.js';
import { newDeclarationIdentification } from '../data/identifiers.js';
import { nextPage, readAll, readEntries } from '../data/read-feed.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const LIST = 'listGoodsItems';
const CURRENT = 'listCurrentGoodsItems';

export const currentGoodsItems: Area = {
  name: 'Current goods items',
  requirements: [
    {
      id: 'GOOD-024',
      sentence:
        'The current items are those that exist after all additions and removals, in the order of the stream.',
      sources: [api(CURRENT), decision(40)],
      needs: ['publisher', 'reader'],
      cases: {
        'added, replaced, removed by key and by event': async (context) => {
          const declaration = newDeclarationIdentification();
          const make = (number: number, more = {}) => makeMessage({ declaration, number, ...more });
          const [one, two, three] = [make(1), make(2), make(3)];
          const replaced = make(2, { eventType: 'ITEM_ADDED_NO_HISTORY' });
          await publishNew(context, [one, two, three, replaced]);
          expectEqual(
            (await readCurrent(context, declaration)).sort(),
            [one, replaced, three].map(eventIdOf).sort(),
            'the current items after a replacement',
          );
          await publishNew(context, [make(1, { eventType: 'ITEM_REMOVED' })]);
          await publishNew(context, [makeBareRemoval(eventIdOf(three))]);
          expectEqual(
            await readCurrent(context, declaration),
            [eventIdOf(replaced)],
            'the current items after removals',
          );
        },
        'a removal of an event that was replaced removes nothing': async (context) => {
          const declaration = newDeclarationIdentification();
          const [first, second] = [makeMessage({ declaration }), makeMessage({ declaration })];
          await publishNew(context, [first, second, makeBareRemoval(eventIdOf(first))]);
          expectEqual(
            await readCurrent(context, declaration),
            [eventIdOf(second)],
            'the current items',
          );
        },
        'a removal with data removes the item, also when its related event was replaced': async (
          context,
        ) => {
          const declaration = newDeclarationIdentification();
          const [first, second] = [makeMessage({ declaration }), makeMessage({ declaration })];
          const relatedEventId = eventIdOf(first);
          const removal = makeMessage({ declaration, eventType: 'ITEM_REMOVED', relatedEventId });
          await publishNew(context, [first, second, removal]);
          expectEqual(await readCurrent(context, declaration), [], 'the current items');
        },
        'a declaration without items': async (context) => {
          expectEqual(
            await readCurrent(context, newDeclarationIdentification()),
            [],
            'the current items',
          );
        },
      },
    },
    {
      id: 'GOOD-025',
      sentence:
        'Every page of the current items has the same Landfall-Marker, after which the stream continues without a gap.',
      sources: [api(CURRENT), decision(40)],
      needs: ['publisher', 'reader'],
      cases: {
        'three items in pages of 1, and a message published between the pages': async (context) => {
          const declaration = newDeclarationIdentification();
          const items = [1, 2, 3].map((number) => makeMessage({ declaration, number }));
          await publishNew(context, items);
          const reader = context.as('reader');
          const first = await reader.call(CURRENT, { query: { declaration, limit: 1 } });
          const marker = first.headers.get('landfall-marker');
          expect(marker !== null, 'the first page has no Landfall-Marker');
          const later = makeMessage({ declaration, number: 4 });
          await publishNew(context, [later]);
          const found = readEntries(first);
          let next = nextPage(first, context.settings.baseUrl);
          expect(next !== undefined, 'the first page has no Link with rel="next"');
          for (let pages = 0; next !== undefined && pages < 10; pages++) {
            const page = await reader.call(CURRENT, { query: [...next.searchParams] });
            expectEqual(
              page.headers.get('landfall-marker'),
              marker,
              'Landfall-Marker of a later page',
            );
            found.push(...readEntries(page));
            next = nextPage(page, context.settings.baseUrl);
          }
          const read = new Set(found.map(eventIdOf));
          expect(
            items.every((one) => read.has(eventIdOf(one))),
            'the pages do not have every item',
          );
          const rest = await readAll(reader, LIST, marker);
          expect(
            rest.some((one) => eventIdOf(one) === eventIdOf(later)),
            'the stream after the marker has not the later message',
          );
          expect(
            !rest.some((one) => eventIdOf(one) === eventIdOf(items[2])),
            'the stream after the marker repeats an item',
          );
        },
      },
    },
    {
      id: 'GOOD-026',
      sentence: 'A page of current items that the service did not issue is refused.',
      sources: [api(CURRENT)],
      needs: ['reader'],
      cases: {
        'a text that is no page': async (context) => {
          const response = await context.as('reader').call(CURRENT, { query: { page: 'nothing' } });
          expectProblem(response, 400);
        },
        'a declaration that is none': async (context) => {
          const response = await context
            .as('reader')
            .call(CURRENT, { query: { declaration: 'x' } });
          expectProblem(response, 400, { code: 'FORMAT', field: 'declaration' });
        },
      },
    },
  ],
};
