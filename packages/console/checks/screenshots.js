// Makes the pictures of the pages in docs/console: `npm run screenshots`, with names for some of them.
import '../../../scripts/end-with-script.js';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { GrantTokens, Landfall } from '@landfall/client';
import { startPlayground } from '@landfall/playground';
import { makeMessage } from '../../service/dist/testing/goods-item-messages.js';
import { launchBrowser, openPage, signIn } from './browser.js';

const folder = fileURLToPath(new URL('../../../docs/console/', import.meta.url));

/** The size of a window, and of a phone. */
const WINDOW = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

/**
 * Each picture: its address, and how the page appears. `present` presents what the form has, `open` follows a link,
 * `identity` signs in, `figures` makes the server write its figures, as after each minute, and `expired` inspects a token
 * that has expired.
 */
const pictures = [
  { name: 'sign-in', path: '/', signedOut: true },
  { name: 'start', path: '/' },
  { name: 'present', path: '/present', present: true },
  { name: 'present-refused', path: '/present?documentNumber=HC999', present: true },
  { name: 'signals', path: '/signals' },
  { name: 'signals-dark', path: '/signals', theme: 'dark', language: 'nb' },
  { name: 'statuses', path: '/statuses' },
  { name: 'gate-control', path: '/gate?id=HC002' },
  { name: 'gate-release-phone', path: '/gate?id=NO100000002MU', size: PHONE, language: 'nb' },
  {
    name: 'decide',
    path: '/decide?office=NO351001&state=SIGNALLED',
    identity: 'authority',
    size: { width: 1280, height: 1500 },
  },
  { name: 'runs', path: '/runs', identity: 'authority' },
  {
    name: 'run',
    path: '/runs',
    identity: 'authority',
    size: { width: 1280, height: 1500 },
    open: 'Control: tip 17',
  },
  { name: 'organisation', path: '/organisations?id=0192:310000019', identity: 'authority' },
  { name: 'profile', path: '/profiles?name=post&view=compare', identity: 'authority' },
  { name: 'arrivals', path: '/arrivals', identity: 'authority' },
  { name: 'search', path: '/search?id=HC0', identity: 'authority' },
  {
    name: 'consignment',
    path: '/search?id=HC002',
    identity: 'authority',
    size: { width: 1280, height: 1400 },
    open: 'HC002 N740',
  },
  {
    name: 'operations',
    path: '/operations?hours=1',
    identity: 'authority',
    size: { width: 1280, height: 1600 },
    figures: true,
  },
  {
    name: 'stream',
    path: '/stream?from=start',
    identity: 'authority',
    size: { width: 1280, height: 1250 },
    open: 'Added',
  },
  { name: 'dataset', path: '/dataset?open=23NO00000000000003' },
  { name: 'requests', path: '/requests' },
  { name: 'token', path: '/token', size: { width: 1280, height: 1400 }, expired: true },
  { name: 'scenarios', path: '/scenarios?kind=late-decision' },
  { name: 'clock', path: '/clock' },
];

const names = process.argv.slice(2);
const wanted = pictures.filter(({ name }) => names.length === 0 || names.includes(name));

await mkdir(folder, { recursive: true });
const playground = await startPlayground();
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  await storeProfiles();
  await publishItems();
  await startRuns();
  await presentSome(page);
  for (const picture of wanted) await take(page, picture);
  console.log(`${wanted.length} pictures in docs/console`);
} finally {
  await browser.close();
  await playground.close();
}

/** Stores two versions of a profile. */
async function storeProfiles() {
  const authority = new Landfall(playground.credentials('authority'));
  const mail = {
    name: 'post from overseas',
    when: { modeOfTransport: ['5'], originCountry: ['US', 'CN'] },
    share: 0.1,
    routing: 'TO_CONTROL',
    routingControlLocation: 'ON_ENTRY',
  };
  const others = { name: 'all others', routing: 'TO_ENTRY' };
  await authority.putRoutingProfile('post', { salt: '2026-47', rules: [mail, others] });
  const random = { name: 'random control', share: 0.01, routing: 'TO_CONTROL' };
  const rules = [random, { ...mail, share: 0.2 }, others];
  await authority.putRoutingProfile('post', { salt: '2026-47', rules });
}

