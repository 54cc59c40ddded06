// Lists of which a part is shown: more is being read, there is more than can be shown, or there is nothing.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Route } from 'playwright-core';
import type { ConsolePage } from '../open-console.js';
import { clientOf, presentByApi } from './act.js';
import { flow } from './flow.js';

const MRN = '26NO00000000000001';

/** The marker of a page that does not come. */
const NEVER_READ = 'never';

/** Pre-notifies and presents `count` house consignments; the first one is decided. */
async function presentMany({ playground }: ConsolePage, count: number): Promise<void> {
  const authority = await clientOf(playground, 'authority');
  await authority.putEntrySummaryDeclaration(MRN, {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    houseConsignments: Array.from({ length: count }, (_, number) => ({
      transportDocumentHouseLevel: { documentNumber: `MANY-${number}`, type: 'N750' as const },
      ...(number === 0 && { routing: 'TO_ENTRY' as const }),
    })),
  });
  await presentByApi(playground, { mrn: MRN });
}

flow('lists that show a part of the whole say so', async (console) => {
  const { page, open, signIn } = console;
  await presentMany(console, 150);
  await signIn('authority');
  await open('/search?id=MANY');
  await page.getByText('Type more characters to see the others.').waitFor();
  await open(`/gate?id=${MRN}`);
  await page.getByText('and 100 more').waitFor();
  await open(`/dataset?open=${MRN}`);
  const entries = page.getByText(/^MANY-\d+ N750$/);
  await entries.nth(49).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await entries.nth(99).waitFor();
});

type Entry = Record<string, unknown>;

/**
 * Continues a request. Its response has copies of its first entry before it, and a next page after a marker.
 *
 * @param rename gives a copy an id of its own
 */
async function multiply(
  route: Route,
  { copies = 0, marker }: { copies?: number; marker?: string },
  rename: (entry: Entry) => Entry = (entry) => entry,
): Promise<void> {
  const response = await route.fetch({ timeout: 0 });
  const entries: Entry[] = await response.json();
  const [first] = entries;
  assert(first, `nothing to multiply: ${route.request().url()}`);
  const next = new URL(route.request().url());
  if (marker !== undefined) next.searchParams.set('marker', marker);
  const json = [...Array.from({ length: copies }, () => rename(first)), ...entries];
  const headers = {
    ...response.headers(),
    'landfall-count': String(json.length),
    ...(marker && { link: `<${next}>; rel="next"` }),
  };
  await route.fulfill({ response, headers, json });
}

const feeds = [
  {
    path: '/signals',
    address: 'routing/v1/house-consignment',
    rename: (signal: Entry) => ({
      ...signal,
      routingResult: { ...(signal.routingResult as Entry), id: randomUUID() },
    }),
  },
  {
    path: '/requests',
    address: 'presentation/v1/validation-status',
    rename: (status: Entry) => ({ ...status, requestId: randomUUID() }),
  },
];

flow(
  'signals and statuses say that more is read, and that there are more than 5,000',
  async (console) => {
    const { page, browser, open, signIn } = console;
    await presentMany(console, 1);
    // A page that is read before would be empty, and nothing would be multiplied.
    const carrier = await clientOf(console.playground, 'carrier');
    for await (const _signal of carrier.followRouting()) break;
    for await (const _status of carrier.followStatuses()) break;
    await signIn('carrier');
    for (const { path, address, rename } of feeds) {
      const isFeed = (url: URL) => url.pathname.endsWith(address);
      const isFirst = (url: URL) => isFeed(url) && !url.searchParams.has('marker');
      // The next page begins after the last entry, whatever marker the link has.
      const isNext = (url: URL) => isFeed(url) && url.searchParams.has('marker');
      await browser.route(isNext, () => {});
      await browser.route(isFirst, (route) =>
        multiply(route, { copies: 1, marker: NEVER_READ }, rename),
      );
      await open(path);
      await page.getByText('What is shown is correct, but not everything.').waitFor();
      await page.getByRole('row').nth(2).waitFor();
      await browser.route(isFirst, (route) => multiply(route, { copies: 5_001 }, rename));
      await open(path);
      await page.getByText('The newest 5,000 of 5,002 are shown.').waitFor();
    }
  },
);

