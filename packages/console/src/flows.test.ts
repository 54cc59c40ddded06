// What people do with the console, in a browser on a playground.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeMessage } from '../../service/dist/testing/goods-item-messages.js';
import { pageList } from './layout/page-list.js';
import { type ConsolePage, openConsoles } from './testing/open-console.js';

const GATE_FIELD = 'Identifier';

const consoles = await openConsoles();

/** A test on each database that begins with the data of the start, and with the choices of a new browser. */
function flow(
  name: string,
  run: (console: ConsolePage, context: TestContext) => Promise<void>,
): void {
  for (const { database, skip, opened } of consoles) {
    test(`${name}, on ${database}`, { skip }, async (context) => {
      assert(opened);
      const { browser, page, playground, reported } = opened;
      await browser.setOffline(false);
      await playground.reset();
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${playground.baseUrl}/console/`);
      await page.evaluate(() => localStorage.clear());
      reported.length = 0;
      await run(opened, context);
      // A page that nobody tests does nothing meanwhile.
      await page.goto('about:blank');
    });
  }
}

/** Presents what the form at an address has. */
async function present({ page, open }: ConsolePage, query = ''): Promise<void> {
  await open(`/present${query}`);
  await page.getByRole('button', { name: 'Present', exact: true }).click();
}

flow(
  'a new user presents goods and sees their signal, by following the buttons',
  async (console) => {
    const { page, playground, reported } = console;
    await console.browser.clearCookies();
    await page.goto(playground.baseUrl);
    await page.getByRole('button', { name: 'Continue as carrier' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Present goods/ })
      .click();
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByText('Presented', { exact: true }).waitFor();
    const signals = page.getByRole('region', { name: 'Signals for it' });
    await signals.getByText('HC002').waitFor();
    await signals.getByText('Control').waitFor();
    await page.getByText('HTTP 202').waitFor();
    await page.getByRole('link', { name: 'All signals' }).click();
    await page.getByRole('row').getByText('HC002').waitFor();
    assert.deepEqual(reported, []);
  },
);

flow(
  'the command that is offered for copying is that of the form',
  async ({ page, open, signIn }) => {
    await signIn('carrier');
    await open('/present?level=CONTAINER&containerId=JARU0000026&office=NO351001');
    await page.getByRole('tab', { name: 'Command' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Command' });
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByText('Copied').waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      'npx landfall present container --as carrier --container JARU0000026 --office NO351001',
    );
  },
);

flow('a refused presentation keeps the form, and names the fields', async (console) => {
  const { page, signIn } = console;
  await signIn('carrier');
  await present(console, '?documentNumber=HC999&type=N740&office=NO000000');
  await page.getByText('Not presented').waitFor();
  await page.getByRole('alert').getByText('Number of the transport document').waitFor();
  const summary = page.getByRole('group', { name: 'Correct these fields' });
  await summary.getByRole('link', { name: /^Customs office of presentation/ }).waitFor();
  await summary.getByRole('link', { name: /^Number of the transport document/ }).click();
  const field = page.getByLabel('Number of the transport document');
  assert.equal(await field.inputValue(), 'HC999');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await page.getByText('HTTP 400').waitFor();
  await field.fill('HC001');
  await page.getByLabel('Customs office of presentation').fill('NO351001');
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await page.getByText('Presented', { exact: true }).waitFor();
  // The address opens the form as it was presented.
  await page.reload();
  assert.equal(await field.inputValue(), 'HC001');
});

flow(
  'an operator sees what is wrong, what to do, and the figures of the servers',
  async (console) => {
    const { page, playground, open, signIn, reported } = console;
    await signIn('carrier');
    const refusals = await page.evaluate(async () => {
      const statuses = [];
      for (let sent = 0; sent < 100; sent++) {
        const response = await fetch('/console/api/api/authority/v1/service-status');
        statuses.push(response.status);
      }
      return statuses;
    });
    assert.deepEqual([...new Set(refusals)], [403]);
    await open('/operations');
    await page.getByText('You may not see this').waitFor();
    reported.length = 0;
    // Servers write their figures after each minute, and as the clock is set.
    await playground.setClock({ advance: 0 });
    await signIn('authority');
    await open('/operations?hours=1');
    const problem = page.getByRole('group', { name: 'One organisation is refused very often' });
    await problem.getByText('0192:310000019').waitFor();
    await problem.getByText('What to do').click();
    await problem.getByText('Contact the organisation').waitFor();
    await page.getByRole('region', { name: 'Servers' }).first().getByText('Reports').waitFor();
    const callers = page.getByRole('table', { name: /^Organisations/ });
    await callers.getByRole('row', { name: /^0192:310000019 1\d\d 100 0$/ }).waitFor();
    const chart = page.getByRole('figure', { name: 'Requests a second' });
    await chart.getByText('As a table').click();
    await chart.getByRole('row').nth(1).waitFor();
    await page.getByText('6 hours', { exact: true }).click();
    await page.waitForURL(/hours=6$/);
    await page.getByRole('figure', { name: 'Requests a second' }).waitFor();
    assert.deepEqual(reported, []);
  },
);

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

flow('signals come live, and those that go to control can be shown alone', async (console) => {
  const { page, open, playground, signIn } = console;
  await signIn('carrier');
  await open('/signals');
  await page.getByText('No signals yet').waitFor();
  await presentByApi(playground, { receptacleId: 'GBASFZMLBKONAUN30001001019999' });
  await page.getByRole('row').getByText('NO100000001MU').waitFor();
  await page.getByRole('row').getByText('NO100000002MU').waitFor();
  await page.getByText('Only control').click();
  await page.getByRole('row').getByText('NO100000002MU').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('row').getByText('NO100000001MU').waitFor();
  assert.equal(await page.getByRole('row').getByText('NO100000002MU').count(), 0);
});

flow(
  'statuses show the outcome of each presentation, with the rules that it breaks',
  async (console) => {
    const { page, open, signIn } = console;
    await signIn('carrier');
    await present(console);
    await page.getByText('Presented', { exact: true }).waitFor();
    await present(console, '?documentNumber=HC999&type=N740&office=NO351001');
    await page.getByText('Not presented').waitFor();
    await open('/statuses');
    await page.getByRole('row').getByText('Accepted').waitFor();
    await page.getByRole('row').getByText('(REFERENCE_NOT_FOUND)').waitFor();
  },
);

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
    await browser.unrouteAll({ behavior: 'ignoreErrors' });
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
    await page.evaluate(async () => navigator.serviceWorker.ready);
    // The console opens from its copy, and continues by itself.
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'No connection' }).waitFor();
    await browser.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('No connection', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Unknown to you' }).waitFor();
  },
);

flow(
  'when the session has ended, signing in again continues where the form was',
  async (console) => {
    const { page, browser, signIn } = console;
    await signIn('carrier');
    await console.open('/present');
    await page.getByLabel('Number of the transport document').fill('HC001');
    await browser.clearCookies();
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await dialog.getByRole('button', { name: 'Continue as carrier' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Number of the transport document').inputValue(), 'HC001');
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByText('Presented', { exact: true }).waitFor();
  },
);

flow(
  'what was typed is there after signing in again, but not for another identity or after signing out',
  async (console) => {
    const { page, open, browser, signIn } = console;
    await signIn('carrier');
    await open('/present');
    const field = page.getByLabel('Number of the transport document');
    const continueAs = async (identity: string) => {
      await browser.clearCookies();
      await page.reload();
      await page.getByRole('button', { name: `Continue as ${identity}` }).click();
      await field.waitFor();
    };
    await field.fill('TYPED');
    await continueAs('carrier');
    assert.equal(await field.inputValue(), 'TYPED');
    await continueAs('express');
    assert.equal(await field.inputValue(), 'HC002');
    await continueAs('carrier');
    assert.equal(await field.inputValue(), 'HC002');

    // Without leaving the page: the form of another identity is another one.
    await field.fill('TYPED');
    await browser.clearCookies();
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue as express' }).click();
    await page.getByText('Signed in as express').waitFor();
    await open('/present');
    assert.equal(await field.inputValue(), 'HC002');

    await field.fill('TYPED');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Change identity' }).click();
    await page.getByRole('button', { name: 'Continue as express' }).click();
    await open('/present');
    assert.equal(await field.inputValue(), 'HC002');
  },
);

flow('a list that is paused stays as it is, and continues with what is new', async (console) => {
  const { page, open, playground, signIn } = console;
  await signIn('carrier');
  await present(console);
  await page.getByText('Presented', { exact: true }).waitFor();
  await open('/signals');
  await page.getByRole('row').getByText('HC002').waitFor();
  await page.getByRole('button', { name: 'Pause the list' }).click();
  await presentByApi(playground, { containerId: 'JARU0000010' });
  const resume = page.getByRole('button', { name: /^Continue the list \(\d+ new\)$/ });
  await resume.waitFor();
  const rows = page.getByRole('row').filter({ hasText: 'JARU0000010' });
  assert.equal(await rows.count(), 0);
  await resume.click();
  await rows.first().waitFor();
});

flow(
  'requests of a program are shown with headers and bodies, and secrets are blanked',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('carrier');
    await open('/requests');
    await page.getByText('No requests yet').waitFor();
    await presentByApi(playground, { containerId: 'JARU0000010' });
    await page.getByRole('link', { name: '/api/movement/presentation/v1/container' }).click();
    await page.getByText(/authorization: Bearer \*\*\*/i).waitFor();
    await page.getByText('"containerId": "JARU0000010"').waitFor();
    await page.reload();
    await page.getByText('"containerId": "JARU0000010"').waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.getByRole('searchbox').fill('idp');
    await page.getByRole('link', { name: '/idp/token' }).waitFor();
    await page.getByRole('link', { name: '/api/movement' }).first().waitFor({ state: 'detached' });
  },
);

flow('the dataset is a tree, from whose entries goods are presented', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  await open('/dataset');
  await page.getByRole('button', { name: /23NO00000000000003$/ }).click();
  await page.getByRole('button', { name: /MAWB0003 N741$/ }).click();
  await page.getByText('HC001 N740').waitFor();
  assert.equal(await page.getByText('Decided, not presented').count(), 2);
  await page.getByRole('link', { name: 'Present HC001 N740' }).click();
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await page.getByText('Presented', { exact: true }).waitFor();
  await open('/dataset?open=23NO00000000000003');
  await page.getByText('consignments 2 · presented 1 · decided 2').first().waitFor();
  await page.getByText('Not presented', { exact: true }).click();
  await page.getByText('consignments 1 · presented 0 · decided 1').first().waitFor();
});

flow(
  'the clock can be stopped and advanced, and a reset takes back what was presented',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('carrier');
    await present(console);
    await page.getByText('Presented', { exact: true }).waitFor();
    await open('/clock');
    await page.getByRole('button', { name: 'Stop the clock' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    const before = playground.clock.now().getTime();
    await page.getByRole('button', { name: 'Advance 1 day' }).click();
    await page.waitForFunction(async () => (await fetch('/playground/clock')).ok);
    await page.getByRole('button', { name: 'Start the clock' }).click();
    await page.getByText('Running', { exact: true }).waitFor();
    assert(playground.clock.now().getTime() - before >= 86_400_000);
    await page.getByRole('button', { name: 'Reset the playground' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the playground' }).click();
    await page.getByText('The playground is as it was at the start').waitFor();
    await page.getByRole('link', { name: 'Routing signals' }).click();
    await page.getByText('No signals yet').waitFor();
  },
);

flow('an officer finds a consignment while typing, or scans it', async (console) => {
  const { page, open, signIn, reported } = console;
  await signIn('authority');
  await open('/');
  await page.keyboard.press('/');
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
  const field = page.getByRole('searchbox', { name: 'Identifier' });
  await field.pressSequentially('hc00');
  await page.getByText('6 consignments').waitFor();
  await page.getByLabel('State').selectOption('Pre-notified');
  await page.getByText('Nothing found').waitFor();
  await page.reload();
  await page.getByText('Nothing found').waitFor();
  await page.getByLabel('State').selectOption('All');
  await page.getByText('6 consignments').waitFor();
  // From the field to the second result and back to the first.
  await field.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Consignment HC001' }).waitFor();
  await page.goBack();
  assert.equal(await field.inputValue(), 'hc00');
  // A scanner sends an identifier at once, and Enter.
  await field.fill(' hc003 ');
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Consignment HC003' }).waitFor();
  await page.keyboard.press('/');
  await field.fill('jaru 000002 6');
  await page.getByRole('link', { name: /^HC004/ }).waitFor();
  // HC001 is in two declarations.
  await field.fill('HC001');
  await field.press('Enter');
  await page.getByText('2 consignments').waitFor();
  assert.deepEqual(reported, []);
});

flow(
  'an officer sees what a decision will do, decides, and sees it in the history',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('authority');
    const document = { documentNumber: 'HC002', type: 'N740' };
    const authority = await clientOf(playground, 'authority');
    const { entries } = await authority.findHouseConsignments({
      documentNumber: 'HC002',
      type: 'N740',
    });
    await open(`/consignments/${entries[0]?.id}`);
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await history.first().waitFor();
    assert.equal(await history.count(), 1);
    const effect = page.getByRole('region', { name: 'What this will do' });
    await page.getByLabel('Control', { exact: true }).check();
    await page.getByLabel('Place of control').selectOption('At the border');
    await effect.getByText('this is the current decision').waitFor();
    await page.getByLabel('Entry').check();
    await effect.getByText('No signal is issued now').waitFor();

    // The history and the effect follow the presentation.
    await presentByApi(playground, { transportDocumentHouseLevel: document });
    await effect.getByText('get a further one at once').waitFor();
    assert.deepEqual(await effect.getByRole('listitem').allTextContents(), [
      '0192:310000019',
      '0192:310000078',
    ]);
    const decide = page.getByRole('button', { name: 'Change the decision' });
    await decide.click();
    await page.getByText('Reason has to be given').waitFor();
    await page.getByLabel('Reason').fill('The documents were checked');

    // Somebody else decides before: nothing is overwritten.
    await (
      await authority.postRoutingDecisions([
        {
          transportDocumentHouseLevel: { documentNumber: 'HC002', type: 'N740' },
          routing: 'TO_CONTROL',
        },
      ])
    ).toArray();
    await decide.click();
    await page.getByText('The decision has changed meanwhile').waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), 'The documents were checked');
    await effect.getByText('The decision changes from Control to Entry.').waitFor();
    await decide.click();
    await page.getByText('Signals were issued to 2 organisations.').waitFor();
    await history.getByText('The documents were checked').waitFor();
    const [after] = (
      await authority.findHouseConsignments({ documentNumber: 'HC002', type: 'N740' })
    ).entries;
    assert.equal(after?.routing, 'TO_ENTRY');
    assert.equal(after?.lastSignal?.routing, 'TO_ENTRY');
  },
);

flow('arrivals are counted, and what waits is listed until it is decided', async (console) => {
  const { page, open, playground, signIn, reported } = console;
  const authority = await clientOf(playground, 'authority');
  const mrn = '26NO00000000000042';
  await authority.putEntrySummaryDeclaration(mrn, {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000078',
    houseConsignments: [{ transportDocumentHouseLevel: { documentNumber: 'WAITS', type: 'N740' } }],
  });
  await presentByApi(playground, { mrn });
  await presentByApi(playground, { receptacleId: 'GBASFZMLBKONAUN30001001019999' });
  await signIn('authority');
  await open('/arrivals');
  const offices = page.getByRole('region', { name: 'By customs office' });
  await offices.getByRole('row', { name: 'NO351001 3 1 1' }).waitFor();
  await offices.getByRole('link', { name: 'NO351001' }).click();
  await page.waitForURL('**/arrivals?hours=24&office=NO351001');
  await page.getByLabel('Presented in').selectOption('The last 7 days');
  await page.waitForURL('**/arrivals?hours=168&office=NO351001');
  const waiting = page.getByRole('region', { name: 'Waits for a decision' });
  await waiting.getByRole('row', { name: /^WAITS N740 NO351001 0 min$/ }).waitFor();
  await waiting.getByRole('link', { name: 'WAITS N740' }).click();
  await page.getByLabel('Entry').check();
  await page.getByLabel('Reason').fill('Nothing to check');
  await page.getByRole('button', { name: 'Decide' }).click();
  await page.getByText('Signals were issued to 2 organisations.').waitFor();
  await open('/arrivals?office=NO342001');
  await page.getByText('Nothing was presented').waitFor();
  await page.getByText('Nothing waits for a decision').waitFor();
  assert.deepEqual(reported, []);
});

flow('pages of officers are refused to others, and say what does not exist', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  for (const path of [
    '/arrivals',
    '/search?id=HC001',
    '/consignments/00000000-0000-7000-8000-000000000000',
  ]) {
    await page.goto(`${console.playground.baseUrl}/console${path}`);
    await page.getByText('You may not see this').waitFor();
  }
  await page.keyboard.press('/');
  assert.equal(await page.getByRole('link', { name: 'Search' }).count(), 0);
  await signIn('authority');
  await open('/consignments/00000000-0000-7000-8000-000000000000');
  await page.getByText('There is no such consignment').waitFor();
});

flow(
  'a scenario is switched on for an identity, meets requests of its session, and is ended',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('carrier');
    await open('/scenarios?kind=refusal');
    const add = page.getByRole('button', { name: 'Switch on' });
    await add.click();
    await page.getByText('Not switched on').waitFor();
    await page.getByLabel('Code', { exact: true }).selectOption('REFERENCE_NOT_FOUND');
    await page.getByLabel('Identity', { exact: true }).selectOption('carrier');
    await page.getByLabel('Number of times').fill('2');
    await add.click();
    await page.getByText('Used: 0').waitFor();
    await present(console);
    await page.getByText('Not presented').waitFor();
    await open('/scenarios');
    await page.getByText('Used: 1').waitFor();
    await page.getByText('1 left').waitFor();
    await signIn('forwarder');
    await present(console);
    await page.getByText('Presented', { exact: true }).waitFor();
    await open('/scenarios');
    await page.getByRole('button', { name: 'End refusal' }).click();
    await page.getByText('No scenarios').waitFor();
    assert.deepEqual(playground.scenarios.list(), []);
  },
);

flow('language, theme and time zone are chosen in the settings, and kept', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  await present(console);
  await page.getByText('Presented', { exact: true }).waitFor();
  await open('/statuses');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Times').selectOption('utc');
  await page.getByText(/\d\d:\d\d UTC$/).waitFor();
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByLabel('Language').selectOption('nb');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Valideringsstatuser' }).waitFor();
  const html = page.locator('html');
  assert.equal(await html.getAttribute('lang'), 'nb');
  assert.equal(await html.getAttribute('data-color-scheme'), 'dark');
});

flow(
  'an identity sees the pages of its rights alone',
  async ({ page, open, playground, signIn }) => {
    await signIn('newcomer');
    await page.getByText('You have no rights').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Gate' }).count(), 0);
    await page.goto(`${playground.baseUrl}/console/gate`);
    await page.getByText('You may not see this').waitFor();
    await open('/nowhere');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  },
);

flow('a carrier sees the pages of its rights alone, whatever the address', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  const responses: string[] = [];
  page.on('response', (response) => {
    if (response.ok()) responses.push(new URL(response.url()).pathname);
  });
  const rights = ['movement/entry', 'movement/road/v2', 'movement/air'];
  let refused = 0;
  for (const { path, scopes } of pageList) {
    await open(path.replaceAll(/:\w+/g, 'HC001'));
    const mayNot = scopes !== undefined && !scopes.some((scope) => rights.includes(scope));
    if (!mayNot) continue;
    await page.getByText('You may not see this').waitFor();
    refused++;
  }
  page.removeAllListeners('response');
  assert(refused >= 3);
  assert.deepEqual(
    responses.filter((path) => path.startsWith('/console/api/api/authority/')),
    [],
  );
});

flow('signing out without a connection says that one is still signed in', async (console) => {
  const { page, browser, open, signIn } = console;
  await signIn('carrier');
  await open('/present');
  await browser.setOffline(true);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Change identity' }).click();
  await page.getByText('You are still signed in').waitFor();
  await browser.setOffline(false);
});

flow('with the keyboard alone: to the content, to a page, and a presentation', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  await open('/present');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  assert(await skip.evaluate((link) => link === document.activeElement));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert(await page.getByLabel('What arrives').evaluate((one) => one === document.activeElement));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Presented', { exact: true }).waitFor();
});

flow('on a phone, the navigation is behind a button', async ({ page, open, signIn }) => {
  await signIn('carrier');
  await page.setViewportSize({ width: 360, height: 740 });
  await open('/');
  const navigation = page.getByRole('navigation');
  await navigation.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await navigation.getByRole('link', { name: 'Gate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Gate' }).waitFor();
  await navigation.waitFor({ state: 'hidden' });
});

flow(
  'many are decided on exactly the list that was shown, also when the connection breaks off',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    const mrn = '26NO00000000000001';
    const preNotify = (count: number) =>
      authority.putEntrySummaryDeclaration(mrn, {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments: Array.from({ length: count }, (_, number) => ({
          transportDocumentHouseLevel: { documentNumber: `P${number}`, type: 'N750' as const },
          ...(number < 10 && { routing: 'TO_ENTRY' as const }),
        })),
      });
    await preNotify(700);
    await signIn('authority');
    await open('/decide');
    await page.getByRole('button', { name: 'Show what matches' }).click();
    await page.getByText('Fill in one field at least.').waitFor();
    await page.getByLabel('Declaration (MRN)').fill(` ${mrn.toLowerCase()}`);
    await page.getByRole('button', { name: 'Show what matches' }).click();
    await page.getByText('700 house consignments match').waitFor();
    await page.getByLabel('Where the control takes place').selectOption('ON_ENTRY');
    await page.getByLabel('Reason').fill('all of this flight');
    await page.getByText('690 undecided get this decision.').waitFor();
    await page.getByText('10 are “Entry” now and change.').waitFor();
    await preNotify(701);
    await page.getByRole('button', { name: 'Decide on 700' }).click();
    const dialog = page.getByRole('dialog');
    assert(await dialog.getByRole('button', { name: 'Decide on 700' }).isDisabled());
    await dialog.getByLabel('Enter 700 to confirm').fill('700');
    // The service carries out the second part, and its result is lost.
    let requests = 0;
    await page.route('**/routing-decisions', async (route) => {
      requests++;
      if (requests === 1 || requests > 3) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Decide on 700' }).click();
    await page.getByRole('heading', { name: 'Interrupted' }).first().waitFor();
    await page.getByText('500 of 700').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('700 of 700').waitFor();
    await page.unroute('**/routing-decisions');
    const { entries } = await authority.findHouseConsignments({ mrn });
    const undecided = entries.filter(({ routing }) => routing === undefined);
    assert.deepEqual(
      undecided.map(({ transportDocumentHouseLevel: document }) => document.documentNumber),
      ['P700'],
    );
    // Of the part that was sent again.
    const sentTwice = entries[600];
    assert(sentTwice);
    const decisions = (await authority.getHouseConsignmentHistory(sentTwice.id)).filter(
      ({ event }) => event === 'DECIDED',
    );
    assert.deepEqual(
      decisions.map(({ details }) => [details?.routing, details?.reason]),
      [['TO_CONTROL', 'all of this flight']],
    );
  },
);

flow(
  'a routing profile is edited, tried, compared and applied, and nothing of another officer is lost',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    await authority.putRoutingProfile('post', {
      salt: '2026',
      rules: [
        { name: 'others', routing: 'TO_ENTRY' },
        { name: 'mail', when: { modeOfTransport: ['5'] }, routing: 'TO_CONTROL' },
      ],
    });
    await authority.putEntrySummaryDeclaration('26NO00000000000001', {
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:310000019',
      houseConsignments: [
        { transportDocumentHouseLevel: { documentNumber: 'UNDECIDED', type: 'N750' } },
      ],
    });
    await signIn('authority');
    await open('/profiles?name=post');
    await page.getByRole('link', { name: 'Edit' }).click();
    const up = page.getByRole('button', { name: 'Move rule 2 up' });
    await up.focus();
    await page.keyboard.press('Enter');
    // The rule is the first one now, and the keyboard is still at it.
    await page.waitForFunction(() => document.activeElement?.id === 'rule-0-down');
    const mode = page.getByRole('textbox', { name: 'Mode of transport' });
    await mode.fill('5 x');
    await page.getByLabel('Share in %').first().fill('12,5');
    const store = page.getByRole('button', { name: 'Store', exact: true });
    await store.click();
    await page.getByRole('link', { name: /^rules\.0\.when\.modeOfTransport/ }).click();
    assert.equal(await mode.getAttribute('aria-invalid'), 'true');
    await mode.fill('5');
    // A condition that the service does not know is entered as JSON; it is refused, not dropped.
    const json = page.getByLabel('JSON');
    const text = await json.inputValue();
    assert.match(text, /"share": 0\.125/);
    await json.fill(text.replace('"when": {', '"when": { "orginCountry": ["US"],'));
    await store.click();
    await page.getByRole('link', { name: /^rules\.0\.when\.orginCountry/ }).waitFor();
    await json.fill('{');
    await page.getByText('This is not JSON.').waitFor();
    await json.fill(text);
    await authority.putRoutingProfile('post', {
      salt: 'of another officer',
      rules: [{ name: 'others', routing: 'TO_ENTRY' }],
    });
    await store.click();
    await page.getByText('There is a newer version, 2').waitFor();
    await page.getByRole('button', { name: 'Store as a further version' }).click();
    await page.getByText('Salt for the choice of shares: 2026').waitFor();

    await page.getByText('Compare', { exact: true }).click();
    await page.getByLabel('Compare with version').selectOption('1');
    const compared = page.getByRole('table', { name: 'Rules of both versions' });
    await compared.getByText('Changed', { exact: true }).waitFor();
    await compared.getByText(/^Moved from/).waitFor();
    await page.getByText('Try', { exact: true }).click();
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    const tried = page.getByRole('table', { name: 'What each rule would decide' });
    await tried.getByText(/^Mode of transport: 3 \(33.3%\)$/).waitFor();

    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByRole('dialog').getByText('No profile is live now.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const apply = { name: 'Apply to undecided goods' };
    await page.getByRole('button', apply).click();
    await page.getByRole('dialog').getByRole('button', apply).click();
    await page.getByText('1 undecided examined, 1 decided, 0 signals issued.').waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Go live' }).waitFor();
    const versions = await authority.listRoutingProfiles();
    assert.deepEqual(
      versions.map(({ version, salt, live }) => [version, salt, live]),
      [
        [1, '2026', false],
        [2, 'of another officer', false],
        [3, '2026', false],
      ],
    );
  },
);

flow(
  'an organisation is found, granted and given a key, and a change of another officer is kept',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    const id = '0192:310000051';
    const { id: _, ...entry } = await authority.getOrganisation(id);
    await signIn('authority');
    await open('/organisations');
    await page.getByLabel('Part of the name or identifier').fill('310000051');
    await page.getByRole('table', { name: 'Organisations' }).getByRole('link').click();
    await page.getByRole('heading', { name: entry.name }).waitFor();
    await page.getByLabel('movement/air').check();
    const save = { name: 'Save grants' };
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', save).click();
    await dialog.getByText('Granted: movement/air').waitFor();
    // Another officer is faster.
    await authority.putOrganisation(id, { ...entry, name: 'Renamed', grantedScopes: [] });
    await dialog.getByRole('button', save).click();
    await page.getByText('Somebody else has changed the organisation meanwhile').waitFor();
    await page.getByText(`Name: “${entry.name}” is “Renamed” now.`).waitFor();
    assert.deepEqual((await authority.getOrganisation(id)).grantedScopes, []);
    await page.getByLabel('movement/air').check();
    await page.getByRole('button', save).click();
    await dialog.getByRole('button', save).click();
    await page.getByText('Somebody else has').waitFor({ state: 'detached' });

    const generated = await crypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['sign', 'verify'],
    );
    const jwkOf = async (key: CryptoKey) =>
      JSON.stringify({ ...(await crypto.subtle.exportKey('jwk', key)), kid: 'of-2026' });
    await page.getByLabel('Client', { exact: true }).fill('a-new-client');
    const credential = page.getByLabel('Key (JWK) or certificate (PEM)');
    await credential.fill(await jwkOf(generated.privateKey));
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/^This is a private key\./).waitFor();
    await credential.fill(await jwkOf(generated.publicKey));
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Registered', { exact: true }).waitFor();
    const key = page.getByRole('listitem').filter({ hasText: 'Key of-2026' });
    await key.getByText('Algorithm: EC P-256').waitFor();
    const stored = await authority.getOrganisation(id);
    assert.equal(stored.name, 'Renamed');
    assert.deepEqual(stored.grantedScopes, ['movement/air']);
    const added = stored.clients.find(({ client_id: client }) => client === 'a-new-client');
    assert.deepEqual(
      added?.keys?.map(({ kid }) => kid),
      ['of-2026'],
    );
  },
);

/** A client with the token of an identity, as a program has it. */
async function clientOf(playground: ConsolePage['playground'], identity: string) {
  const { Landfall } = await import('@landfall/client');
  return new Landfall(playground.credentials(identity));
}

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

/** Presents as `carrier` with a token, as a program does. */
async function presentByApi(
  playground: ConsolePage['playground'],
  reference: Record<string, unknown>,
): Promise<void> {
  const { present: presentGoods } = await import('@landfall/client');
  const landfall = await clientOf(playground, 'carrier');
  // The cast is true because each reference of these tests is one of a level.
  await presentGoods(landfall, {
    customsOfficeOfPresentation: 'NO351001',
    ...reference,
  } as Parameters<typeof presentGoods>[1]);
}
