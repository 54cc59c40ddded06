// What readers of the stream see in the console.
import assert from 'node:assert/strict';
import { makeMessage } from '../../../../service/dist/testing/goods-item-messages.js';
import { clientOf } from './act.js';
import { flow } from './flow.js';

flow(
  'the stream of goods items comes live, and each message is there as it was published',
  async (console) => {
    const { page, playground, open, signIn, reported } = console;
    const publisher = await clientOf(playground, 'authority');
    const added = JSON.stringify(makeMessage({ number: 2, value: 1 })).replace(
      '"NetMass":',
      '"NetMass": ',
    );
    await publisher.publishGoodsItems(added);
    await signIn('statistics');
    await open('/stream');
    await page.getByText('No event was published since this page was opened.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const { metadata } = makeMessage();
    const removed = {
      ...metadata,
      eventType: 'ITEM_REMOVED' as const,
      relatedEventId: JSON.parse(added).metadata.eventId,
    };
    const events = [makeMessage({ number: 3 }), { metadata: removed }];
    await publisher.publishGoodsItems(events.map((one) => JSON.stringify(one)).join('\n'));
    await page.getByText('2 of 2 events match').waitFor();
    await page.getByLabel('Event', { exact: true }).selectOption('Removed');
    await page.getByText('1 of 2 events match').waitFor();
    await page.getByText('From the oldest event').click();
    await page.getByText('1 of 3 events match').waitFor();
    await page.getByLabel('Event', { exact: true }).selectOption('All events');
    await page.getByLabel('Only this declaration').fill('974761076-20260117-1');
    await page.getByText('2 of 3 events match').waitFor();
    await page
      .getByRole('row', { name: /^Added 974761076-20260117-1-01 2 / })
      .getByRole('link')
      .click();
    await page.getByRole('tab', { name: 'As published' }).click();
    const text = await page.getByRole('region', { name: 'As published' }).textContent();
    assert.equal(text, added);
    await page.getByText(`${Buffer.byteLength(added)} bytes`).waitFor();
    // The item of the message was removed; another one of its declaration was not.
    const current = page.getByRole('table', { name: /^Current goods items/ });
    await current.getByRole('row', { name: /^3 / }).waitFor();
    assert.equal(await current.getByRole('row').count(), 2);
    // The address opens the same event.
    await page.reload();
    await page.getByRole('tab', { name: 'Readable' }).waitFor();
    await page.getByRole('button', { name: 'All events' }).click();
    await page.getByText('2 of 3 events match').waitFor();
    assert.deepEqual(reported, []);
  },
);
