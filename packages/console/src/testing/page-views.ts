// How the pages of the console can look: what the test of accessibility and the check with Lighthouse visit.

import { generateJourney } from '@landfall/samples';
import type { Page } from 'playwright-core';
import { makeMessage } from '../../../service/dist/testing/goods-item-messages.js';
import { SECOND_OFFICER } from './second-officer.js';

/** A page at an address, in the data that `presentSome` leaves. */
export type PageView = {
  /** Below `/console`. */
  path: string;
  /** The identity that has signed in; `null`: nobody. Default: `carrier`. */
  identity?: string | null;
  /** What somebody has done on the page, in English. Without it, the view is the page as it is loaded. */
  after?: Step;
  /** What they do next: dialogs, each of which is another view. */
  further?: readonly Step[];
};

/** What somebody does on a page. */
type Step = { what: string; act: (page: Page) => Promise<void> };

/** Every view. A test fails if a page has none. */
export const pageViews: readonly PageView[] = [
  { path: '/', identity: null },
  { path: '/' },
  { path: '/', after: { what: 'settings', act: (page) => press(page, 'Settings') } },
  { path: '/present' },
  { path: '/present?documentNumber=HC001', after: { what: 'presented', act: present } },
  { path: '/present?documentNumber=NOTHING', after: { what: 'refused', act: present } },
  {
    path: '/present',
    after: {
      what: 'session ended',
      act: async (page) => {
        await page.context().clearCookies();
        await press(page, 'Present');
        await page.getByRole('dialog').getByRole('button').first().waitFor();
      },
    },
  },
  { path: '/signals' },
  { path: '/signals?show=control' },
  { path: '/requests?show=presentations&outcome=refused&level=CONTAINER' },
  { path: '/journeys?mode=rail' },
  { path: '/journeys', after: { what: 'a transport', act: lodgeAndOpen } },
  { path: '/transports/road/26NO7K2M4Q9XWR5HT0' },
  {
    path: '/journeys',
    after: {
      what: 'at the gate',
      act: async (page) => {
        const plate = await page.getByRole('table').getByRole('link').first().innerText();
        await page.goto(page.url().replace(/journeys.*/, `gate?view=transport&id=${plate}`));
        await page.getByRole('heading', { name: 'May not be unloaded' }).waitFor();
      },
    },
  },
  { path: '/journeys?mode=road&level=house-consignment' },
  {
    path: '/lodge?mode=road&level=house-consignment',
    after: { what: 'refused by the rules', act: lodgeTooEarly },
  },
  {
    path: '/lodge?mode=air&level=transport',
    after: {
      what: 'with items',
      act: async (page) => {
        await press(page, 'Add: Master consignment');
        await press(page, 'Add: Representative');
      },
    },
  },
  {
    path: '/journeys?mode=road&level=master-consignment',
    after: {
      what: 'replaced',
      act: async (page) => {
        await page.getByRole('link', { name: 'Replace' }).first().click();
        await page.getByText('Nothing is missing, and no rule is broken.').waitFor();
      },
    },
    further: [{ what: 'cancel', act: (page) => press(page, 'Cancel this message') }],
  },
  {
    path: '/journeys?mode=road&level=house-consignment',
    after: {
      what: 'stored and incomplete',
      act: async (page) => {
        const row = page.getByRole('row', { name: /Incomplete/ });
        await row.first().getByRole('link', { name: 'Replace' }).click();
        await page.getByText('It can be lodged and is incomplete.').waitFor();
        await press(page, 'Replace');
        await page.getByRole('heading', { name: 'Accepted, and incomplete' }).waitFor();
      },
    },
  },
  { path: '/lodge?mode=road&level=transport&mrn=26NO7K2M4Q9XWR5HT0' },
  { path: '/gate' },
  { path: '/gate?id=HC002' },
  { path: '/gate?id=HC001' },
  { path: '/gate?id=NOTHING' },
  { path: '/gate?view=transport' },
  { path: '/gate?view=transport&id=NOTHING' },
  { path: '/gate?id=HC004', identity: 'authority' },
  { path: '/dataset' },
  { path: '/dataset?open=23NO00000000000003' },
  { path: '/requests' },
  {
    path: '/requests',
    after: {
      what: 'one request',
      act: async (page) => {
        await page.getByRole('link', { name: '/livez' }).first().click();
        await page.getByText('HTTP 200').waitFor();
      },
    },
  },
  { path: '/token' },
  {
    path: '/token',
    after: {
      what: 'own grant',
      act: async (page) => {
        await press(page, 'Inspect a new grant of carrier');
        await page.getByText('Every rule is kept').waitFor();
      },
    },
  },
  {
    path: '/token',
    after: {
      what: 'broken rules',
      act: async (page) => {
        const parts = [
          { alg: 'none', crit: ['x'] },
          { iss: 'nobody', exp: 0, scope: 'none' },
        ];
        const encoded = parts.map((part) => btoa(JSON.stringify(part)).replace(/=+$/, ''));
        await page.getByLabel('Token', { exact: true }).fill(`${encoded.join('.')}.`);
        await press(page, 'Inspect');
        await page.getByText(/rules? (?:is|are) broken/).waitFor();
      },
    },
  },
  { path: '/scenarios' },
  { path: '/scenarios?kind=refusal' },
  { path: '/clock' },
  { path: '/clock', after: { what: 'dialog', act: (page) => press(page, 'Reset the playground') } },
  { path: '/subscriptions' },
  {
    path: '/subscriptions?view=new',
    after: { what: 'refused', act: (page) => subscribe(page, '', 'There is a problem') },
  },
  {
    path: '/subscriptions?view=new',
    after: {
      what: 'created',
      act: (page) => subscribe(page, 'http://127.0.0.1:9/hook', 'The receiver is being verified'),
    },
    further: [
      { what: 'replace the secret', act: (page) => press(page, 'Replace the secret') },
      {
        what: 'delete',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await press(page, 'Delete');
        },
      },
    ],
  },
  { path: '/subscriptions?id=00000000-0000-7000-8000-000000000000' },
  {
    path: '/subscriptions',
    after: {
      what: 'one of them',
      act: async (page) => {
        await page.getByRole('table').getByRole('link').first().click();
        await page
          .getByRole('table', { name: 'The last attempts to reach the receiver' })
          .waitFor();
      },
    },
  },
  { path: '/stream', identity: 'statistics' },
  { path: '/stream?from=time&at=2026-01-17T12:00', identity: 'statistics' },
  {
    path: '/stream?from=start',
    identity: 'authority',
    after: { what: 'event', act: publishAndOpen },
  },
  {
    path: '/stream?view=check',
    identity: 'statistics',
    after: {
      what: 'checked',
      act: async (page) => {
        const { metadata } = makeMessage();
        const lines = [makeMessage(), { metadata, more: 1 }, 'not JSON'];
        const text = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
        await page.getByLabel('Messages', { exact: true }).fill(text.join('\n'));
        await press(page, 'Check');
        await page
          .getByText(/rules that it keeps$/)
          .last()
          .click();
      },
    },
  },
  {
    path: '/operations',
    identity: 'authority',
    after: {
      what: 'with figures',
      act: async (page) => {
        // Figures are written as the clock is set.
        await page.request.put(new URL('/playground/clock', page.url()).href, {
          data: { advance: 0 },
        });
        await page.getByText('1 hour', { exact: true }).click();
        await page.getByText('As a table').first().click();
        await page.getByRole('columnheader', { name: 'Time', exact: true }).waitFor();
      },
    },
  },
  {
    path: '/operations?failed=00000000-0000-7000-8000-000000000000',
    identity: 'authority',
  },
  { path: '/nowhere' },
  {
    path: '/decide?office=NO351001',
    identity: 'authority',
    after: {
      what: 'preview',
      act: async (page) => {
        await press(page, 'Show what matches');
        await page.getByRole('radio', { name: 'Control' }).check();
        await page.getByLabel('Where the control takes place').selectOption('ON_ENTRY');
        await page.getByLabel('Reason').fill('all of this office');
      },
    },
    further: [
      {
        what: 'confirm',
        act: async (page) => {
          await page.getByRole('button', { name: /^Decide on / }).click();
          await page.getByRole('dialog').waitFor();
        },
      },
    ],
  },
  { path: '/runs', identity: 'authority' },
  { path: '/runs?state=PAUSED', identity: 'authority' },
  {
    path: '/decide?mrn=23NO00000000000004',
    identity: 'authority',
    after: { what: 'completed run', act: (page) => startRun(page, 'Completed') },
    further: [
      {
        what: 'reverse',
        act: async (page) => {
          await page.getByLabel('Reason of the reversal').fill('a wrong tip');
          await press(page, 'Preview');
        },
      },
    ],
  },
  {
    path: '/decide?office=NO351001',
    identity: 'authority',
    after: {
      what: 'own proposal',
      act: (page) => startRun(page, 'Another officer has to confirm this run'),
    },
    further: [{ what: 'give up', act: (page) => press(page, 'Give up') }],
  },
  { path: '/decide', identity: 'authority' },
  {
    path: '/runs',
    identity: SECOND_OFFICER.name,
    after: {
      what: 'unfinished',
      act: async (page) => {
        await page.getByRole('region', { name: 'Not finished' }).waitFor();
      },
    },
  },
  {
    path: '/runs?state=PROPOSED',
    identity: SECOND_OFFICER.name,
    after: {
      what: 'proposal',
      act: async (page) => {
        await page.getByRole('table').getByRole('link').first().click();
        await page.getByText('This run waits for a second officer').waitFor();
        await page.getByRole('table', { name: /^House consignments/ }).waitFor();
      },
    },
    further: [{ what: 'confirm', act: (page) => press(page, 'Confirm') }],
  },
  { path: '/runs?id=00000000-0000-7000-8000-000000000000', identity: 'authority' },
  {
    path: '/profiles?view=edit',
    identity: 'authority',
    after: {
      what: 'refused',
      act: async (page) => {
        await press(page, 'Store');
        await page.getByText('There is a problem').waitFor();
      },
    },
  },
  {
    path: '/profiles?view=edit',
    identity: 'authority',
    after: {
      what: 'stored',
      act: async (page) => {
        await page.getByLabel('Name', { exact: true }).fill('post');
        await page.getByLabel('Salt').fill('2026');
        await page.getByLabel('Name of the rule').fill('mail');
        await page.getByLabel('Add a condition').selectOption('modeOfTransport');
        await page.getByRole('textbox', { name: 'Mode of transport' }).fill('5');
        await press(page, 'Store');
        await page.getByRole('table').waitFor();
      },
    },
  },
  { path: '/profiles', identity: 'authority' },
  { path: '/goods-item-views', identity: 'authority' },
  {
    path: '/goods-item-views?organisation=0192:310000051',
    identity: 'authority',
    after: {
      what: 'refused',
      act: async (page) => {
        await press(page, 'Try');
        await page.getByText('There is a problem').waitFor();
      },
    },
  },
  {
    path: '/goods-item-views?organisation=0192:310000051',
    identity: 'authority',
    after: {
      what: 'tried',
      act: async (page) => {
        await page.getByLabel('Import', { exact: true }).check();
        await page.getByLabel('Send only some members').check();
        await page.getByLabel('GoodsItem.Declaration', { exact: true }).check();
        await press(page, 'Try');
        await page.getByRole('region', { name: /^What is sent of / }).waitFor();
      },
    },
    further: [
      { what: 'set', act: (page) => press(page, 'Set this view') },
      {
        what: 'remove',
        act: async (page) => {
          await page.getByRole('dialog').getByRole('button', { name: 'Set this view' }).click();
          await press(page, 'Remove the view');
        },
      },
    ],
  },
  { path: '/goods-item-views', identity: 'authority' },
  { path: '/organisations', identity: 'authority' },
  {
    path: '/organisations?id=0192:310000019',
    identity: 'authority',
    after: { what: 'dialog', act: (page) => press(page, 'Block') },
    further: [
      {
        what: 'block client',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: /^Block ./ }).click();
        },
      },
      {
        what: 'remove credential',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await page
            .getByRole('button', { name: /^Remove / })
            .first()
            .click();
        },
      },
      {
        what: 'change grants',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await page.getByLabel('declaration.feed').check();
          await press(page, 'Save grants');
        },
      },
    ],
  },
  {
    path: '/organisations?id=0192:310000043',
    identity: 'authority',
    after: {
      what: 'refused',
      act: async (page) => {
        await press(page, 'Register');
        await page.getByText(/^This is neither/).waitFor();
      },
    },
  },
  {
    path: '/profiles?name=post&view=try',
    identity: 'authority',
    after: {
      what: 'tried',
      act: async (page) => {
        await press(page, 'Try');
        await page.getByRole('table').waitFor();
      },
    },
    further: [
      { what: 'go live', act: (page) => press(page, 'Go live') },
      {
        what: 'apply',
        act: async (page) => {
          await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click();
          await press(page, 'Apply to undecided goods');
        },
      },
      {
        what: 'deactivate',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await press(page, 'Deactivate');
        },
      },
    ],
  },
  { path: '/arrivals', identity: 'authority' },
  { path: '/arrivals?view=hours', identity: 'authority' },
  {
    path: '/arrivals?view=report',
    identity: 'authority',
    after: {
      what: 'refused',
      act: async (page) => {
        await page.getByLabel('Means of transport', { exact: true }).fill('NOBODY');
        await press(page, 'Report the arrival');
        await page.getByRole('heading', { name: 'Refused: nothing was changed' }).waitFor();
      },
    },
  },
  { path: '/transport-list?state=all', identity: 'authority' },
  { path: '/transport-list?mode=rail&office=NO34', identity: 'authority' },
  { path: '/transport-list?mode=rail', identity: 'authority' },
  { path: '/transport-list?id=26NO7K2M4Q9XWR5HT0', identity: 'authority' },
  {
    path: '/transport-list?mode=road',
    identity: 'authority',
    after: { what: 'a transport', act: openTransport },
    further: [{ what: 'cancel', act: (page) => press(page, 'Cancel the message') }],
  },
  {
    path: '/transport-list?mode=road',
    identity: 'authority',
    after: {
      what: 'a house consignment',
      act: async (page) => {
        await openTransport(page);
        // Directly on the transport, or in a master consignment of it.
        for (let level = 0; level < 2; level++) {
          await page.getByRole('tab', { name: 'Belongs to it' }).click();
          const table = page.getByRole('table', { name: 'What hangs on it' });
          const link = table.getByRole('link').first();
          const address = await link.getAttribute('href');
          await link.click();
          await page.waitForURL(`**${address}`);
          await page.getByRole('tab', { name: 'Content' }).waitFor();
          if ((await page.getByText(/^House consignment /).count()) > 0) break;
        }
        await page.getByRole('region', { name: 'Consignor' }).waitFor();
      },
    },
  },
  {
    path: '/transport-list?mode=road',
    identity: 'authority',
    after: {
      what: 'what belongs to it',
      act: async (page) => {
        await page
          .getByRole('table')
          .getByRole('link', { name: /^Goods: / })
          .first()
          .click();
        await page.getByRole('table', { name: 'What hangs on it' }).waitFor();
      },
    },
  },
  {
    path: '/transport-list?mode=road',
    identity: 'authority',
    after: {
      what: 'at the gate',
      act: async (page) => {
        const plate = await page.getByRole('table').getByRole('link').first().innerText();
        await page.goto(page.url().replace(/transport-list.*/, `gate?view=transport&id=${plate}`));
        await page.getByRole('heading', { name: 'Expected' }).waitFor();
      },
    },
  },
  { path: '/movements/26NO7K2M4Q9XWR5HT0', identity: 'authority' },
  { path: '/reference-documents', identity: 'authority' },
  { path: '/reference-documents?kind=VOEC&reference=NOTHING', identity: 'authority' },
  { path: '/arrivals?view=hours&office=NO342001', identity: 'authority' },
  {
    path: '/arrivals',
    identity: 'authority',
    after: { what: 'selected', act: arriveAndSelect },
    further: [
      {
        what: 'decide one',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Clear the selection' }).click();
          await press(page, 'Control');
          await page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click();
          await page.getByText('Enter a reason').waitFor();
        },
      },
      {
        what: 'decide many',
        act: async (page) => {
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: /^Select all/ }).click();
          await press(page, 'Entry');
        },
      },
    ],
  },
  {
    path: '/arrivals?document=WAITS&order=descending&from=2026-01-01T00:00',
    identity: 'authority',
    after: {
      what: 'open',
      act: async (page) => {
        await page.getByRole('table').getByRole('link').first().click();
        await page
          .getByRole('region', { name: /^Consignment WAITS/ })
          .getByText('Facts')
          .waitFor();
      },
    },
  },
  { path: '/arrivals?document=NOTHING', identity: 'authority' },
  { path: '/keys' },
  { path: '/keys', identity: 'authority' },
  { path: '/search', identity: 'authority' },
  { path: '/search?id=HC0&office=X', identity: 'authority' },
  { path: '/search?id=NOTHING', identity: 'authority' },
  { path: '/search?id=23NO00000000000003', identity: 'authority' },
  { path: '/search?id=playground', identity: 'authority' },
  { path: '/search?id=00000000-0000-7000-8000-000000000000', identity: 'authority' },
  { path: '/search?id=23NO00000000000003' },
  { path: '/search?id=00000000-0000-7000-8000-000000000000' },
  { path: '/declarations/23NO00000000000003', identity: 'authority' },
  { path: '/declarations/23NO00000000000003' },
  { path: '/declarations/26NO99999999999999', identity: 'authority' },
  { path: '/presentations/00000000-0000-7000-8000-000000000000' },
  {
    path: '/requests',
    after: {
      what: 'refused request',
      act: async (page) => {
        await page.goto(page.url().replace('/requests', '/present?documentNumber=NOTHING'));
        await present(page);
        await page.goto(page.url().replace(/present.*/, 'requests?outcome=refused'));
        await page.getByRole('table').getByRole('link').first().click();
        await page.getByText('What has to be corrected').waitFor();
      },
    },
  },
  {
    path: '/search?id=HC002',
    identity: 'authority',
    after: {
      what: 'consignment',
      act: async (page) => {
        await page.getByRole('link', { name: /^HC002 N740/ }).click();
        await page.getByLabel('Entry').check();
        await page.getByRole('region', { name: 'What this will do' }).waitFor();
      },
    },
  },
  { path: '/consignments/00000000-0000-7000-8000-000000000000', identity: 'authority' },
  { path: '/', identity: 'newcomer' },
  { path: '/gate', identity: 'newcomer' },
];

