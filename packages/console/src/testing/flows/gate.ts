// What people at a gate do with the console.
import assert from 'node:assert/strict';
import type { ConsolePage } from '../open-console.js';
import { presentByApi } from './act.js';
import { flow } from './flow.js';

const GATE_FIELD = 'Identifier';

flow(
  'the gate says what may be done, for every identifier',
  async ({ page, open, playground, signIn }, context) => {
    await signIn('carrier');
    await open('/gate');
    await page.getByText('Live', { exact: true }).waitFor();
    const field = page.getByLabel(GATE_FIELD);
    const says = (title: string) => page.getByRole('heading', { level: 2, name: title }).waitFor();
    const scan = async (identifier: string) => {
      await field.fill(identifier);
      await field.press('Enter');
    };
    await scan('hc001');
    await says('Unknown to you');
    // The result changes when the signal comes.
    await presentByApi(playground, {
      transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
    });
    await says('May be released');
    await scan('HC002');
    await says('Must go to control at the border');
    await scan(' mawb0003 ');
    await says('Must go to control at the border');
    await page.getByText('The identifier is that of several consignments.').waitFor();
    await page.getByText('Control 1').waitFor();
    assert.match(page.url(), /id=mawb0003$/);
    for (const [identifier, title] of [
      ['HC001', 'May be released'],
      ['NO100000001MU', 'Unknown to you'],
    ] as const) {
      const shown = timeToHeading(page, title);
      await scan(identifier);
      context.diagnostic(`from Enter to "${title}": ${(await shown).toFixed(0)} ms`);
    }
  },
);

flow(
  'the gate is right before the signals have been read, and for goods that are not decided',
  async ({ page, browser, open, playground, signIn }) => {
    await signIn('carrier');
    await playground.scenarios.add({ kind: 'no-decision', reference: 'HC003' });
    for (const documentNumber of ['HC003', 'HC004']) {
      await presentByApi(playground, {
        transportDocumentHouseLevel: { documentNumber, type: 'N714' },
      });
    }
    // The stream of signals does not come.
    await browser.route('**/console/api/api/movement/routing/v1/house-consignment**', () => {});
    for (const [identifier, title] of [
      ['HC004', 'May be released'],
      ['HC003', 'Not decided'],
      ['MBL0005', 'Not decided'],
      ['HC001', 'Unknown to you'],
    ]) {
      await open(`/gate?id=${identifier}`);
      await page.getByRole('heading', { level: 2, name: title ?? '' }).waitFor();
    }
  },
);

flow('for the authority, the gate checks all goods', async (console) => {
  const { page, open, playground, signIn } = console;
  await signIn('authority');
  await open('/gate');
  const field = page.getByLabel(GATE_FIELD);
  await field.fill('HC002');
  await field.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Not presented' }).waitFor();
  await presentByApi(playground, { mrn: '23NO00000000000003' });
  await field.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Must go to control at the border' }).waitFor();
});

flow(
  'without a connection, the gate uses what has arrived and says since when',
  async (console) => {
    const { page, browser, open, playground, signIn } = console;
    await signIn('carrier');
    await presentByApi(playground, { receptacleId: 'GBASFZMLBKONAUN30001001019999' });
    await open('/gate');
    await page.getByText('Known consignments: 2').waitFor();
    const live = page.getByText('Live', { exact: true });
    await live.waitFor();
    // Without connection it could not be installed.
    await page.evaluate(async () => navigator.serviceWorker.ready);
    await browser.setOffline(true);
    await page
      .getByText(/^No connection since .+\d:\d\d/)
      .first()
      .waitFor();
    const field = page.getByLabel(GATE_FIELD);
    await field.fill('NO100000001MU');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Must go to control at the border' }).waitFor();
    await page
      .getByText(/^No connection\. The result is from what was known at .+\d:\d\d/)
      .waitFor();
    await field.fill('HC001');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Cannot be checked now' }).waitFor();
    // What is shown is checked again when the connection is back.
    await field.fill('HC004');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Cannot be checked now' }).waitFor();
    await browser.setOffline(false);
    await page.getByRole('heading', { name: 'Unknown to you' }).waitFor();
    await live.waitFor();
    await browser.setOffline(true);
    await page
      .getByText(/^No connection since .+\d:\d\d/)
      .first()
      .waitFor();
    await field.fill('HC001');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Cannot be checked now' }).waitFor();
    // It opens again without a connection, with what was known, and continues by itself.
    await page.reload();
    await page.getByRole('heading', { name: 'Cannot be checked now' }).waitFor();
    await page
      .getByText(/^No connection since .+\d:\d\d/)
      .first()
      .waitFor();
    await field.fill('NO100000001MU');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Must go to control at the border' }).waitFor();
    await field.fill('HC001');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Cannot be checked now' }).waitFor();
    const keeps = () => page.evaluate(() => sessionStorage.getItem('landfall-offline-copy'));
    assert.match((await keeps()) ?? '', /"csrfToken":""/);
    await browser.setOffline(false);
    await live.waitFor();
    await page.getByText('No connection', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Unknown to you' }).waitFor();
    // Nothing is kept for whoever comes next.
    await page.reload();
    assert.notEqual(await keeps(), null);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Change identity' }).click();
    await page.getByRole('button', { name: 'Continue as carrier' }).waitFor();
    assert.equal(await keeps(), null);
  },
);

/** The time from the next Enter until a heading is in the page, in milliseconds, measured in the page. */
function timeToHeading(page: ConsolePage['page'], title: string): Promise<number> {
  return page.evaluate(
    (expected) =>
      new Promise<number>((resolve) => {
        const begin = ({ key, timeStamp }: KeyboardEvent) => {
          if (key !== 'Enter') return;
          removeEventListener('keydown', begin, true);
          new MutationObserver((_, observer) => {
            const headings = [...document.querySelectorAll('h2')];
            if (!headings.some(({ textContent }) => textContent === expected)) return;
            observer.disconnect();
            resolve(performance.now() - timeStamp);
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
        };
        addEventListener('keydown', begin, true);
      }),
    title,
  );
}
