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

flow(
  'an operator finds the request whose error somebody quotes, and nobody else does',
  async (console) => {
    const { page, playground, open, signIn } = console;
    await signIn('carrier');
    playground.scenarios.add({ kind: 'internal-error', operation: 'checkRelease' });
    await open('/gate?id=HC002');
    const quoted = page.getByText(/^Quote this id to the operator: /).first();
    const id = /[0-9a-f-]{36}/.exec(await quoted.innerText())?.[0];
    assert(id);
    playground.scenarios.clear();
    // It is found on the server at once, and after it was reported.
    for (const isReported of [false, true]) {
      if (isReported) await playground.setClock({ advance: 0 });
      await signIn('authority');
      await open('/');
      await page.keyboard.press('/');
      await page.getByRole('searchbox', { name: 'Identifier' }).fill(`urn:uuid:${id}`);
      const found = page.getByRole('region', { name: 'Failed requests of the service' });
      await found.getByRole('link', { name: /^500 GET .*release/ }).click();
      const table = page.getByRole('table', { name: 'Failed requests' });
      await table.getByText(id).waitFor();
      await table.getByText('0192:310000019').waitFor();
      await table.getByText('The scenario internal-error').waitFor();
    }
    await page.getByRole('link', { name: 'All failed requests' }).click();
    await page.getByText('The last ones of all servers').waitFor();
    await page.getByRole('table', { name: 'Failed requests' }).getByText(id).waitFor();
    await open(`/operations?failed=${crypto.randomUUID()}`);
    await page.getByText('No request that failed in the last day has this id').waitFor();
    await signIn('carrier');
    await open(`/search?id=${id}`);
    await page.getByText('Your organisation has no request with this id').waitFor();
    assert.equal(await page.getByText('Failed requests of the service').count(), 0);
    await open(`/operations?failed=${id}`);
    await page.getByText('You may not see this').waitFor();
  },
);
