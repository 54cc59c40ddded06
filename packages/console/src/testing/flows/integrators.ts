// What integrators do with the console.
import assert from 'node:assert/strict';
import { membersOf } from '../../pages/scenarios/scenario-form.js';
import {
  norwegianClients,
  norwegianEffects,
  norwegianMember,
} from '../../pages/scenarios/scenario-texts.js';
import type { ScenarioKind } from '../../playground/scenarios.js';
import { clientOf, present, presentByApi } from './act.js';
import { flow } from './flow.js';

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
  const summary = page.getByRole('group', { name: 'There is a problem' });
  await page.waitForFunction(() =>
    document.activeElement?.matches('[role=group], ds-error-summary'),
  );
  // Sentences that say what to do, in the order of the form.
  const links = summary.getByRole('link');
  assert.deepEqual(await links.allInnerTexts(), [
    'Check the number of the transport document: no goods are pre-notified with it',
    'Enter a customs office of presentation that is in the code list',
  ]);
  await links.first().click();
  const field = page.getByLabel('Number of the transport document');
  assert.equal(await field.inputValue(), 'HC999');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await page.getByText('HTTP 400').waitFor();
  await field.fill('HC001');
  await page.getByLabel('Customs office of presentation').fill('NO351001');
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await page.getByText('Presented', { exact: true }).waitFor();
  // What was presented is named: the form may have other goods a moment later.
  await page.getByText('House consignment HC001').waitFor();
  // The address opens the form as it was presented.
  await page.reload();
  assert.equal(await field.inputValue(), 'HC001');
});

