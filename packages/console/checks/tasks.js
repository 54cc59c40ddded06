// What a day's work in the console costs: the clicks, keys and seconds of each task, with the mouse, with the keyboard
// alone and on a phone. `npm run check:tasks -- --help`.
import '../../../scripts/end-with-script.js';
import { parseArgs } from 'node:util';
import { Landfall } from '@landfall/client';
import { startPlayground } from '@landfall/playground';
import { makeMessage } from '../../service/dist/testing/goods-item-messages.js';
import { until } from '../../service/dist/testing/until.js';
import { launchBrowser, openPage } from './browser.js';
import { Hand } from './hand.js';

const help = `Carries out the tasks of a day's work in Chromium, each from the start page of whoever has it, and prints a table of
what they cost: clicks (or taps), keys other than the text that is typed, and seconds. Fails if one cannot be done.

  npm run check:tasks
  npm run check:tasks -- --only reverse --show

Options:
  --only WORDS   only tasks whose name contains one of these words, such as "reverse,stream"
  --show         says each step`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    show: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

/** The ways of working, with the options of a page of Chromium. */
const WAYS = {
  mouse: { viewport: { width: 1440, height: 900 } },
  keyboard: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

const OFFICE = 'NO342001';
const DECLARATIONS = 5;
/** House consignments of each declaration, numbered in groups of 200. */
const [SIZE, GROUP] = [1000, 200];
const REASON = 'a tip';
const DECIDED_MRN = '26NO00000000000070';

/** The tasks, each from the start page of whoever has it. None needs another one: see `prepare`. */
const tasks = [
  {
    name: 'present goods and see their signal',
    identity: 'carrier',
    do: async (hand) => {
      await hand.goTo('Present goods');
      await hand.choose(hand.main.getByRole('button', { name: 'Present', exact: true }));
      await hand.see(
        hand.page.getByRole('region', { name: 'Signals for it' }).getByText('Control'),
      );
    },
  },
  {
    name: 'find one’s own request by its id',
    identity: 'carrier',
    do: async (hand, { requestId }) => {
      await hand.search(requestId);
      await hand.choose(hand.page.getByRole('link', { name: /^Accepted: House consignment/ }));
      await hand.see(hand.page.getByRole('heading', { level: 1, name: `Request ${requestId}` }));
    },
  },
  {
    name: 'see why a presentation was refused, and present again',
    identity: 'carrier',
    do: async (hand) => {
      await hand.goTo('Requests');
      await hand.choose(hand.page.getByRole('row').getByRole('link', { name: 'HC002' }).first());
      const drawer = hand.page.getByRole('region', { name: /^Request / });
      await hand.see(drawer.getByText(/customsOfficeOfPresentation.*\(UNKNOWN_CODE\)/));
      await hand.choose(drawer.getByRole('link', { name: 'Present again' }));
      await hand.replace(hand.page.getByLabel('Customs office of presentation'), 'NO351001');
      await hand.choose(hand.main.getByRole('button', { name: 'Present', exact: true }));
      await hand.see(hand.page.getByText('Presented', { exact: true }));
    },
  },
  {
    name: 'check goods at the gate with a scanner',
    identity: 'carrier',
    do: async (hand) => {
      await hand.goTo('Gate');
      await hand.scan('HC002');
      await hand.see(hand.page.getByRole('heading', { level: 2, name: /control/ }));
    },
  },
  {
    name: `decide on ${GROUP} of ${DECLARATIONS * SIZE} that wait`,
    identity: 'authority',
    do: async (hand, { group }) => {
      await hand.goTo('Arrivals');
      await hand.type(hand.page.getByLabel('House document or MRN'), group);
      await hand.choose(hand.page.getByRole('button', { name: `Select all ${GROUP}` }));
      if (hand.way === 'keyboard') await hand.key('c');
      else await hand.choose(hand.main.getByRole('button', { name: 'Control', exact: true }));
      const dialog = hand.page.getByRole('dialog');
      await hand.type(dialog.getByLabel('Reason'), REASON);
      await hand.type(dialog.getByLabel(/^Enter \d+ to confirm|^Enter the number/), String(GROUP));
      await hand.key('Enter');
      await hand.see(hand.page.getByText(`One run on ${GROUP}: Control`));
    },
  },
  {
    name: 'reverse a run',
    identity: 'authority',
    do: async (hand) => {
      await hand.goTo('Runs');
      await hand.choose(hand.main.getByRole('row').nth(1).getByRole('link').first());
      await hand.type(hand.page.getByLabel('Reason of the reversal'), 'the tip was wrong');
      await hand.choose(hand.page.getByRole('button', { name: 'Preview' }));
      const dialog = hand.page.getByRole('dialog');
      await hand.type(dialog.getByLabel(/^Enter \d+ to confirm/), String(GROUP));
      await hand.choose(dialog.getByRole('button', { name: `Reverse ${GROUP}` }));
      await hand.see(
        hand.page.getByRole('heading', { level: 1, name: 'Run: What was decided before' }),
      );
    },
  },
  {
    name: 'see who decided on goods, and when',
    identity: 'authority',
    do: async (hand, { decided }) => {
      await hand.search(decided);
      await hand.choose(hand.main.getByRole('link', { name: new RegExp(decided) }).first());
      await hand.see(hand.page.getByRole('region', { name: 'History' }).getByText(REASON));
    },
  },
  {
    name: 'find an older declaration in the stream',
    identity: 'statistics',
    do: async (hand) => {
      await hand.goTo('Goods-item stream');
      await hand.chooseRadio('From the oldest event');
      await hand.type(hand.page.getByLabel('Only this declaration'), '974761076-20260117-1');
      await hand.choose(hand.page.getByRole('link', { name: 'Added' }).first());
      await hand.see(hand.page.getByRole('tab', { name: 'Readable' }));
    },
  },
  {
    name: 'look at the last 6 hours of the service',
    identity: 'authority',
    do: async (hand) => {
      await hand.goTo('Operations');
      await hand.chooseRadio('6 hours');
      await hand.page.waitForURL(/hours=6/);
      await hand.see(hand.page.getByRole('heading', { level: 2 }).first());
    },
  },
  {
    name: 'continue as another identity',
    identity: 'carrier',
    do: async (hand) => {
      await hand.choose(hand.page.getByRole('button', { name: 'Settings' }));
      await hand.choose(hand.page.getByRole('button', { name: 'Change identity' }));
      await hand.choose(hand.page.getByRole('button', { name: 'Continue as express' }));
      await hand.see(hand.page.getByText('express').first());
    },
  },
];

const wanted = options.only?.split(',');
const chosen = tasks.filter(({ name }) => wanted?.some((word) => name.includes(word)) ?? true);
if (chosen.length === 0) {
  console.error(`--only: no task has one of these words in its name`);
  process.exit(2);
}

const costs = new Map(chosen.map(({ name }) => [name, []]));
for (const [way, view] of Object.entries(WAYS)) await carryOut(way, view);
console.log(`\nChromium, Node.js ${process.version}: clicks + keys, seconds\n`);
console.log(
  `| task | ${Object.keys(WAYS).join(' | ')} |\n|---|${Object.keys(WAYS)
    .map(() => '---|')
    .join('')}`,
);
for (const [name, cells] of costs) console.log(`| ${name} | ${cells.join(' | ')} |`);

/** Carries out all tasks in one way, on a playground of its own. */
async function carryOut(way, view) {
  const playground = await startPlayground();
  const browser = await launchBrowser();
  try {
    const known = await prepare(playground);
    for (const task of chosen) {
      const context = await browser.newContext(view);
      const page = await context.newPage();
      // A phone has the navigation behind a button, for which signing in by the pages would wait.
      const { identity } = task;
      await context.request.post(`${playground.baseUrl}/playground/sign-in`, {
        data: { identity },
      });
      await openPage(page, `${playground.baseUrl}/console/`);
      const hand = new Hand(page, way, options.show);
      const began = performance.now();
      try {
        await task.do(hand, known);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        costs.get(task.name).push(`${hand.clicks} + ${hand.keys}, ${seconds} s`);
        console.log(`${way}: ${task.name}: ${costs.get(task.name).at(-1)}`);
      } catch (error) {
        process.exitCode = 1;
        costs.get(task.name).push('not done');
        console.error(`${way}: ${task.name}: ${error.message}`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
    await playground.close();
  }
}

/** Goods that wait, others that a run has decided on, a presentation that was accepted and one that was refused, and a goods item. */
async function prepare(playground) {
  const authority = new Landfall(playground.credentials('authority'));
  const carrier = new Landfall(playground.credentials('carrier'));
  const customsOfficeOfPresentation = 'NO351001';
  const register = (mrn, prefix, size) =>
    authority.putEntrySummaryDeclaration(mrn, {
      customsOfficeOfFirstEntry: OFFICE,
      declarant: '0192:310000078',
      houseConsignments: Array.from({ length: size }, (_, number) => {
        const inGroup = String(number % GROUP).padStart(3, '0');
        const documentNumber = `${prefix}-${Math.floor(number / GROUP)}-${inGroup}`;
        return { transportDocumentHouseLevel: { documentNumber, type: 'N740' } };
      }),
    });
  for (let declaration = 0; declaration < DECLARATIONS; declaration++) {
    const mrn = `26NO0000000000006${declaration}`;
    await register(mrn, `D${declaration}`, SIZE);
    await carrier.presentEntrySummaryDeclaration({ mrn, customsOfficeOfPresentation });
  }
  await register(DECIDED_MRN, 'RUN', GROUP);
  const { id } = await authority.createRoutingRun({
    select: { mrn: DECIDED_MRN },
    routing: 'TO_CONTROL',
    reason: REASON,
  });
  await until(async () => (await authority.getRoutingRun(id)).state === 'COMPLETED');
  const goods = { transportDocumentHouseLevel: { documentNumber: 'HC002', type: 'N740' } };
  const { requestId } = await carrier.presentHouseConsignment({
    ...goods,
    customsOfficeOfPresentation,
  });
  await carrier
    .presentHouseConsignment({ ...goods, customsOfficeOfPresentation: 'NO000000' })
    .catch(() => undefined);
  await authority.publishGoodsItems(JSON.stringify(makeMessage()));
  return { requestId, group: 'D3-2-', decided: 'RUN-0-000' };
}
