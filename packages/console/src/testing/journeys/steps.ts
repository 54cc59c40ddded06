// What people do in a random journey, in the page and beside it.
import { mrnOf, present } from '@landfall/client';
import { type Journey, placeOf, WALKERS } from './journey.js';

/** A step, and whether it can be taken where the journey is. */
type Step = {
  isPossible?: (journey: Journey) => boolean;
  take: (journey: Journey) => Promise<void>;
};

const isAt = (path: string) => (journey: Journey) => placeOf(journey).pathname === path;
const isCarrier = ({ walker }: Journey) => walker === 'carrier';
const isAuthority = ({ walker }: Journey) => walker === 'authority';

const isInQueue = (journey: Journey) => isAuthority(journey) && isAt('/arrivals')(journey);

const OFFICE = 'NO351001';

export const steps: Record<string, Step> = {
  'opens the gate': { take: ({ console }) => console.open('/gate') },

  'opens the gate by a link': {
    take: ({ console, random, identifiers }) =>
      console.open(`/gate?id=${encodeURIComponent(random.pick(identifiers))}`),
  },

  scans: {
    isPossible: isAt('/gate'),
    take: async ({ console: { page }, random, identifiers }) => {
      // As a scanner does, whatever has the focus.
      await page.keyboard.type(random.pick(identifiers));
      await page.keyboard.press('Enter');
    },
  },

  'types and does not check': {
    isPossible: isAt('/gate'),
    take: ({ console: { page }, random, identifiers }) =>
      page.keyboard.type(random.pick(identifiers).slice(0, 4)),
  },

  'taps beside the field': {
    isPossible: isAt('/gate'),
    take: ({ console: { page } }) => page.getByRole('heading', { level: 1 }).click(),
  },

  presents: { isPossible: isCarrier, take: presentInPage },

  'presents, and the response is lost': {
    isPossible: isCarrier,
    take: async (journey) => {
      const { scenarios } = journey.console.playground;
      scenarios.add({ kind: 'lost-response', operation: 'presentHouseConsignment', times: 1 });
      try {
        await presentInPage(journey);
      } finally {
        scenarios.clear();
      }
    },
  },

  'presents in another program': {
    take: async ({ clients, random, documents }) => {
      const documentNumber = random.pick(documents);
      const reference = { transportDocumentHouseLevel: { documentNumber, type: 'N740' as const } };
      // One that is in several declarations is refused.
      await present(clients.carrier, {
        customsOfficeOfPresentation: OFFICE,
        ...reference,
      } as Parameters<typeof present>[1]).catch(() => undefined);
    },
  },

  'a colleague decides': {
    take: async ({ clients, random, documents }) => {
      const { entries } = await clients.authority.listHouseConsignments({
        documentNumber: random.pick(documents),
      });
      if (entries.length === 0) return;
      const one = random.pick(entries);
      const decisions = [
        {
          mrn: mrnOf(one),
          transportDocumentHouseLevel: one.transportDocumentHouseLevel,
          routing: random.pick(['TO_CONTROL', 'TO_ENTRY'] as const),
          reason: 'seen by a colleague',
        },
      ];
      await (await clients.authority.postRoutingDecisions(decisions)).toArray();
    },
  },

  'opens a consignment': {
    isPossible: isAuthority,
    take: async ({ console, clients, random, documents }) => {
      const { entries } = await clients.authority.listHouseConsignments({
        documentNumber: random.pick(documents),
      });
      if (entries.length > 0) await console.open(`/consignments/${random.pick(entries).id}`);
    },
  },

  decides: {
    isPossible: (journey) =>
      isAuthority(journey) && placeOf(journey).pathname.startsWith('/consignments/'),
    take: async ({ console: { page }, random }) => {
      await page.getByRole('radio').nth(random.integer(0, 1)).check();
      await page.getByLabel('Reason').fill('seen on a journey');
      const decide = page.getByRole('button', { name: /^(Decide|Change the decision)$/ });
      if (await decide.isEnabled()) await decide.click();
    },
  },

  'goods arrive that wait for a decision': {
    take: async ({ clients, random, arrived }) => {
      const mrn = `26NO${String(random.integer(0, 99_999)).padStart(14, '0')}`;
      const numbers = Array.from(
        { length: random.integer(1, 4) },
        () => `W${random.integer(0, 99_999)}`,
      );
      await clients.authority
        .putEntrySummaryDeclaration(mrn, {
          customsOfficeOfFirstEntry: OFFICE,
          declarant: '0192:310000078',
          houseConsignments: [...new Set(numbers)].map((documentNumber) => ({
            transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
          })),
        })
        .catch(() => undefined);
      await clients.carrier
        .presentEntrySummaryDeclaration({ mrn, customsOfficeOfPresentation: OFFICE })
        .catch(() => undefined);
      arrived.push(...numbers);
    },
  },

  'opens the queue': { isPossible: isAuthority, take: ({ console }) => console.open('/arrivals') },

  'filters the queue': {
    isPossible: isInQueue,
    take: ({ console, random }) =>
      console.open(
        `/arrivals?document=W${random.integer(1, 9)}&sort=${random.pick(['document', 'mrn'])}`,
      ),
  },

  'goes through the queue with keys': {
    isPossible: isInQueue,
    take: async ({ console: { page }, random }) => {
      for (let keys = random.integer(1, 6); keys > 0; keys--) {
        await page.keyboard.press(random.pick(['j', 'k', 'x', 'Shift+J', 'Enter', 'Escape', 'n']));
      }
    },
  },

  'decides in the queue': {
    isPossible: isInQueue,
    take: async ({ console: { page }, random, clients, arrived }) => {
      const name = random.pick(['Control', 'Entry']);
      const decide = page.getByRole('main').getByRole('button', { name, exact: true });
      if ((await decide.count()) === 0 || (await decide.isDisabled())) return;
      await decide.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('seen on a journey');
      if (random.integer(0, 2) === 0) await decideElsewhere(clients, random, arrived);
      const label = dialog.getByText(/^Enter \d+ to confirm$/);
      if ((await label.count()) > 0) {
        const count = (await label.innerText()).replaceAll(/\D/g, '');
        await dialog.getByLabel(/to confirm$/).fill(count);
      }
      await dialog.getByRole('button', { name: /^Decide/ }).click();
      await page.waitForTimeout(200);
      if ((await dialog.count()) > 0) await page.keyboard.press('Escape');
    },
  },

  'a colleague decides on what waits': {
    take: ({ clients, random, arrived }) => decideElsewhere(clients, random, arrived),
  },

  'somebody signs in in another tab': {
    take: async (journey) => {
      const { console, random } = journey;
      const identity = random.pick(WALKERS);
      const other = await console.browser.newPage();
      try {
        await console.browser.request.post(`${console.playground.baseUrl}/playground/sign-in`, {
          data: { identity },
        });
        await other.goto(`${console.playground.baseUrl}/console/`);
        await other.getByText(`Signed in as ${identity}`).waitFor();
        // The first page is told, and goes on as who was here, or as the other one.
        const dialog = console.page.getByRole('dialog');
        if (identity !== journey.walker) {
          await dialog.getByText(`Signed in as ${identity} in another tab`).waitFor();
          const next = random.pick(WALKERS);
          await dialog.getByRole('button', { name: `Continue as ${next}` }).click();
          await dialog.waitFor({ state: 'detached' });
          journey.walker = next;
        }
      } finally {
        await other.close();
      }
    },
  },

  searches: {
    isPossible: isAuthority,
    take: ({ console, random, identifiers }) => {
      const identifier = random.pick(identifiers);
      return console.open(
        `/search?id=${encodeURIComponent(identifier.slice(0, random.integer(3, identifier.length)))}`,
      );
    },
  },

  'opens a declaration': {
    isPossible: isAuthority,
    take: ({ console, random }) =>
      console.open(`/declarations/23NO0000000000000${random.integer(1, 5)}`),
  },

  'the service stops and starts': {
    take: async ({ console: { page, browser } }) => {
      // Nothing of it can be reached, as while it is restarted.
      await browser.route('**/console/**', (route) => route.abort('connectionrefused'));
      await page.waitForTimeout(500);
      await browser.unroute('**/console/**');
    },
  },

  'looks at signals': { isPossible: isCarrier, take: ({ console }) => console.open('/signals') },

  'goes back': {
    take: async ({ console: { page } }) => {
      await page.goBack();
      // Before the first page is what signing in has loaded: nothing there belongs to the console.
      if (!new URL(page.url()).pathname.startsWith('/console/')) await page.goForward();
    },
  },

  'goes forward': { take: async ({ console: { page } }) => void (await page.goForward()) },

  reloads: { take: async ({ console: { page } }) => void (await page.reload()) },

  'signs in as somebody else': {
    take: async (journey) => {
      journey.walker = WALKERS[1 - WALKERS.indexOf(journey.walker)] ?? 'carrier';
      await journey.console.signIn(journey.walker);
      await journey.console.open('/');
    },
  },

  'is without a connection for a moment': {
    take: async ({ console: { page, browser } }) => {
      await browser.setOffline(true);
      await page.waitForTimeout(300);
      await browser.setOffline(false);
    },
  },

  'the clock moves on': {
    take: ({ console: { playground } }) => playground.setClock({ advance: 60 }),
  },
};

/** A colleague decides on some of what waits. */
async function decideElsewhere(
  clients: Journey['clients'],
  random: Journey['random'],
  arrived: readonly string[],
): Promise<void> {
  if (arrived.length === 0) return;
  const { entries } = await clients.authority.listHouseConsignments({
    documentNumber: random.pick(arrived),
  });
  const [one] = entries;
  if (one === undefined) return;
  const decision = {
    mrn: mrnOf(one),
    transportDocumentHouseLevel: one.transportDocumentHouseLevel,
    routing: random.pick(['TO_CONTROL', 'TO_ENTRY'] as const),
    reason: 'seen by a colleague',
  };
  await (await clients.authority.postRoutingDecisions([decision])).toArray();
}

async function presentInPage(journey: Journey): Promise<void> {
  const { console, random, documents } = journey;
  const { page } = console;
  await console.open('/present');
  await page.getByLabel('Number of the transport document').fill(random.pick(documents));
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await page.getByText('The same from your own program').waitFor();
}