flow(
  'a presentation says that there were too many requests, and finds its outcome when the response is lost',
  async (console) => {
    const { page, browser, open, playground, signIn } = console;
    await signIn('carrier');
    await playground.scenarios.add({
      kind: 'too-many-requests',
      operation: 'presentHouseConsignment',
      retryAfter: 0,
    });
    await present(console);
    await page
      .getByText('Your organisation has sent too many requests. Try again in a moment.')
      .waitFor();
    playground.scenarios.clear();
    // It is carried out, and then nothing can be reached for a while.
    let isAway = false;
    await browser.route('**/console/api/**', async (route) => {
      if (route.request().method() === 'POST') await route.fetch({ timeout: 0 });
      isAway ||= route.request().method() === 'POST';
      return isAway ? route.abort('connectionrefused') : route.continue();
    });
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await page.getByRole('button', { name: 'Presenting' }).waitFor();
    // It does not wait for long, and goes on by itself when the connection is back.
    await page.getByText('It is not known whether it was presented').waitFor();
    await browser.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByText('Presented', { exact: true }).waitFor();
    await open('/requests');
    await page.getByRole('row').getByText('Accepted').waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
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
    await open('/requests');
    await page.getByRole('row').getByText('Accepted').waitFor();
    await page.getByRole('row').getByText('(REFERENCE_NOT_FOUND)').waitFor();
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
    await page.getByRole('row').getByRole('link', { name: 'JARU0000010' }).click();
    await page.getByText(/authorization: Bearer \*\*\*/i).waitFor();
    await page.getByText('"containerId": "JARU0000010"').waitFor();
    await page.reload();
    await page.getByText('"containerId": "JARU0000010"').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
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

flow(
  'a scenario is switched on for an identity, meets requests of its session, and is ended',
  async (console) => {
    const { page, open, playground, signIn } = console;
    await signIn('carrier');
    await open('/scenarios?kind=refusal');
    const add = page.getByRole('button', { name: 'Switch on' });
    await add.click();
    await page.getByText('There is a problem').waitFor();
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

flow('every kind of scenario is described in Norwegian', async (console) => {
  const { browser, page, open, playground, signIn } = console;
  const listed = await browser.request.get(`${playground.baseUrl}/playground/scenario-kinds`);
  const { kinds }: { kinds: ScenarioKind[] } = await listed.json();
  const missing = kinds.flatMap((kind) => [
    ...[norwegianEffects, norwegianClients].flatMap((texts) =>
      kind.kind in texts ? [] : kind.kind,
    ),
    ...membersOf(kind).flatMap(([name]) =>
      norwegianMember(kind.kind, name) === undefined ? `${kind.kind}.${name}` : [],
    ),
  ]);
  assert.deepEqual(missing, []);
  await signIn('carrier');
  await page.evaluate(() => localStorage.setItem('landfall-language', 'nb'));
  await open('/scenarios?kind=no-decision');
  await page.getByText(/ikke frigi varene/).waitFor();
  assert.equal(await page.getByRole('main').locator('[lang=en]').count(), 0);
});

flow(
  'a presenter finds their own request, goods and declaration by any identifier',
  async (console) => {
    const { page, open, playground, signIn, reported } = console;
    const carrier = await clientOf(playground, 'carrier');
    const transportDocumentHouseLevel = { documentNumber: 'HC002', type: 'N740' } as const;
    const { requestId } = await carrier.presentHouseConsignment({
      transportDocumentHouseLevel,
      customsOfficeOfPresentation: 'NO351001',
    });
    const refused = crypto.randomUUID();
    await carrier
      .presentContainer({
        requestId: refused,
        containerId: 'MSKU0000018',
        customsOfficeOfPresentation: 'NO351001',
      })
      .catch(() => undefined);
    await signIn('carrier');
    await open('/');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('searchbox', { name: 'Identifier' });
    await field.fill(` ${requestId.toUpperCase()} `);
    await page.getByRole('link', { name: 'Accepted: House consignment' }).click();
    await page.getByRole('heading', { level: 1, name: `Request ${requestId}` }).waitFor();
    await page.getByRole('link', { name: '23NO00000000000003' }).click();
    await page.getByRole('heading', { level: 1, name: 'Declaration 23NO00000000000003' }).waitFor();
    const requests = page.getByRole('table', { name: /^Your presentations/ });
    await requests.getByRole('link', { name: requestId }).waitFor();
    // One that was refused says what has to be corrected.
    await page.keyboard.press('/');
    await field.fill(refused);
    await page.getByRole('link', { name: 'Refused: Container' }).click();
    await page.getByText('What has to be corrected').waitFor();
    await page.getByRole('main').getByText('containerId').first().waitFor();
    // Goods, with the numbers of the service, and none of others.
    await page.keyboard.press('/');
    await field.fill('23no 00000000000003');
    await page.getByText('1 request', { exact: true }).waitFor();
    await page.getByText('1 consignment: 1 to control, 0 to entry, 0 undecided').waitFor();
    await field.fill('HC004');
    await page.getByText('Nothing that you may know of has exactly this').waitFor();
    // What was sent and received, as the playground has recorded it: also by the id that an error asks to quote.
    await field.fill(refused);
    const recorded = page.getByRole('region', { name: 'Recorded requests of this playground' });
    await recorded.getByRole('link', { name: /^400 POST .*container/ }).click();
    await page.getByText('HTTP 400').waitFor();
    const response = await page
      .getByText(/"instance"/)
      .first()
      .innerText();
    const errorId = /"instance": "urn:uuid:([0-9a-f-]{36})"/.exec(response)?.[1];
    assert(errorId, response);
    await page.keyboard.press('/');
    await field.fill(errorId);
    await recorded.getByRole('link', { name: /^400 POST .*container/ }).waitFor();
    await field.fill(crypto.randomUUID());
    await page.getByText('None of the last 500 requests has this id').waitFor();
    await page.getByText('Your organisation has no request with this id').waitFor();
    await open(`/presentations/${crypto.randomUUID()}`);
    await page.getByText('Your organisation has no request with this id').waitFor();
    assert.deepEqual(
      reported.filter((text) => !/status of 40[04]/.test(text)),
      [],
    );
  },
);

flow(
  'an integrator finds why a presentation was refused, copies it for curl, and presents the goods again',
  async (console) => {
    const { page, open, playground, signIn, reported } = console;
    await presentByApi(playground, { containerId: 'JARU0000010' });
    await presentByApi(playground, {
      transportDocumentHouseLevel: { documentNumber: 'HC002', type: 'N740' },
      customsOfficeOfPresentation: 'NO000000',
    }).catch(() => undefined);
    const forwarder = await clientOf(playground, 'forwarder');
    await forwarder
      .presentContainer({ containerId: 'JARU0000011', customsOfficeOfPresentation: 'NO351001' })
      .catch(() => undefined);
    await signIn('carrier');
    await open('/requests?show=presentations');
    await page.getByText('3 requests', { exact: true }).waitFor();
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row');
    // One row for each presentation, although there are a status and a recorded request of it.
    assert.equal(await rows.count(), 4);
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByText('2 of 3 requests').waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Identity').selectOption('forwarder');
    await page.getByText('1 of 3 requests').waitFor();
    await page.getByLabel('Identity').selectOption('carrier');
    await page.getByLabel('Level').selectOption('HOUSE_CONSIGNMENT');
    await page.getByLabel('Code', { exact: true }).selectOption('UNKNOWN_CODE');
    await page.waitForURL(/code=UNKNOWN_CODE/);
    await page.reload();
    await page.getByText('1 of 3 requests').waitFor();
    await page.getByRole('row').getByText('(UNKNOWN_CODE)').waitFor();
    await page.getByRole('row').getByRole('link', { name: 'HC002' }).click();
    const drawer = page.getByRole('region', { name: /^Request / });
    await drawer.getByText(/customsOfficeOfPresentation.*\(UNKNOWN_CODE\)/).waitFor();
    await drawer.getByText('"documentNumber": "HC002"').waitFor();
    await drawer.getByText(/HTTP 400/).waitFor();
    await drawer.getByText(/content-type: application\/problem\+json/).waitFor();
    const curl = drawer.getByRole('figure').filter({ hasText: 'curl -i' });
    await curl.getByRole('button', { name: 'Copy' }).click();
    await curl.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^TOKEN=.*--as carrier --raw\)\ncurl -i -X POST/);
    assert.match(copied, /Bearer \$TOKEN/);
    await drawer.getByRole('link', { name: 'Present again' }).click();
    const number = page.getByLabel('Number of the transport document');
    assert.equal(await number.inputValue(), 'HC002');
    const office = page.getByLabel('Customs office of presentation');
    assert.equal(await office.inputValue(), 'NO000000');
    await office.fill('NO351001');
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByText('Presented', { exact: true }).waitFor();
    // What was sent from the pages is a row too, with its signals.
    await open('/statuses?show=presentations');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await page.getByLabel('Outcome').selectOption('accepted');
    await page.getByRole('row').getByRole('link').first().click();
    await drawer.getByText('What was sent is not recorded').waitFor();
    await drawer.getByRole('heading', { name: 'Signals' }).waitFor();
    await drawer.getByText('HC002').first().waitFor();
    assert.deepEqual(reported, []);
  },
);
