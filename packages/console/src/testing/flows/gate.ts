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

flow(
  'each scan says when it was checked, whatever the scanner adds, and the last five stay',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('carrier');
    await presentByApi(playground, { mrn: '23NO00000000000003' });
    await open('/gate');
    const panel = page.getByRole('main').locator('[data-outcome]').first();
    const scan = async (text: string, title: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 2, name: title }).waitFor();
      await panel.getByText(/^Checked .+\d:\d\d:\d\d/).waitFor();
    };
    // A Code 128 and a Code 39 with what scanners send of their kinds; small letters, and blanks.
    await scan(']C1HC001', 'May be released');
    assert.equal(await page.getByLabel(GATE_FIELD).inputValue(), 'HC001');
    assert.equal(await panel.getByText('Do not release').count(), 0);
    await scan('*HC002*', 'Must go to control at the border');
    await panel.getByText('Do not release').waitFor();
    await scan('23no 0000 0000000003', 'Must go to control at the border');
    await scan('NOTHING', 'Unknown to you');
    await panel.getByText('Do not release').waitFor();
    const last = page.getByRole('region', { name: 'The last checks' }).getByRole('button');
    await last.first().getByText('23no 0000 0000000003').waitFor();
    assert.deepEqual(
      (await last.allTextContents()).map((text) => text.split(/Must|May/)[0]),
      ['23no 0000 0000000003', 'HC002', 'HC001'],
    );
    for (const one of await last.all()) {
      assert(((await one.boundingBox())?.height ?? 0) >= 56);
    }
    await page.getByRole('button', { name: /^Check HC001 again/ }).click();
    await page.getByRole('heading', { level: 2, name: 'May be released' }).waitFor();
    // A scan that follows at once loses no character: the field is selected when the event is over.
    await page.keyboard.type('HC002');
    const selected = await page.getByLabel(GATE_FIELD).evaluate(async (field: HTMLInputElement) => {
      field.form?.requestSubmit();
      await Promise.resolve();
      return [field.selectionStart, field.selectionEnd];
    });
    assert.deepEqual(selected, [0, 'HC002'.length]);
    await page
      .getByRole('button', { name: /^Check HC001 again/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 2, name: 'May be released' }).waitFor();
    // The next scan holds what was green.
    await page.keyboard.type('H');
    await panel.getByText('Do not release').waitFor();
  },
);

flow('what the gate has received is forgotten when the data is another one', async (console) => {
  const { page, browser, open, playground, signIn } = console;
  await signIn('carrier');
  await presentByApi(playground, {
    transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
  });
  await open('/gate');
  await page.getByText('Known consignments: 2').waitFor();
  // As after a database was restored: the page is not told of it.
  await playground.reset();
  await page.getByText('Known consignments: 0').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  // The service does not answer: what was known before would be all that there is.
  await browser.route('**/routing/v1/release*', () => {});
  await page.keyboard.type('HC001');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(1_000);
  await page.getByRole('heading', { level: 2, name: 'Checking' }).waitFor();
  assert.equal(await page.getByText('May be released').count(), 0);
});

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
    await page.getByText(/^As known at .+\d:\d\d.*, not checked$/).waitFor();
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

/** What can have the focus, apart from the field. */
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])';

flow(
  'a scan reaches the gate, whatever has the focus',
  async ({ page, open, playground, signIn }) => {
    await signIn('carrier');
    await presentByApi(playground, {
      transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
    });
    await open('/gate');
    const field = page.getByLabel(GATE_FIELD);
    const result = (name: string) => page.getByRole('heading', { level: 2, name });
    const known = [
      ['HC001', 'May be released'],
      ['HC002', 'Must go to control at the border'],
    ] as const;
    const [[, first]] = known;
    let [before, number]: [string, number] = ['Ready', 0];
    const scan = async (focus: () => Promise<unknown>) => {
      const [identifier, title] = known[number++ % known.length] ?? known[0];
      await result(before).waitFor();
      await focus();
      await page.keyboard.press(identifier.slice(0, 1));
      // From its first character the old result is gone.
      await result('Not checked yet').waitFor();
      assert.equal(await result(before).count(), 0);
      await page.keyboard.type(identifier.slice(1));
      await page.keyboard.press('Enter');
      await result(title).waitFor();
      assert.equal(await field.inputValue(), identifier);
      before = title;
    };
    await scan(() => field.focus());
    await scan(() => page.getByRole('heading', { level: 1 }).click());
    await scan(() => result(before).click());
    const focusable = page.locator(FOCUSABLE).filter({ visible: true });
    const count = await focusable.count();
    assert(count > 10, `${count} elements can have the focus`);
    for (let index = 0; index < count; index++) await scan(() => focusable.nth(index).focus());
    // Also a list of the settings, from which letters choose elsewhere.
    const lists = page.locator('select');
    assert((await lists.count()) > 2, `${await lists.count()} lists`);
    for (let index = 0; index < (await lists.count()); index++) {
      const list = lists.nth(index);
      if (!(await list.isVisible())) await page.getByRole('button', { name: 'Settings' }).click();
      const chosen = await list.inputValue();
      await scan(() => list.focus());
      assert.equal(await list.inputValue(), chosen);
    }
    await page.keyboard.press('Escape');

    // The field and the result agree after Back, Forward and a reload, and the next scan replaces what the field has.
    while (before !== first) await scan(() => field.focus());
    const agrees = async () => {
      const [, title] = known.find(([identifier]) => page.url().endsWith(identifier)) ?? [];
      assert(title !== undefined, page.url());
      await result(title).waitFor();
      assert.equal(page.url().split('=').at(-1), await field.inputValue());
      before = title;
    };
    for (const move of [() => page.goBack(), () => page.goForward(), () => page.reload()]) {
      await move();
      await agrees();
      await scan(async () => undefined);
    }
  },
);
