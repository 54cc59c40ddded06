// What readers of the stream see in the console.
import assert from 'node:assert/strict';
import { ApiError } from '@landfall/client';
import {
  makeBareRemoval,
  makeMessage,
  toLines,
} from '../../../../service/dist/testing/goods-item-messages.js';
import { english } from '../../language/numbers.js';
import { clientOf } from './act.js';
import { flow } from './flow.js';

flow(
  'the stream of goods items comes live, and each message is there as it was published',
  async (console) => {
    const { page, browser, playground, open, signIn, reported } = console;
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
    await page.getByText('2 of these 2 events match').waitFor();
    await page.getByLabel('Event', { exact: true }).selectOption('Removed');
    await page.getByText('1 of these 2 events match').waitFor();
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
    const rules = page.getByRole('region', { name: 'Rules', exact: true });
    await rules.getByText(/^\d\d+ rules kept$/).waitFor();
    await rules.getByText(/^The \d+ rules that it keeps$/).click();
    await rules
      .getByText('data.GoodsItem.GrossMass: must not be null; must be a number', { exact: true })
      .waitFor();
    // The item of the message was removed; another one of its declaration was not.
    const current = page.getByRole('table', { name: /^Current goods items/ });
    await current.getByRole('row', { name: /^3 / }).waitFor();
    assert.equal(await current.getByRole('row').count(), 2);
    // The address opens the same event.
    await page.reload();
    await page.getByRole('tab', { name: 'Readable' }).waitFor();
    await page.getByRole('button', { name: 'All events' }).click();
    await page.getByText('2 of 3 events match').waitFor();
    // A list that is paused stays as it is.
    await page.getByLabel('Only this declaration').fill('');
    await page.getByRole('button', { name: 'Pause the list' }).click();
    await publisher.publishGoodsItems(JSON.stringify(makeMessage({ number: 4 })));
    await page.getByRole('button', { name: 'Continue the list (1 new)' }).waitFor();
    await page.getByText('3 of 3 events match').waitFor();
    await page.getByRole('button', { name: 'Continue the list (1 new)' }).click();
    await page.getByText('4 of 4 events match').waitFor();
    // The newest 5,000 are kept, and an event that is shown stays.
    await page.getByRole('link', { name: 'Added' }).first().click();
    await page.getByRole('tab', { name: 'Readable' }).waitFor();
    const shown = page.url();
    const many = Array.from({ length: 5_000 }, () => makeBareRemoval(removed.relatedEventId));
    await publisher.publishGoodsItems(toLines(many));
    await page.getByRole('button', { name: 'All events' }).click();
    await page.getByText('The newest 5,000 of 5,004 are shown.').waitFor();
    await page.getByText('5,000 of these 5,000 events match').waitFor();
    // What was dropped is not said not to be there.
    await page.getByLabel('Only this declaration').fill('of the first ones');
    await page.getByText('None of the 5,000 events that this page has matches').waitFor();
    assert.equal(await page.getByText('No event matches').count(), 0);
    await page.goto(shown);
    await page.getByRole('tab', { name: 'Readable' }).waitFor();
    await page.goto(shown.replace('from=start', ''));
    await page.getByText('This event is not among those that were read').waitFor();
    assert.deepEqual(reported, []);
    // What comes after the first page is not read yet.
    await browser.route(/goods-items\?.*marker=/, () => {});
    await open('/stream?from=start');
    await page.getByText('What is shown is correct, but not everything.').waitFor();
    await page.getByText('1,000 of these 1,000 events match').waitFor();
  },
);

flow('the stream is read from a time on', async ({ page, playground, open, signIn, reported }) => {
  const publisher = await clientOf(playground, 'authority');
  await publisher.publishGoodsItems(JSON.stringify(makeMessage({ number: 5 })));
  await signIn('statistics');
  await open('/stream');
  await page.getByText('From a time', { exact: true }).click();
  const time = page.getByLabel(/^Published from/);
  const inYears = (years: number) =>
    new Date(Date.now() + years * 366 * 86_400_000).toISOString().slice(0, 16);
  await time.fill(inYears(1));
  await page.getByText('No event was published at that time or later.').waitFor();
  await time.fill(inYears(-1));
  await page.getByText('1 of these 1 events match').waitFor();
  await page.reload();
  await page.getByText('1 of these 1 events match').waitFor();
  assert.deepEqual(reported, []);
});

