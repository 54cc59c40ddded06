// What pages show while the service is slow, busy or cannot be reached.
import assert from 'node:assert/strict';
import type { Scenario } from '@landfall/playground';
import type { ConsolePage } from '../open-console.js';
import { clientOf } from './act.js';
import { flowOnOneDatabase } from './flow.js';

/** Pages that read when they are opened, and an operation with which they do. */
const readingPages = [
  { path: '/arrivals', operation: 'countArrivals' },
  { path: '/search?id=HC00', operation: 'searchHouseConsignments' },
  { path: '/consignments/:id', operation: 'getHouseConsignment' },
  { path: '/organisations', operation: 'listOrganisations' },
  { path: '/organisations?id=0192:310000051', operation: 'getOrganisation' },
  { path: '/profiles', operation: 'listRoutingProfiles' },
  { path: '/operations', operation: 'getServiceStatus' },
] as const;

/** Longer than any page waits here; requests that are held back end with their page. */
const HELD_MS = 30_000;

/** Opens each page while a scenario is on for the authority, and then without it. */
async function visit(
  { open, page, playground }: ConsolePage,
  scenarioOf: (operation: (typeof readingPages)[number]['operation']) => Scenario,
  check: (path: string) => Promise<void>,
): Promise<void> {
  const authority = await clientOf(playground, 'authority');
  const { entries } = await authority.findHouseConsignments({
    documentNumber: 'HC001',
    type: 'N740',
  });
  for (const { path, operation } of readingPages) {
    playground.scenarios.add(scenarioOf(operation));
    await open(path.replace(':id', entries[0]?.id ?? ''));
    await check(path);
    playground.scenarios.clear();
  }
  await page.goto('about:blank');
}

flowOnOneDatabase('pages say that data is being read', async (console) => {
  await console.signIn('authority');
  await visit(
    console,
    (operation) => ({ kind: 'delay', milliseconds: HELD_MS, operation, identity: 'authority' }),
    () => console.page.getByRole('status').getByText('Loading').first().waitFor(),
  );
});

flowOnOneDatabase('pages say that the service is busy, and read again', async (console) => {
  const { page, signIn, playground } = console;
  await signIn('authority');
  await visit(
    console,
    (operation) => ({
      kind: 'service-unavailable',
      retryAfter: 1,
      operation,
      identity: 'authority',
    }),
    async (path) => {
      const busy = page.getByText('The service is busy. Try again in a moment.');
      await busy.first().waitFor();
      playground.scenarios.clear();
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await busy.first().waitFor({ state: 'detached' });
      assert.equal(await page.getByText('This did not work').count(), 0, path);
    },
  );
});

flowOnOneDatabase('pages say that the service cannot be reached', async (console) => {
  const { page, signIn } = console;
  await signIn('authority');
  await visit(
    console,
    (operation) => ({ kind: 'lost-response', operation, identity: 'authority' }),
    () => page.getByRole('heading', { level: 2, name: 'No connection' }).first().waitFor(),
  );
});
