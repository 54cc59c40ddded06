// What is listed of an event, and which events are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyOf, isShown, readEvent, readFilter, type StreamFilter } from './stream-event.js';

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
          ...{ GrossMass: 12.5, NetMass: 10, StatisticalValue: 400 },
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
      grossMass: 12.5,
      netMass: 10,
      value: 400,
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
  assert.deepEqual(shown({ commodity: '9503', direction: 'I' }), ['added']);
  assert.deepEqual(shown({ commodity: '01' }), []);
  assert.deepEqual(shown({ from: '2026-01-17T09:30:00.000Z' }), ['added', 'exported', 'removed']);
  assert.deepEqual(shown({ to: '2026-01-17T09:30:00.000Z' }), []);
});

test('the filters of an address are those that have a value', () => {
  const search = new URLSearchParams('type=ITEM_ADDED&declaration=%20&other=1');
  assert.deepEqual(readFilter(search, 'UTC'), { type: 'ITEM_ADDED' });
});

test('times of an address are those of the customs offices', () => {
  const search = new URLSearchParams('since=2026-01-17T10:30&commodity=95 03');
  assert.deepEqual(readFilter(search, 'Europe/Oslo'), {
    commodity: '9503',
    from: '2026-01-17T09:30:00.000Z',
  });
});

test('the history of a goods item has its removals, also those that name it by its event alone', () => {
  const removal = (id: string, relatedEventId: string) =>
    readEvent(
      JSON.stringify({
        metadata: { eventId: id, eventType: 'ITEM_REMOVED', created: 'now', relatedEventId },
      }),
    );
  const added = readEvent(messageOf('ITEM_ADDED', '974761076-20260117-4711-01'));
  const [bare, other] = [removal('r', added.id), removal('o', 'x')];
  const all = [added, events.exported, other, bare];
  for (const one of [added, bare]) {
    assert.deepEqual(
      historyOf(all, one).map(({ id }) => id),
      [added.id, 'r'],
    );
  }
  assert.deepEqual(historyOf(all, other), [other]);
});
