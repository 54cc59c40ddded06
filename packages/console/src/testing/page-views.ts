// How the pages of the console can look: what the test of accessibility and the check with Lighthouse visit.
import type { Page } from 'playwright-core';
import { makeMessage } from '../../../service/dist/testing/goods-item-messages.js';

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
  { path: '/statuses' },
  { path: '/gate' },
  { path: '/gate?id=HC002' },
  { path: '/gate?id=HC001' },
  { path: '/gate?id=NOTHING' },
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
  { path: '/stream', identity: 'statistics' },
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
  { path: '/nowhere' },
  {
    path: '/decide?office=NO351001',
    identity: 'authority',
    after: {
      what: 'preview',
      act: async (page) => {
        await press(page, 'Show what matches');
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
  {
    path: '/profiles?view=edit',
    identity: 'authority',
    after: {
      what: 'refused',
      act: async (page) => {
        await press(page, 'Store');
        await page.getByText('Correct these').waitFor();
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
          await page.getByLabel('movement/rail').check();
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
  { path: '/arrivals?office=NO342001', identity: 'authority' },
  { path: '/search', identity: 'authority' },
  { path: '/search?id=HC0&office=X', identity: 'authority' },
  { path: '/search?id=NOTHING', identity: 'authority' },
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

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
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
