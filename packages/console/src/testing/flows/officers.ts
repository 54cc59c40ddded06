// How officers find consignments and decide on them.
import assert from 'node:assert/strict';
import { clientOf, presentByApi } from './act.js';
import { flow } from './flow.js';

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
    const { entries } = await authority.listHouseConsignments({ mrn });
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
