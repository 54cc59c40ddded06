// What operators see in the console.
import assert from 'node:assert/strict';
import { flow } from './flow.js';

flow(
  'an operator sees what is wrong, what to do, and the figures of the servers',
  async (console) => {
    const { page, playground, open, signIn, reported } = console;
    await signIn('carrier');
    const refusals = await page.evaluate(async () => {
      const statuses = [];
      for (let sent = 0; sent < 100; sent++) {
        const response = await fetch('/console/api/api/authority/v1/service-status');
        statuses.push(response.status);
      }
      return statuses;
    });
    assert.deepEqual([...new Set(refusals)], [403]);
    await open('/operations');
    await page.getByText('You may not see this').waitFor();
    reported.length = 0;
    // Servers write their figures after each minute, and as the clock is set.
    await playground.setClock({ advance: 0 });
    await signIn('authority');
    await open('/operations?hours=1');
    const problem = page.getByRole('group', { name: 'One organisation is refused very often' });
    await problem.getByText('0192:310000019').waitFor();
    await problem.getByText('What to do').click();
    await problem.getByText('Contact the organisation').waitFor();
    await page.getByRole('region', { name: 'Servers' }).first().getByText('Reports').waitFor();
    const callers = page.getByRole('table', { name: /^Organisations/ });
    await callers.getByRole('row', { name: /^0192:310000019 \d{3,} 100 0$/ }).waitFor();
    const chart = page.getByRole('figure', { name: 'Requests a second' });
    await chart.getByText('As a table').click();
    await chart.getByRole('row').nth(1).waitFor();
    await page.getByText('6 hours', { exact: true }).click();
    await page.waitForURL(/hours=6$/);
    await page.getByRole('figure', { name: 'Requests a second' }).waitFor();
    assert.deepEqual(reported, []);
  },
);
