// What people do with the console, in a browser on a playground: every flow in `testing/flows/`. The pages
// have no SQL, whose tests are beside it, so the flows are divided among the databases, which are tested side by side. A run of
// all tests draws some of them.
import './testing/flows/gate.js';
import './testing/flows/goods-item-views.js';
import './testing/flows/identifiers.js';
import './testing/flows/integrators.js';
import './testing/flows/journeys.js';
import './testing/flows/lists.js';
import './testing/flows/lodging.js';
import './testing/flows/officers.js';
import './testing/flows/operators.js';
import './testing/flows/organisations.js';
import './testing/flows/pressed-twice.js';
import './testing/flows/profiles.js';
import './testing/flows/queue.js';
import './testing/flows/refused-forms.js';
import './testing/flows/runs.js';
import './testing/flows/states.js';
import './testing/flows/stream.js';
import './testing/flows/subscriptions.js';
import './testing/flows/tokens.js';
import './testing/flows/transport-gate.js';
import './testing/flows/transport-lists.js';
import './testing/flows/transport-officers.js';
import './testing/flows/visitors.js';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawCases } from '../../contract/dist/testing/drawn-cases.js';
import { flows } from './testing/flows/flow.js';
import { type ConsolePage, openConsoles } from './testing/open-console.js';

const consoles = await openConsoles();
const drawn = drawCases('flows', flows, 18);

describe('flows', { concurrency: true }, () => {
  const available = consoles.filter(({ skip }) => skip === false);
  for (const one of consoles) {
    const { database, skip, opened } = one;
    describe(`on ${database}`, { concurrency: false }, () => {
      for (const [index, { name, run }] of drawn.entries()) {
        if (available[index % available.length] !== one) continue;
        test(`${name}, on ${database}`, { skip }, async (context) => {
          assert(opened);
          await startAnew(opened);
          try {
            await run(opened, context);
          } catch (error) {
            context.diagnostic(await describePage(opened));
            throw error;
          }
        });
      }
    });
  }
});

/** Returns to the data of the start, and to the choices of a new browser. */
async function startAnew({ browser, page, playground, reported, leave }: ConsolePage) {
  await browser.setOffline(false);
  await browser.unrouteAll({ behavior: 'ignoreErrors' });
  await leave();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await playground.reset();
  await page.setViewportSize({ width: 1280, height: 900 });
  reported.length = 0;
}

/** What somebody would see where a flow failed. */
async function describePage({ page, reported }: ConsolePage): Promise<string> {
  const text = await page.innerText('body').catch(String);
  return [page.url(), text, ...reported].join('\n');
}
