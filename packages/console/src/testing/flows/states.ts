// What pages show while the service is slow, busy or cannot be reached, and after the session has ended. They are opened
// from each other, as by a link, so that nothing is loaded anew.
import assert from 'node:assert/strict';
import type { Locator, Route } from 'playwright-core';
import type { ConsolePage } from '../open-console.js';
import { presentByApi, removeServiceWorkers } from './act.js';
import { flow } from './flow.js';

/** A page that reads something, in the data of the start. */
type ReadingPage = {
  path: string;
  /** What it shows when it has read it. */
  content: string | RegExp;
  /** What it says while it reads; default: `Loading`. */
  loading?: string;
  /** What it says if it could not; default: what every page says. */
  lost?: string;
  /** A button that makes it read. */
  press?: string;
};

const BUSY = 'It cannot do this now. Try again in a moment.';
const LOST = 'The service cannot be reached. Try again when the connection is back.';

const gate = { path: '/gate?id=HC001', loading: 'Checking', lost: 'Cannot be checked now' };

/** What each identity can open. `:id` is that of a house consignment. */
const readingPages: Readonly<Record<string, readonly ReadingPage[]>> = {
  carrier: [
    { path: '/journeys', content: 'No transport is lodged' },
    { path: '/signals', content: 'No signals yet' },
    { path: '/subscriptions', content: 'No subscriptions' },
    { path: '/requests', content: 'No requests yet' },
    {
      path: '/presentations/00000000-0000-7000-8000-000000000000',
      content: 'Your organisation has no request with this id',
    },
    {
      path: '/declarations/23NO00000000000003',
      content: 'Your organisation has no presentation that reached it',
    },
    { path: '/search?id=HC001', content: 'Nothing that you may know of has exactly this' },
    { ...gate, content: 'Unknown to you' },
  ],
  statistics: [
    { path: '/stream', content: 'No event was published since this page was opened.' },
    { path: '/stream?from=start', content: 'An event appears here when a message is published.' },
  ],
  authority: [
    { ...gate, content: 'Not presented' },
    { path: '/arrivals', content: 'Nothing waits for a decision' },
    { path: '/arrivals?view=hours', content: 'Nothing was presented' },
    { path: '/transport-list', content: 'No transport matches' },
    { path: '/movements/26NO7K2M4Q9XWR5HT0', content: 'There is no such message' },
    { path: '/declarations/23NO00000000000003', content: '2 house consignments' },
    { path: '/search?id=HC00', content: '6 consignments' },
    { path: '/consignments/:id', content: 'Decided, not presented' },
    { path: '/decide?office=NO351001', content: /consignments match$/, loading: '0 found so far' },
    { path: '/decide?office=NO999999', content: 'Nothing matches', loading: '0 found so far' },
    { path: '/runs', content: 'No runs' },
    { path: '/reference-documents', content: 'No documents are registered' },
    { path: '/organisations', content: 'Playground newcomer' },
    { path: '/goods-item-views', content: 'No organisation has a view' },
    {
      path: '/goods-item-views?organisation=0192:310000051',
      content: /^This organisation has no view/,
    },
    { path: '/organisations?id=0192:310000051', content: 'Save grants' },
    { path: '/profiles', content: 'No profiles yet' },
    { path: '/operations', content: 'Database, relay and audit trail' },
  ],
};

/** What the playground itself is controlled with: it has no session and no scopes. */
const playgroundPages: readonly ReadingPage[] = [
  { path: '/dataset', content: /23NO00000000000003/ },
  { path: '/scenarios', content: 'No scenarios' },
  { path: '/clock', content: 'Running' },
  { path: '/token', content: 'Every rule is kept', press: 'Inspect a new grant of carrier' },
];

/** Whether a request is for the data of a page. */
const isReading = ({ pathname }: URL) =>
  /^\/(?:console\/api|playground)\//.test(pathname) && !pathname.endsWith('/sign-in');

/** Opens each page from another one. */
async function visit(
  { page, browser, playground, open, signIn }: ConsolePage,
  pages: Readonly<Record<string, readonly ReadingPage[]>>,
  check: (page: ReadingPage, go: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const [identity, ofIdentity] of Object.entries(pages)) {
    await signIn(identity);
    const found = await browser.request.get(
      `${playground.baseUrl}/console/api/api/authority/v1/house-consignment-search?identifier=HC002`,
    );
    const id: string = found.ok() ? (await found.json()).houseConsignments[0].id : '';
    await open('/');
    for (const reading of ofIdentity) {
      const path = reading.path.replace(':id', id);
      await check(reading, async () => {
        await page.evaluate((to) => history.pushState(null, '', `/console${to}`), path);
        if (reading.press === undefined) return;
        await page.getByRole('button', { name: reading.press }).click();
      });
    }
  }
  await page.goto('about:blank');
}

const everyPage = {
  ...readingPages,
  carrier: [...(readingPages.carrier ?? []), ...playgroundPages],
};

flow('every page says that it reads, and shows what it has read', async (console) => {
  const { page, browser } = console;
  const main = page.getByRole('main');
  await visit(console, everyPage, async ({ content, loading = 'Loading' }, go) => {
    const held: Route[] = [];
    await browser.route(isReading, (route) => void held.push(route));
    await go();
    await main.getByText(loading, { exact: true }).first().waitFor();
    await browser.unroute(isReading);
    // The page may have given up some of them.
    for (const route of held) await route.continue().catch(() => undefined);
    await main.getByText(content).first().waitFor();
  });
});

