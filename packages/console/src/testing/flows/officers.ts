// How officers find consignments and decide on them.
import assert from 'node:assert/strict';
import { clientOf, presentByApi } from './act.js';
import { flow } from './flow.js';

flow('an officer finds a consignment while typing, or scans it', async (console) => {
  const { page, open, playground, signIn, reported } = console;
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
  // Of many, some are shown. More characters find the others, unless none is left to type.
  const mrn = '26NO00000000000009';
  const authority = await clientOf(playground, 'authority');
  await authority.putEntrySummaryDeclaration(mrn, {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    houseConsignments: Array.from({ length: 60 }, (_, number) => ({
      transportDocumentHouseLevel: { documentNumber: `S${number}`, type: 'N750' as const },
    })),
  });
  await field.fill(mrn.slice(0, -1));
  await page.getByText('50 consignments, and more that are not shown').waitFor();
  await page.getByText('Type more characters').waitFor();
  await field.fill(mrn);
  await page.getByText('60 consignments have exactly this: MRN').waitFor();
  assert.equal(await page.getByText('Type more characters').count(), 0);
  const listed = page.getByRole('region', { name: 'Results' }).getByRole('listitem');
  assert.equal(await listed.first().getAttribute('aria-setsize'), '60');
  // The declaration has a page of its own, and so has each of its goods.
  await page.getByRole('link', { name: 'To the declaration' }).click();
  await page.getByRole('heading', { level: 1, name: `Declaration ${mrn}` }).waitFor();
  await page.getByText('60 house consignments').waitFor();
  // Offices have their names beside their codes.
  await page.getByText('NO351001 Gardermoen', { exact: true }).waitFor();
  const [one] = (await authority.listHouseConsignments({ mrn, limit: 1 })).entries;
  assert(one);
  await page.keyboard.press('Control+k');
  await field.fill(one.id);
  await field.press('Enter');
  const byId = page.getByRole('region', { name: 'With this id' });
  await byId.getByRole('link', { name: 'Consignment S0' }).click();
  await page.getByRole('heading', { level: 1, name: 'Consignment S0' }).waitFor();
  // A run by its id, and an organisation by its name.
  const run = await authority.createRoutingRun({
    select: { mrn },
    routing: 'TO_ENTRY',
    reason: 'a tip',
  });
  assert('id' in run);
  await page.keyboard.press('/');
  await field.fill(run.id.toUpperCase());
  await byId.getByRole('link', { name: 'Run: a tip' }).waitFor();
  await field.fill('playground newcomer');
  await page.getByText('1 organisation', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Playground newcomer' }).click();
  await page.waitForURL('**/organisations?id=**');
  // Of an id, the other kinds do not exist.
  assert.deepEqual(
    reported.filter((text) => !/status of 404/.test(text)),
    [],
  );
});

flow(
  'an officer sees what a decision will do, decides, and sees it in the history',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('authority');
    const document = { documentNumber: 'HC002', type: 'N740' };
    const authority = await clientOf(playground, 'authority');
    const { entries } = await authority.listHouseConsignments({
      documentNumber: 'HC002',
      type: 'N740',
    });
    await open(`/consignments/${entries[0]?.id}`);
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await history.first().waitFor();
    // The registration, and the decision that it made.
    assert.equal(await history.count(), 2);
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
      await authority.listHouseConsignments({ documentNumber: 'HC002', type: 'N740' })
    ).entries;
    assert.equal(after?.routing, 'TO_ENTRY');
    assert.equal(after?.lastSignal?.routing, 'TO_ENTRY');
  },
);

flow('arrivals are counted by office and hour', async (console) => {
  const { page, open, playground, signIn, reported } = console;
  await presentByApi(playground, { receptacleId: 'GBASFZMLBKONAUN30001001019999' });
  await signIn('authority');
  await open('/arrivals');
  await page.getByRole('tab', { name: 'By hour' }).click();
  await page.waitForURL('**/arrivals?view=hours');
  const offices = page.getByRole('region', { name: 'By customs office' });
  await offices.getByRole('row', { name: 'NO351001 Gardermoen 2 1 0' }).waitFor();
  await offices.getByRole('link', { name: 'NO351001' }).click();
  await page.waitForURL('**/arrivals?view=hours&hours=24&office=NO351001');
  await page.getByLabel('Presented in').selectOption('The last 7 days');
  await page.waitForURL('**/arrivals?view=hours&hours=168&office=NO351001');
  // Of a code that is not complete nothing is counted: the numbers of all offices would look like its own.
  const office = page.getByLabel('Customs office of presentation');
  await office.fill('NO35');
  const incomplete = page.getByText('Enter a country and 6 letters or digits');
  await incomplete.waitFor();
  assert.equal(await offices.count(), 0);
  await office.fill('NO342001');
  await page.getByText('Nothing was presented').waitFor();
  // The search finds nothing for it either, instead of everything.
  await open('/search?id=HC0');
  const found = page.getByText('6 consignments', { exact: true });
  await found.waitFor();
  await page.getByLabel('Customs office of first entry').fill('NO35');
  await incomplete.waitFor();
  assert.equal(await found.count(), 0);
  assert.deepEqual(reported, []);
});