/** Publishes goods items. */
async function publishItems() {
  const publisher = new Landfall(playground.credentials('authority'));
  const messages = Array.from({ length: 8 }, (_, index) => makeMessage({ number: index + 1 }));
  await publisher.publishGoodsItems(messages.map((one) => JSON.stringify(one)).join('\n'));
}

/** Decides on many, and pauses the last run in the middle. */
async function startRuns() {
  const authority = new Landfall(playground.credentials('authority'));
  const mrn = '26NO00000000000001';
  await authority.putEntrySummaryDeclaration(mrn, {
    customsOfficeOfFirstEntry: 'NO342001',
    declarant: '0192:310000019',
    houseConsignments: Array.from({ length: 2000 }, (_, number) => ({
      transportDocumentHouseLevel: { documentNumber: `PARCEL-${number + 1}`, type: 'N750' },
    })),
  });
  const { entries } = await authority.listHouseConsignments({ mrn, limit: 40 });
  const houseConsignmentIds = entries.map(({ id }) => id);
  await authority.createRoutingRun({
    select: { mrn, houseConsignmentIds },
    routing: 'TO_ENTRY',
    reason: 'checked by hand',
  });
  const run = await authority.createRoutingRun({
    select: { mrn },
    routing: 'TO_CONTROL',
    reason: 'tip 17',
  });
  await authority.changeRoutingRun(run.id, { state: 'PAUSED' }, { ifMatch: run.etag });
}

/** Signs in, presents goods that go to control and to entry, and sends requests that are recorded. */
async function presentSome(page) {
  await signIn(page, playground.baseUrl, 'carrier');
  for (const [level, field, reference] of [
    ['RECEPTACLE', 'receptacleId', 'GBASFZMLBKONAUN30001001019999'],
    ['CONTAINER', 'containerId', 'JARU0000010'],
    ['MASTER_CONSIGNMENT', 'masterDocumentNumber', 'MAWB0003&type=N741'],
    ['HOUSE_CONSIGNMENT', 'documentNumber', 'HC777'],
  ]) {
    await open(page, `/present?level=${level}&${field}=${reference}&office=NO351001`);
    await submit(page);
  }
  for (const path of ['/livez', '/api/movement/routing/v1/house-consignment', '/openapi.json']) {
    await fetch(playground.baseUrl + path);
  }
}

async function take(
  page,
  {
    name,
    path,
    present,
    open: link,
    figures,
    expired,
    signedOut,
    identity,
    size = WINDOW,
    theme,
    language,
  },
) {
  const cookies = await page.context().cookies();
  if (signedOut) await page.context().clearCookies();
  await page.setViewportSize(size);
  await page.evaluate(
    ([chosenTheme, chosenLanguage]) => {
      localStorage.setItem('landfall-theme', chosenTheme);
      localStorage.setItem('landfall-language', chosenLanguage);
    },
    [theme ?? 'light', language ?? 'en'],
  );
  if (identity) await signIn(page, playground.baseUrl, identity);
  if (figures) await playground.setClock({ advance: 0 });
  await open(page, path);
  if (present) await submit(page);
  if (expired) await inspectExpired(page);
  if (link) await page.getByRole('link', { name: link }).first().click();
  // Lists are filled by then, and nothing moves any more.
  await page.waitForTimeout(1500);
  // A page scrolls to the outcome of what was sent.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' });
  await page.context().addCookies(cookies);
}

/** Inspects a customs token an hour after it was issued. */
async function inspectExpired(page) {
  const token = await new GrantTokens(playground.credentials('carrier')).getToken([]);
  await playground.setClock({ advance: 3600 });
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Inspect', exact: true }).click();
  await page.getByText('1 rule is broken').waitFor();
  await playground.setClock({ time: new Date().toISOString() });
}

async function open(page, path) {
  await openPage(page, `${playground.baseUrl}/console${path}`);
}

async function submit(page) {
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await page.getByText(/^Presented$|^Not presented$/).waitFor();
}