/**
 * Presses "Try again" until the page shows its content and no part of it says that the service is busy. A page that reads
 * at intervals may do so before the button is pressed, so each press is given up soon: left waiting, it would press that
 * of the next page.
 */
async function tryAgain(main: Locator, content: Locator): Promise<void> {
  const busy = main.getByText(BUSY).first();
  const press = main.getByRole('button', { name: 'Try again' }).first();
  for (let attempts = 0; attempts < 60; attempts++) {
    if ((await content.isVisible()) && !(await busy.isVisible())) return;
    await press.click({ timeout: 500 }).catch(() => undefined);
  }
}

flow('every page says that the service is busy, and reads again', async (console) => {
  const { page, browser } = console;
  const main = page.getByRole('main');
  // As a proxy in front of the service responds.
  const refuse = (route: Route) => route.fulfill({ status: 503, headers: { 'Retry-After': '0' } });
  await visit(console, everyPage, async ({ path, content }, go) => {
    await browser.route(isReading, refuse);
    await go();
    await main.getByText(BUSY).first().waitFor();
    await browser.unroute(isReading);
    // The gate checks again by itself.
    const shown = main.getByText(content).first();
    if (path !== gate.path) await tryAgain(main, shown);
    await shown.waitFor();
    await main.getByText(BUSY).first().waitFor({ state: 'detached' });
  });
});

flow(
  'every page says that the service cannot be reached, and reads again when it can be',
  async (console) => {
    const { page, browser } = console;
    const main = page.getByRole('main');
    await visit(console, everyPage, async ({ content, lost = LOST, press }, go) => {
      await browser.route(isReading, (route) => route.abort('connectionrefused'));
      await go();
      await main.getByText(lost).first().waitFor();
      await browser.unroute(isReading);
      await page.evaluate(() => dispatchEvent(new Event('online')));
      // What somebody has started is not repeated by itself.
      if (press !== undefined) await main.getByRole('button', { name: 'Try again' }).click();
      await main.getByText(content).first().waitFor();
      await main.getByText(lost).waitFor({ state: 'detached' });
    });
  },
);

flow(
  'every page with a session says that it has ended, and continues after signing in again',
  async (console) => {
    const { page, browser } = console;
    await visit(console, readingPages, async ({ content }, go) => {
      await browser.clearCookies();
      await go();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      const { name } = await page.evaluate(async () => ({
        name: /Signed in as (\w+)/.exec(document.body.textContent ?? '')?.[1],
      }));
      await dialog.getByRole('button', { name: `Continue as ${name}` }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('main').getByText(content).first().waitFor();
    });
  },
);

const REQUEST = '00000000-0000-7000-8000-00000000000a';

/** A part whose code is loaded when it is shown: the page, what the names of its files begin with, and what it shows. */
const lazyParts: Readonly<Record<string, readonly (readonly [string, RegExp, string | RegExp])[]>> =
  {
    carrier: [
      ['/lodge', /lodge-form/, 'Means of transport'],
      ['/gate?view=transport', /transport-gate/, 'MRN or means of transport'],
      ['/signals', /signals-page/, 'HC003'],
      ['/requests', /log-/, 'HC003'],
      [`/requests?request=${REQUEST}`, /request-details/, 'Duration'],
    ],
    statistics: [['/stream?event=x', /event-view/, /All events|connection is back/]],
    authority: [
      ['/arrivals', /queue-(?!panel)/, 'Nothing waits for a decision'],
      ['/arrivals?view=hours', /hours/, 'By customs office'],
      ['/arrivals?view=report', /report-arrival/, 'Report the arrival'],
      ['/decide?mrn=23NO00000000000003', /preview/, /consignments match$/],
      ['/decide?mrn=23NO00000000000003', /decision-form/, 'For the history'],
      ['/runs', /run-list/, 'No runs'],
      ['/runs?id=00000000-0000-7000-8000-000000000000', /run-view/, 'There is no such run'],
    ],
  };

flow(
  'a part whose code cannot be loaded says so, and is loaded when it can be',
  async (console) => {
    const { page, browser, open, playground, signIn } = console;
    const main = page.getByRole('main');
    await presentByApi(playground, {
      requestId: REQUEST,
      transportDocumentHouseLevel: { documentNumber: 'HC003', type: 'N714' },
    });
    for (const [identity, parts] of Object.entries(lazyParts)) {
      await signIn(identity);
      for (const [path, file, content] of parts) {
        await open('/');
        await removeServiceWorkers(page);
        await open('/');
        const isAway = ({ pathname }: URL) =>
          (pathname.includes('/assets/') && file.test(pathname)) ||
          pathname === '/console/configuration';
        await browser.route(isAway, (route) => route.abort('connectionrefused'));
        await page.evaluate((to) => history.pushState(null, '', `/console${to}`), path);
        await main
          .getByText(/could not be loaded/)
          .first()
          .waitFor();
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path);
        await page.getByText('No connection').first().waitFor();
        await browser.unroute(isAway);
        await main.getByText(content).first().waitFor();
        await main.getByText(/could not be loaded/).waitFor({ state: 'detached' });
        const sheets = page.locator('link[rel=stylesheet]');
        assert(await sheets.evaluateAll((all) => all.every((one) => 'sheet' in one && one.sheet)));
      }
    }
  },
);