flow('pages of officers are refused to others, and say what does not exist', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  for (const path of ['/arrivals', '/consignments/00000000-0000-7000-8000-000000000000']) {
    await page.goto(`${console.playground.baseUrl}/console${path}`);
    await page.getByText('You may not see this').waitFor();
  }
  // Whoever has nothing to search for is not led to the search.
  await signIn('statistics');
  await open('/');
  await page.keyboard.press('/');
  assert.equal(await page.getByRole('link', { name: 'Search' }).count(), 0);
  await signIn('authority');
  await open('/consignments/00000000-0000-7000-8000-000000000000');
  await page.getByText('There is no such consignment').waitFor();
});

flow('many are decided by one run, on exactly the list that was shown', async (console) => {
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
  // Nothing is chosen for whoever decides.
  const decide = page.getByRole('button', { name: 'Decide on 700' }).first();
  assert(await decide.isDisabled());
  await page.getByRole('radio', { name: 'Control' }).check();
  await page.getByLabel('Where the control takes place').selectOption('ON_ENTRY');
  await page.getByText('690 undecided get this decision.').waitFor();
  await page.getByText('10 are “Entry” now and change.').waitFor();
  // With every other filter in the form there is nothing to decide on.
  for (const [label, value] of [
    ['Customs office of first entry', 'SE070000'],
    ['Declaration (MRN)', ''],
    ['Pre-notified from', '2026-01-01T00:00'],
  ] as const) {
    const field = page.getByLabel(label);
    const shown = await field.inputValue();
    await field.fill(value);
    await page.getByText('The filter has changed').waitFor();
    assert.equal(await decide.count(), 0);
    await field.fill(shown);
    await decide.waitFor();
  }
  await decide.click();
  await page.getByText('Give a reason').waitFor();
  await page.getByLabel('Reason').fill('all of this flight');

  // Somebody decides on one of the list before: nothing is overridden unseen.
  const one = { documentNumber: 'P650', type: 'N750' } as const;
  const decision = { mrn, transportDocumentHouseLevel: one, routing: 'TO_ENTRY', reason: 'seen' };
  await (await authority.postRoutingDecisions([decision as never])).toArray();
  await decide.click();
  await page.getByText('The list has changed').waitFor();
  await page.getByRole('button', { name: 'List again' }).click();
  await page.getByText('11 are “Entry” now and change.').waitFor();

  // What matches later is not decided.
  await preNotify(701);
  await decide.click();
  const dialog = page.getByRole('dialog');
  const start = dialog.getByRole('button', { name: 'Decide on 700' });
  await dialog.getByLabel('Enter 700 to confirm').waitFor();
  assert(await start.isDisabled());
  await dialog.getByLabel('Enter 700 to confirm').fill('700');
  // The service creates the run, and its response is lost: the page does not create another one.
  await page.route('**/routing-runs', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch({ timeout: 0 });
    return route.abort();
  });
  await start.click();
  await page.getByText('It is not known whether the run exists').waitFor();
  await page.unroute('**/routing-runs');
  await page.getByRole('link', { name: 'To the runs' }).click();
  const row = page.getByRole('table').getByRole('row', { name: /all of this flight/ });
  await row.getByText('Completed').waitFor();
  await row.getByText('700 of 700').waitFor();
  const { entries: runs } = await authority.listRoutingRuns();
  assert.deepEqual(
    runs.map(({ select, routing, reason, decided }) => [select, routing, reason, decided]),
    [[{ mrn }, 'TO_CONTROL', 'all of this flight', 700]],
  );
  const { entries } = await authority.listHouseConsignments({ mrn });
  const undecided = entries.filter(({ routing }) => routing === undefined);
  assert.deepEqual(
    undecided.map(({ transportDocumentHouseLevel: document }) => document.documentNumber),
    ['P700'],
  );
});
