// How the authority restricts what an organisation sees of the goods-item stream.
import assert from 'node:assert/strict';
import { makeMessage, toLines } from '../../../../service/dist/testing/goods-item-messages.js';
import { clientOf } from './act.js';
import { flow } from './flow.js';

const STATISTICS = '0192:310000035';

flow(
  'an officer tries a view, sets it, meets another officer, and removes it',
  async ({ page, playground, open, signIn }) => {
    const authority = await clientOf(playground, 'authority');
    const statistics = await clientOf(playground, 'statistics');
    const published = [
      makeMessage({ number: 1, subheading: '220300' }),
      makeMessage({ number: 2, subheading: '240220' }),
      makeMessage({ number: 3, subheading: '220300', direction: 'O' }),
    ];
    await authority.publishGoodsItems(toLines(published));
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');

    await signIn('authority');
    await open('/goods-item-views');
    await page.getByText('No organisation has a view').waitFor();
    await page.getByLabel('Organisation').fill(STATISTICS);
    await press('Set or show its view');
    await page.getByText(/^This organisation has no view/).waitFor();
    await press('Try');
    await page
      .getByRole('group', { name: 'There is a problem' })
      .getByText('Restrict something: without a view, everything is shown')
      .waitFor();
    await page.getByLabel('Chapters of the Harmonized System').fill('22');
    await page.getByLabel('Send only some members').check();
    await page.getByLabel('GoodsItem.CommodityCode', { exact: true }).check();
    const within = page.getByLabel('GoodsItem.CommodityCode.TARICCode', { exact: true });
    assert(await within.isDisabled());
    assert(await within.isChecked());
    await press('Try');
    await page.getByText('2 of the last 3 messages are shown.').waitFor();
    const sheet = page.getByRole('region', { name: /^What is sent of / });
    await sheet.getByText('Commodity code', { exact: true }).waitFor();
    assert.equal(await sheet.getByText('Net mass').count(), 0);
    // What was tried is what is set: another form has to be tried again.
    await page.getByLabel('Import', { exact: true }).check();
    await page.getByText(/^The form has changed since it was tried/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Set this view' }).count(), 0);
    await press('Try');
    await page.getByText('1 of the last 3 messages are shown.').waitFor();
    await press('Set this view');
    await dialog.getByText('Chapters 22').waitFor();
    await dialog.getByRole('button', { name: 'Set this view' }).click();
    await page.getByText('The view is set').waitFor();
    const stored = await authority.getGoodsItemView(STATISTICS);
    assert.deepEqual(stored.view, {
      chapters: ['22'],
      directions: ['I'],
      members: ['GoodsItem.CommodityCode'],
    });
    const { entries } = await statistics.listGoodsItems({});
    assert.deepEqual(
      entries.map(({ metadata }) => metadata.eventId),
      [published[0]?.metadata.eventId],
    );

    await page.getByLabel('Export', { exact: true }).check();
    await press('Try');
    await page.getByText('2 of the last 3 messages are shown.').waitFor();
    const chapters = { chapters: ['24'] };
    const { etag: ifMatch } = stored;
    await authority.putGoodsItemView(STATISTICS, chapters, { ifMatch });
    await press('Replace the view');
    await dialog.getByRole('button', { name: 'Replace the view' }).click();
    await page.getByText('Somebody else has changed the view meanwhile').waitFor();
    await page.waitForFunction(
      (id) => document.querySelector<HTMLInputElement>(id)?.value === '24',
      '#view-chapters',
    );
    assert.deepEqual((await authority.getGoodsItemView(STATISTICS)).view, chapters);

    await press('Remove the view');
    await dialog.getByRole('button', { name: 'Cancel' }).last().click();
    const other = await authority.getGoodsItemView(STATISTICS);
    assert.deepEqual(other.view, chapters);

    // What is said is what became of the last thing that was done.
    await authority.putGoodsItemView(STATISTICS, { chapters: ['23'] }, { ifMatch: other.etag });
    await press('Remove the view');
    await dialog.getByRole('button', { name: 'Remove the view' }).click();
    await page.waitForFunction(
      (id) => document.querySelector<HTMLInputElement>(id)?.value === '23',
      '#view-chapters',
    );
    await page.getByText('Somebody else has changed the view meanwhile').waitFor();
    await page.getByLabel('Chapters of the Harmonized System').fill('22');
    await press('Try');
    await press('Replace the view');
    await dialog.getByRole('button', { name: 'Replace the view' }).click();
    await page.getByText('The view is set').waitFor();
    assert.deepEqual((await authority.getGoodsItemView(STATISTICS)).view, { chapters: ['22'] });

    await press('Remove the view');
    await dialog.getByRole('button', { name: 'Remove the view' }).click();
    await page.getByText('The view was removed').waitFor();
    await page.getByText('No organisation has a view').waitFor();
    assert.deepEqual((await authority.listGoodsItemViews()).entries, []);
  },
);
