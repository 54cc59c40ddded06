// What is listed of an event, and which events are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShown, readEvent, readFilter, type StreamFilter } from './stream-event.js';

function messageOf(eventType: string, declaration?: string, direction = 'I'): string {
  return JSON.stringify({
    metadata: { eventId: `id-${direction}`, eventType, created: '2026-01-17T09:30:00Z' },
    ...(declaration && {
      data: {
        GoodsItem: {
          DeclarationIdentification: declaration,
          GoodsItemNumber: 3,
          Declaration: { DeclarationDirection: direction },
          CommodityCode: {
            HarmonizedSystemSubheadingCode: '950300',
            CombinedNomenclatureCode: '75',
            TARICCode: '10',
          },
        },
      },
    }),
  });
}

const events = {
  added: readEvent(messageOf('ITEM_ADDED', '974761076-20260117-4711-01')),
  exported: readEvent(messageOf('ITEM_ADDED', '974761076-20260118-1-01', 'O')),
  removed: readEvent(messageOf('ITEM_REMOVED')),
};

function shown(filter: StreamFilter): string[] {
  return Object.entries(events)
    .filter(([, event]) => isShown(event, filter))
    .map(([name]) => name);
}

test('an event is listed with its goods item, and with its text as it was published', () => {
  const text = messageOf('ITEM_ADDED', '974761076-20260117-4711-01');
  assert.deepEqual(readEvent(text), {
    text,
    id: 'id-I',
    type: 'ITEM_ADDED',
    created: '2026-01-17T09:30:00Z',
    item: {
      declaration: '974761076-20260117-4711-01',
      number: 3,
      direction: 'I',
      commodity: '95030075',
    },
  });
  assert.equal(events.removed.item, undefined);
});

test('every filter must match, and no filter admits all', () => {
  assert.deepEqual(shown({}), ['added', 'exported', 'removed']);
  assert.deepEqual(shown({ type: 'ITEM_ADDED' }), ['added', 'exported']);
  assert.deepEqual(shown({ type: 'ITEM_ADDED', direction: 'O' }), ['exported']);
  assert.deepEqual(shown({ declaration: '974761076-20260117' }), ['added']);
  assert.deepEqual(shown({ declaration: '4711' }), []);
});

test('the filters of an address are those that have a value', () => {
  const search = new URLSearchParams('type=ITEM_ADDED&declaration=%20&other=1');
  assert.deepEqual(readFilter(search), { type: 'ITEM_ADDED' });
});
