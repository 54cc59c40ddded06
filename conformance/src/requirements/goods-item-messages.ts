// Requirements on the members of a goods-item message.
import { randomUUID } from 'node:crypto';
import type { ValidationErrorCode } from '@landfall/contract';
import { makeBareRemoval, makeMessage, publishNew } from '../data/goods-items.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectProblem } from '../suite/expect.js';
import { type Area, api, decision, national } from '../suite/requirement.js';

const PUBLISH = 'publishGoodsItems';
const message = national('Declaration data, goods-item message');

/** A case in which a message with a changed member is refused. */
function refused(path: string, value: unknown, code: ValidationErrorCode, field = path) {
  return async (context: CaseContext) => {
    const changed: Record<string, unknown> = makeMessage();
    const names = path.split('.');
    const name = names.pop() ?? '';
    const owner = names.reduce<object>((part, step) => Reflect.get(part, step), changed);
    if (value === undefined) Reflect.deleteProperty(owner, name);
    else Reflect.set(owner, name, value);
    const response = await context.as('publisher').call(PUBLISH, { json: changed });
    expectProblem(response, 400, { code, field });
  };
}

const item = 'data.GoodsItem';

export const goodsItemMessages: Area = {
  name: 'Goods-item messages',
  requirements: [
    {
      id: 'GOOD-004',
      sentence:
        'The message is checked strictly: members that the schema does not have are UNKNOWN_MEMBER.',
      sources: [api(PUBLISH), decision(39)],
      needs: ['publisher'],
      cases: {
        'in the message': refused('comment', 'x', 'UNKNOWN_MEMBER'),
        'in metadata': refused('metadata.comment', 'x', 'UNKNOWN_MEMBER'),
        'in the goods item': refused(`${item}.Comment`, 'x', 'UNKNOWN_MEMBER'),
        'in a party': refused(
          `${item}.Declaration.Parties.Representative.Phone`,
          '1',
          'UNKNOWN_MEMBER',
        ),
      },
    },
    {
      id: 'GOOD-005',
      sentence:
        'Each member of the metadata has the type and the format of the message specification.',
      sources: [api(PUBLISH), message],
      needs: ['publisher'],
      cases: {
        'eventId in capital letters': refused(
          'metadata.eventId',
          randomUUID().toUpperCase(),
          'FORMAT',
        ),
        'no eventId': refused('metadata.eventId', undefined, 'REQUIRED'),
        'created without a time zone': refused('metadata.created', '2026-01-17T09:30:00', 'FORMAT'),
        'created on a day that does not exist': refused(
          'metadata.created',
          '2026-02-30T09:30:00Z',
          'FORMAT',
        ),
        'an unknown eventType': refused('metadata.eventType', 'ITEM_CHANGED', 'UNKNOWN_CODE'),
        'another version': refused('metadata.version', '0.11', 'UNKNOWN_CODE'),
        'no source': refused('metadata.source', undefined, 'REQUIRED'),
      },
    },
    {
      id: 'GOOD-006',
      sentence:
        'Each member of the goods item has the type, the format and the length of the message specification.',
      sources: [api(PUBLISH), message],
      needs: ['publisher'],
      cases: {
        'a declaration that begins with 0': refused(
          `${item}.DeclarationIdentification`,
          '0-20260117-1-01',
          'FORMAT',
        ),
        'the item number 0': refused(`${item}.GoodsItemNumber`, 0, 'FORMAT'),
        'an item number that is a text': refused(`${item}.GoodsItemNumber`, '1', 'FORMAT'),
        'a country in lower case': refused(`${item}.CountryOfOrigin`, 'de', 'FORMAT'),
        'a subheading of five digits': refused(
          `${item}.CommodityCode.HarmonizedSystemSubheadingCode`,
          '87032',
          'FORMAT',
        ),
        'a procedure of three digits': refused(
          `${item}.Procedure.RequestedProcedure`,
          '400',
          'FORMAT',
        ),
        'a mass that is a text': refused(`${item}.NetMass`, '11.5', 'FORMAT'),
        'an unknown direction': refused(
          `${item}.Declaration.DeclarationDirection`,
          'X',
          'UNKNOWN_CODE',
        ),
        'a date that does not exist': refused(
          `${item}.Declaration.DeclarationDate`,
          '2026-02-30',
          'FORMAT',
        ),
        'a name of 71 characters': refused(
          `${item}.Declaration.Consignment.Consignor.Name`,
          'x'.repeat(71),
          'SIZE',
        ),
        'an unknown status of the representative': refused(
          `${item}.Declaration.Parties.Representative.Status`,
          1,
          'UNKNOWN_CODE',
        ),
        'no representative': refused(
          `${item}.Declaration.Parties.Representative`,
          undefined,
          'REQUIRED',
        ),
        'a member that is null': refused(`${item}.SupplementaryUnit`, null, 'FORMAT'),
      },
    },
    {
      id: 'GOOD-007',
      sentence: 'data may be absent for ITEM_REMOVED alone, and then relatedEventId is required.',
      sources: [api(PUBLISH), message],
      needs: ['publisher', 'reader'],
      cases: {
        'an addition without data': refused('data', undefined, 'REQUIRED'),
        'a removal without data and relatedEventId': async (context) => {
          const { metadata } = makeMessage({ eventType: 'ITEM_REMOVED' });
          const response = await context.as('publisher').call(PUBLISH, { json: { metadata } });
          expectProblem(response, 400, { code: 'REQUIRED', field: 'metadata.relatedEventId' });
        },
        'a removal without data': async (context) => {
          await publishNew(context, [makeBareRemoval(randomUUID())]);
        },
      },
    },
  ],
};