/** What a view is, in words. */
export function nameOf({ path, identity = 'carrier', after }: PageView): string {
  return [path, `as ${identity ?? 'nobody'}`, ...(after ? [after.what] : [])].join(' ');
}

/** Presents what the form has. */
export async function present(page: Page): Promise<void> {
  await press(page, 'Present');
  await page.getByText(/^Presented$|^Not presented$/).waitFor();
}

/** Decides on what the filter of the address matches, and waits for what the run then shows. */
async function startRun(page: Page, shown: string): Promise<void> {
  await page.getByRole('radio', { name: 'Control' }).check();
  await page.getByLabel('Reason').fill('a tip');
  await page.getByRole('button', { name: /^Decide on / }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel(/to confirm$/);
  const label = await dialog.getByText(/^Enter \d+ to confirm$/).textContent();
  await field.fill(label?.replaceAll(/\D/g, '') ?? '');
  await dialog.getByRole('button', { name: /^(?:Decide on|Propose for) / }).click();
  await page.getByText(shown).first().waitFor();
  await page.getByRole('table', { name: /^House consignments/ }).waitFor();
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

/** Subscribes to a feed, and waits for what the page then says. */
async function subscribe(page: Page, url: string, shown: string): Promise<void> {
  await page.getByLabel('Address of the receiver').fill(url);
  await press(page, 'Subscribe');
  await page.getByText(shown).first().waitFor();
}

/** Publishes a goods item, and opens its event. */
async function publishAndOpen(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const session = await page.request.get(`${origin}/console/session`);
  const { csrfToken } = await session.json();
  await page.request.post(`${origin}/console/api/api/declaration/feed/v1/goods-items`, {
    headers: { Origin: origin, 'Landfall-CSRF-Token': csrfToken },
    data: makeMessage(),
  });
  await page.getByRole('link', { name: 'Added' }).first().click();
  await page.getByRole('table', { name: /^Current goods items/ }).waitFor();
  await page.getByText(/rules that it keeps$/).click();
}

/** Has goods wait for a decision, and selects some of them. */
async function arriveAndSelect(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const csrfToken = async () =>
    (await (await page.request.get(`${origin}/console/session`)).json()).csrfToken;
  const mrn = '26NO00000000000070';
  await page.request.put(
    `${origin}/console/api/api/authority/v1/entry-summary-declarations/${mrn}`,
    {
      headers: { Origin: origin, 'Landfall-CSRF-Token': await csrfToken() },
      data: {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000078',
        houseConsignments: [1, 2, 3].map((number) => ({
          transportDocumentHouseLevel: { documentNumber: `WAITS-${number}`, type: 'N740' },
        })),
      },
    },
  );
  await page.request.post(`${origin}/playground/sign-in`, { data: { identity: 'carrier' } });
  await page.request.post(
    `${origin}/console/api/api/movement/presentation/v1/entry-summary-declaration`,
    {
      headers: { Origin: origin, 'Landfall-CSRF-Token': await csrfToken() },
      data: { requestId: crypto.randomUUID(), mrn, customsOfficeOfPresentation: 'NO351001' },
    },
  );
  await page.request.post(`${origin}/playground/sign-in`, { data: { identity: 'authority' } });
  await page.goto(`${origin}/console/arrivals`);
  await page.getByText('3 wait for a decision').waitFor();
  await page.getByLabel('Select WAITS-1 N740').click();
  await page.getByLabel('Select WAITS-2 N740').click();
  await page.getByText('2 selected').waitFor();
}

/** Sends the form of a house consignment that has nothing but documents. */
async function lodgeTooEarly(page: Page): Promise<void> {
  for (const item of ['Previous document', 'Export from the EU', 'Container or trailer']) {
    await press(page, `Add: ${item}`);
  }
  await press(page, 'Lodge');
  await page.getByRole('group', { name: 'There is a problem' }).waitFor();
}

/** Lodges a generated lorry, some of whose goods are incomplete, and opens it from the list. */
async function lodgeAndOpen(page: Page): Promise<void> {
  const journey = generateJourney({
    kind: 'lorry',
    // So many that some are incomplete, and others not, whatever the seed.
    houses: 12,
    incomplete: 0.5,
    carrier: 'NO310000019',
    arrivesAt: new Date(Date.now() + 3_600_000),
    seed: Date.now(),
  });
  const { origin } = new URL(page.url());
  const session = await page.request.get(`${origin}/console/session`);
  const { csrfToken } = await session.json();
  for (const { level, message } of journey) {
    await page.request.post(`${origin}/console/api/api/movement/road/v2/${level}`, {
      headers: { Origin: origin, 'Landfall-CSRF-Token': csrfToken },
      data: message,
    });
  }
  await page.reload();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'May not be unloaded' }).waitFor();
}

/** Opens the first transport of the list of officers. */
async function openTransport(page: Page): Promise<void> {
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('region', { name: 'Means of transport' }).waitFor();
}