flow('messages are checked in the page as the service checks them', async (console) => {
  const { page, playground, open, signIn, reported } = console;
  await signIn('statistics');
  await open('/stream');
  await page.getByRole('link', { name: 'Check messages' }).click();
  const field = page.getByLabel('Messages', { exact: true });
  const check = page.getByRole('button', { name: 'Check', exact: true });
  await check.click();
  await page.getByText('Enter a message first.').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  const valid = makeMessage();
  await field.fill(JSON.stringify(valid, null, 2));
  await check.click();
  await page.getByText('The message keeps every rule').waitFor();
  const result = page.getByRole('list', { name: 'Checked messages' }).getByRole('listitem');
  await result.getByText(`Line 1 ${valid.metadata.eventId}`).waitFor();

  const broken = JSON.stringify({
    metadata: { ...valid.metadata, eventId: 'X', version: '1', created: '2026-02-30T00:00:00Z' },
    data: { GoodsItem: { ...valid.data?.GoodsItem, GrossMass: null, Remark: 1, Procedure: {} } },
  }).replace('"NetMass":11.5', '"NetMass":11.5,"NetMass":12');
  const lines = `${JSON.stringify(valid)}\n${broken}\n`;
  const publisher = await clientOf(playground, 'authority');
  const refusal = await publisher.publishGoodsItems(lines).then(
    () => assert.fail('was published'),
    (error) => error,
  );
  assert(refusal instanceof ApiError && refusal.validationErrors.length === 7);
  await field.fill(lines);
  await check.click();
  await page.getByText('1 of 2 messages break rules').waitFor();
  await result.getByText('7 rules broken').waitFor();
  const listed = await page.locator('li:has-text("Line 2") > ul > li').allTextContents();
  assert.deepEqual(
    listed,
    refusal.validationErrors.map(({ field, error, code }) => `${field}: ${error} ${code}`),
  );
  await result.getByText('Line 1').waitFor();

  await field.fill(`${JSON.stringify(valid)}\n{"metadata": tru}`);
  await check.click();
  await page.getByText('It is not JSON from line 2, character 14.').waitFor();
  // What was entered is there after the page is loaded again.
  await page.reload();
  assert.equal(await field.inputValue(), `${JSON.stringify(valid)}\n{"metadata": tru}`);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${index}`, 1]));
  await field.fill(JSON.stringify(many));
  await check.click();
  await result.getByText('More than 100 rules broken').waitFor();
  await result.getByText('The first 20 of more than 100 are shown.').waitFor();
  await field.fill(toLines(Array.from({ length: 101 }, () => valid)));
  await check.click();
  await page.getByText('The first 100 of 101 messages were checked.').waitFor();
  await page.getByText('20 of 100 messages are shown').waitFor();
  await field.fill('x'.repeat(600_000));
  await check.click();
  await page.getByText('The text has 600,000 bytes, and 524,288 can be checked here.').waitFor();
  await page.getByRole('button', { name: 'All events' }).click();
  await page.getByText('No events yet').waitFor();
  assert.deepEqual(reported, []);
  await signIn('carrier');
  await open('/stream');
  await page.getByText('You may not see this').waitFor();
});

flow(
  'a statistician reads an item as a sheet with its history, and takes sums and downloads away',
  async (console) => {
    const { page, playground, open, signIn, reported } = console;
    const publisher = await clientOf(playground, 'authority');
    const [first, second, third] = [
      makeMessage({ number: 1 }),
      makeMessage({ number: 2 }),
      makeMessage({ number: 3 }),
    ];
    const added = [first, second, third].map((one) => JSON.stringify(one));
    await publisher.publishGoodsItems(added.join('\n'));
    const removal = makeBareRemoval(second.metadata.eventId);
    await publisher.publishGoodsItems(JSON.stringify(removal));
    await signIn('statistics');
    await open('/stream?from=start');
    await page.getByText('4 of 4 events match').waitFor();
    const item = first.data?.GoodsItem;
    assert(item);
    const gross = english.count(3 * item.GrossMass);
    await page
      .getByText(`Of the 3 added goods items that are shown: gross mass ${gross} kg`)
      .waitFor();
    // Filters by commodity and time are in the address.
    await page.getByLabel('Commodity code begins with').fill('99');
    await page.getByText('No event matches').waitFor();
    await page
      .getByLabel('Commodity code begins with')
      .fill(item.CommodityCode.HarmonizedSystemSubheadingCode);
    await page.getByText('3 of 4 events match').waitFor();
    await page.getByLabel(/^Created before/).fill('2000-01-01T00:00');
    await page.getByText('No event matches').waitFor();
    await page.getByLabel(/^Created before/).fill('');
    await page.waitForURL(/commodity=/);
    await page.getByText('Downloads have the 3 events that are shown.').waitFor();
    const take = async (name: string) => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name }).click();
      const chunks = [];
      for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    assert.equal(await take('Download as lines'), `${added.join('\n')}\n`);
    const csv = await take('Download as CSV');
    assert.equal(csv.trimEnd().split('\r\n').length, 4);
    assert(csv.includes(`${second.metadata.eventId},ITEM_ADDED,`));
    await page
      .getByRole('row', { name: /^Added .* 2 / })
      .getByRole('link')
      .click();
    const sheet = page.getByRole('tabpanel', { name: 'Sheet' });
    await sheet.getByText('Goods item number').waitFor();
    await sheet.getByText('Country of origin').waitFor();
    const history = page.getByRole('table', { name: 'Events of the goods item' });
    await history.getByText('Added (this event)').waitFor();
    await page.getByText('All 4 events of the stream were searched.').waitFor();
    await history.getByRole('link', { name: 'Removed' }).click();
    await history.getByText('Removed (this event)').waitFor();
    // From now on, the page has nothing of the declaration, and the service has.
    await open(`/stream?declaration=${item.DeclarationIdentification}`);
    await page.getByText('Searched by the service, whatever this page has read.').waitFor();
    const current = page.getByRole('table', { name: /^Current goods items/ });
    await current.getByRole('row', { name: /^3 / }).waitFor();
    assert.equal(await current.getByRole('row').count(), 3);
    assert.deepEqual(reported, []);
  },
);