flow('lists of officers say what they are still reading, and end at a limit', async (console) => {
  const { page, browser, open, signIn } = console;
  await signIn('authority');
  const isList = (name: string) => (url: URL) => url.pathname.endsWith(`/authority/v1/${name}`);
  const organisations = isList('organisations');
  await browser.route(organisations, (route) =>
    route.request().url().includes(NEVER_READ)
      ? undefined
      : multiply(route, { marker: NEVER_READ }),
  );
  await open('/organisations');
  await page.getByText(/^\d+ read so far$/).waitFor();
  await page.getByText('Playground newcomer').waitFor();
  await browser.route(organisations, (route) => multiply(route, { marker: '0' }));
  await open('/organisations');
  // After 20 pages, each further one is read on request.
  await page.getByRole('button', { name: 'Read more' }).waitFor();
  await browser.route(isList('house-consignments'), (route) => multiply(route, { copies: 10_001 }));
  await open('/decide?office=NO351001');
  await page.getByText('At least 10,000 house consignments match').waitFor();
  await presentMany(console, 2);
  await browser.route(isList('undecided-arrivals'), (route) =>
    multiply(route, { copies: 10_001 }, (arrival) => ({ ...arrival, id: randomUUID() })),
  );
  await open('/arrivals');
  await page.getByText('At least 10,000 wait for a decision').waitFor();
  await page.getByText('The 10,000 that have waited longest are listed').waitFor();
  // A filter is one of the list, and says so; the search has the others.
  await page.getByLabel('House document or MRN').fill('HC001');
  await page
    .getByText('0 of the 10,000 that are listed match the filters. At least 10,000 wait')
    .waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Search' }).click();
  await page.waitForURL('**/search?id=HC001');
});

flow('lists without anything say so', async (console) => {
  const { page, playground, open, signIn } = console;
  await signIn('authority');
  await open('/organisations?search=nobody');
  await page.getByText('No organisation has this in its name, identifier or numbers').waitFor();
  await open('/arrivals');
  await page.getByText('Nothing waits for a decision').waitFor();
  for (const number of [1, 2, 3, 4, 5]) {
    await presentByApi(playground, { mrn: `23NO0000000000000${number}` });
  }
  await open('/dataset?presented=false');
  await page.getByText('Nothing is left').waitFor();
});

flow(
  'a long history shows the newest first, and has only what is seen in the page',
  async (console) => {
    const { page, browser, playground, open, signIn } = console;
    await presentMany(console, 1);
    const authority = await clientOf(playground, 'authority');
    const { entries } = await authority.listHouseConsignments({ mrn: MRN });
    await browser.route('**/history', (route) =>
      multiply(route, { copies: 1_000 }, (event) => ({ ...event, event: 'READ', days: 2 })),
    );
    await signIn('authority');
    await open(`/consignments/${entries[0]?.id}`);
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await history.first().getByText('Signal issued').waitFor();
    const size = Number(await history.first().getAttribute('aria-setsize'));
    assert(size > 1_000, `${size} events`);
    assert((await history.count()) < 60, `${await history.count()} of ${size} are in the page`);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert(height < 5_000, `the page is ${height} pixels high`);
    await page.getByLabel('Which events').selectOption('Signal read (1,000)');
    await history.first().getByText('Signal read').waitFor();
    assert.equal(await history.first().getAttribute('aria-setsize'), '1000');
  },
);

flow('a live list does not move under whoever has scrolled in it', async (console) => {
  const { page, playground, open, signIn } = console;
  const authority = await clientOf(playground, 'authority');
  const present = async (mrn: string, prefix: string, count: number) => {
    await authority.putEntrySummaryDeclaration(mrn, {
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:310000019',
      houseConsignments: Array.from({ length: count }, (_, number) => ({
        transportDocumentHouseLevel: {
          documentNumber: `${prefix}-${number}`,
          type: 'N740' as const,
        },
        routing: 'TO_ENTRY' as const,
      })),
    });
    await presentByApi(playground, { mrn });
  };
  await present(MRN, 'OLD', 60);
  await signIn('carrier');
  await open('/signals');
  const list = page.getByRole('main').getByRole('table').locator('..');
  await list.getByText(/^OLD-/).first().waitFor();
  await list.evaluate((element) => element.scrollTo(0, 500));
  await page.getByRole('button', { name: 'Continue the list' }).waitFor();
  const before = await list.evaluate((element) => element.scrollTop);
  await present('26NO00000000000002', 'NEW', 5);
  await page.getByRole('button', { name: 'Continue the list (5 new)' }).waitFor();
  assert.equal(await list.getByText(/^NEW-/).count(), 0);
  assert.equal(await list.evaluate((element) => element.scrollTop), before);
  // Back at its beginning, it is live again.
  await list.evaluate((element) => element.scrollTo(0, 0));
  await list.getByText(/^NEW-/).first().waitFor();
  await page.getByRole('button', { name: 'Pause the list' }).waitFor();
});
