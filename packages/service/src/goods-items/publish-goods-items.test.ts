// An upload is worked through in slices, and what it holds is counted while it is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATOMIC_PUBLISH_BYTES, type FoundText } from '@landfall/contract';
import { AccessEndedError } from '../http/access-check.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import { publishGoodsItems } from './publish-goods-items.js';
import type { UploadPart } from './read-upload.js';
import { UploadBudget } from './upload-budget.js';

function partsOf(parts: readonly (readonly string[])[]): AsyncIterable<UploadPart> {
  return (async function* () {
    for (const part of parts) {
      const found: FoundText[] = part.map((text, index) => ({ line: index + 1, found: text }));
      yield { found, pendingBytes: 10 };
    }
  })();
}

const unlimited = () =>
  new UploadBudget({ organisation: Number.MAX_VALUE, total: Number.MAX_VALUE });

test('others have a turn while many messages that came at once are checked', async () => {
  let turns = 0;
  let done = false;
  const count = () => {
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  const { errors } = await publishGoodsItems(
    partsOf([Array.from({ length: 30_000 }, () => '{}')]),
    {
      sender: 1,
      publishBlock: async () => assert.fail('nothing is valid'),
      requireAccess: async () => undefined,
      held: unlimited().open(1),
      whole: false,
    },
  );
  done = true;
  assert.equal(errors.count, 60_000);
  assert.equal(errors.reported.length, 100);
  // Without slices there is one turn at max.
  assert(turns >= 4, `${turns} turns`);
});

test('messages are stored in blocks by bytes as well as by number, and no more is held', async () => {
  const information = { Code: 'ABC', Text: 'x'.repeat(500) };
  const large = () => {
    const message = makeMessage();
    const item = message.data?.GoodsItem;
    assert(item);
    item.AdditionalInformation = Array.from({ length: 95 }, () => information);
    return JSON.stringify(message);
  };
  const parts = Array.from({ length: 80 }, () => Array.from({ length: 10 }, large));
  const bytes = parts.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const budget = unlimited();
  const blocks: number[] = [];
  let max = 0;
  const held = budget.open(1);
  const outcome = await publishGoodsItems(partsOf(parts), {
    sender: 1,
    publishBlock: async (events) => {
      blocks.push(events.reduce((sum, event) => sum + event.bytes, 0));
      return { published: true, accepted: events.length, duplicates: 0 };
    },
    requireAccess: async () => undefined,
    held: {
      set: (heldBytes) => {
        max = Math.max(max, heldBytes);
        held.set(heldBytes);
      },
      release: held.release,
    },
    whole: false,
  });
  assert.deepEqual(outcome.stored, { accepted: 800, duplicates: 0 });
  assert.equal(
    blocks.reduce((sum, block) => sum + block, 0),
    bytes,
  );
  const [first = 0, ...others] = blocks;
  const mib = 1024 * 1024;
  assert(first <= ATOMIC_PUBLISH_BYTES && first > ATOMIC_PUBLISH_BYTES - mib, `${first} bytes`);
  assert(others.length > 1 && Math.max(...others) <= 4 * mib, `${others} bytes`);
  assert(max >= first - mib && max < ATOMIC_PUBLISH_BYTES + 6 * mib, `${max} bytes`);
});

test('no block is stored after the access of its sender has ended', async () => {
  const few = [[JSON.stringify(makeMessage())]];
  const many = Array.from({ length: 3 }, () =>
    Array.from({ length: 8000 }, () => JSON.stringify(makeMessage())),
  );
  for (const [parts, allowed] of [
    [few, 0],
    [many, 1],
  ] as const) {
    let checks = 0;
    let stored = 0;
    const publishing = publishGoodsItems(partsOf(parts), {
      sender: 1,
      publishBlock: async (events) => {
        stored++;
        return { published: true, accepted: events.length, duplicates: 0 };
      },
      requireAccess: async () => {
        if (++checks > allowed) throw new AccessEndedError();
      },
      held: unlimited().open(1),
      whole: false,
    });
    // If something was stored, the error says what, and has the reason as its cause.
    const error = await publishing.then(
      () => assert.fail('published'),
      (reason: Error) => reason,
    );
    assert(error instanceof AccessEndedError || error.cause instanceof AccessEndedError);
    assert.equal(stored, allowed);
  }
});
