import {
  eventIdOf,
  makeMessage,
  publish,
  publishNew,
  readCurrent,
  readMessages,
} from '../data/goods-items.js';
import { newDeclarationIdentification } from '../data/identifiers.js';
import { expectEqual, expectProblem, expectStatus, readObject } from '../suite/expect.js';
import { type Area, api, decision, rfc } from '../suite/requirement.js';

const PUBLISH = 'publishGoodsItems';

export const goodsItemPublishing: Area = {
  name: 'Publishing goods items',
  requirements: [
    {
      id: 'GOOD-001',
      sentence:
        'One message, an array and lines are published with 202 and the number of new messages.',
      sources: [api(PUBLISH)],
      needs: ['publisher', 'reader'],
      cases: {
        'each form, in their order': async (context) => {
          const messages = Array.from({ length: 5 }, (_, index) =>
            makeMessage({ number: index + 1 }),
          );
          const [one, two, three, ...lines] = messages;
          await publish(context, one, { accepted: 1, duplicates: 0 });
          await publish(context, [two, three], { accepted: 2, duplicates: 0 });
          const response = await context.as('publisher').call(PUBLISH, {
            raw: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
            type: 'application/x-ndjson',
          });
          expectStatus(response, 202);
          expectEqual(readObject(response), { accepted: 2, duplicates: 0 }, 'the outcome');
          const ids = messages.map(eventIdOf);
          expectEqual((await readMessages(context, ids)).map(eventIdOf), ids, 'the stream');
        },
      },
    },
    {
      id: 'GOOD-002',
      sentence:
        'A message with the same eventId and content is a duplicate and is not stored again; with other content it is EVENT_ID_REUSED.',
      sources: [api(PUBLISH)],
      needs: ['publisher', 'reader'],
      cases: {
        'the same message again': async (context) => {
          const one = makeMessage();
          await publish(context, one, { accepted: 1, duplicates: 0 });
          await publish(context, [one, makeMessage()], { accepted: 1, duplicates: 1 });
          expectEqual(
            (await readMessages(context, [eventIdOf(one)])).length,
            1,
            'how often it is in the stream',
          );
        },
        'twice in one request': async (context) => {
          const one = makeMessage();
          await publish(context, [one, one], { accepted: 1, duplicates: 1 });
        },
        'another value': async (context) => {
          const one = makeMessage();
          await publish(context, one, { accepted: 1, duplicates: 0 });
          const { GoodsItem } = one.data;
          const other = { ...one, data: { GoodsItem: { ...GoodsItem, StatisticalValue: 7 } } };
          const response = await context.as('publisher').call(PUBLISH, { json: other });
          expectProblem(response, 400, { code: 'EVENT_ID_REUSED', field: 'metadata.eventId' });
        },
      },
    },
    {
      id: 'GOOD-003',
      sentence:
        'A request is published as a whole or not at all, and every error has the index, the eventId and the member of its message.',
      sources: [api(PUBLISH)],
      needs: ['publisher', 'reader'],
      cases: {
        'two of four messages are invalid': async (context) => {
          const good = [makeMessage(), makeMessage()];
          const { data: _, ...withoutData } = makeMessage();
          const unknown = { ...makeMessage(), extra: 1 };
          const json = [good[0], withoutData, good[1], unknown];
          const response = await context.as('publisher').call(PUBLISH, { json });
          expectProblem(response, 400, { code: 'REQUIRED', field: 'data' });
          expectProblem(response, 400, { code: 'UNKNOWN_MEMBER', field: 'extra' });
          const { validationErrors } = JSON.parse(response.text);
          const named = (validationErrors as Record<string, unknown>[]).map(
            ({ index, eventId }) => [index, eventId],
          );
          expectEqual(
            named,
            [
              [1, eventIdOf(withoutData)],
              [3, eventIdOf(unknown)],
            ],
            'index and eventId',
          );
          expectEqual(
            (await readMessages(context, good.map(eventIdOf))).length,
            0,
            'what is stored',
          );
        },
      },
    },
    {
      id: 'GOOD-008',
      sentence: 'A message in a line is returned byte for byte.',
      sources: [api(PUBLISH), decision(39)],
      needs: ['publisher', 'reader'],
      cases: {
        'with white space, escapes and a number in exponential form': async (context) => {
          const one = makeMessage({ value: 1250.5 });
          const line = JSON.stringify(one)
            .replace('1250.5', '1.2505e3')
            .replace('Werkstatt', 'W\\u0065rkstatt')
            .replace('{"metadata":', '{ "metadata" : ');
          const response = await context
            .as('publisher')
            .call(PUBLISH, { raw: `${line}\n`, type: 'application/x-ndjson' });
          expectStatus(response, 202);
          const start = await context.start('reader', 'listGoodsItems');
          const read = await context.as('reader').call('listGoodsItems', {
            query: { marker: start },
            headers: { accept: 'application/x-ndjson' },
          });
          expectStatus(read, 200);
          const found = read.text.split('\n').find((text) => text.includes(eventIdOf(one)));
          expectEqual(found, line, 'the line');
        },
      },
    },
    {
      id: 'GOOD-009',
      sentence: 'A message with two members of the same name is refused.',
      sources: [decision(25), rfc(8259, '4')],
      needs: ['publisher'],
      cases: {
        'two sources': async (context) => {
          const raw = JSON.stringify(makeMessage()).replace('"source":', '"source":"a","source":');
          const response = await context.as('publisher').call(PUBLISH, { raw });
          expectProblem(response, 400);
        },
      },
    },
    {
      id: 'GOOD-010',
      sentence: 'A removal whose data is not what its related event added is refused.',
      sources: [api(PUBLISH), decision(40)],
      needs: ['publisher', 'reader'],
      cases: {
        'another item number': async (context) => {
          const declaration = newDeclarationIdentification();
          const added = makeMessage({ declaration });
          await publishNew(context, [added]);
          const removal = makeMessage({
            declaration,
            number: 2,
            eventType: 'ITEM_REMOVED',
            relatedEventId: eventIdOf(added),
          });
          const response = await context.as('publisher').call(PUBLISH, { json: removal });
          expectProblem(response, 400);
          expectEqual(
            await readCurrent(context, declaration),
            [eventIdOf(added)],
            'the current items',
          );
        },
      },
    },
  ],
};
