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
    await page.getByRole('region', { name: 'Servers', exact: true }).getByText('Reports').waitFor();
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

flow(
  'an operator looks into the past: one range and one cursor for all charts, and what has ended',
  async (console) => {
    const { page, browser, open, signIn, reported } = console;
    await signIn('authority');
    // A day with a problem that lasts, one that has ended and a restart: a playground has run for minutes only.
    const now = Math.floor(Date.now() / 60_000) * 60_000;
    const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
    await browser.route(/service-status/, async (route) => {
      const response = await route.fetch({ timeout: 0 });
      const status = await response.json();
      const [known] = status.series.points;
      const zero = { latencies: {}, queued: 0, commitsPerSecond: 0, processorShare: 0.1 };
      const rates = { requestsPerSecond: 2, refusedPerSecond: 0, failedPerSecond: 0 };
      const points = Array.from({ length: 59 }, (_, index) => ({
        ...{ ...zero, ...rates, memoryBytes: 1e8, servers: 1, ...known, at: at(59 - index) },
        viewRelayLag: 7,
      }));
      const errors = {
        ...{ code: 'ERRORS', severity: 'critical', title: 'Requests fail', when: 'x' },
        ...{ actions: ['Search the log'], runbook: 'docs/reference/runbook.md#errors' },
      };
      await route.fulfill({
        response,
        json: {
          ...status,
          at: at(0),
          series: { step: 60, points },
          problems: [{ ...errors, since: at(4), failedRequests: 1200 }],
          pastProblems: [{ ...errors, since: at(40), until: at(30), failedRequests: 7 }],
          starts: [{ server: 'one:8080', at: at(35), version: '9.9.9' }],
          relays: [{ name: 'goods-item-views', position: 12, lag: 7 }],
        },
      });
    });
    await open('/operations?hours=1');
    const current = page.getByRole('group', { name: 'Requests fail' }).first();
    await current.getByText(/^Since .*\(4 min\)\. 1,200 requests failed\.$/).waitFor();
    const past = page.getByText(/^Requests fail, /);
    await past.click();
    await page.getByText(/^From .* until .*\(10 min\)\. 7 requests failed\.$/).waitFor();
    await page.getByRole('table', { name: 'Starts of servers' }).getByText('9.9.9').waitFor();
    // Every relay is there, also one of those that are not configured.
    await page.getByText('12 relayed, 7 behind, no server relays').waitFor();
    assert.equal(await page.getByText(/^Relay of /).count(), 3);
    const lags = page.getByRole('figure', { name: 'Entries that are not yet relayed' });
    await lags.getByText('goods items of views').first().waitFor();
    const charts = page.getByRole('figure');
    const drawings = page.locator('figure svg[preserveAspectRatio="none"]');
    const count = await drawings.count();
    assert(count >= 3);
    const bands = () => page.locator('figure rect title', { hasText: 'Requests fail' }).count();
    assert.equal(await bands(), 2 * count);
    assert.equal(await page.locator('figure title', { hasText: 'one:8080 9.9.9' }).count(), count);
    // One cursor: whichever chart is pointed at, all say the same time.
    await drawings.first().scrollIntoViewIfNeeded();
    const box = await drawings.first().boundingBox();
    assert(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, y);
    await charts
      .nth(1)
      .getByText(/^\d\d:\d\d$/)
      .first()
      .waitFor();
    await page.waitForFunction(
      (all) => document.querySelectorAll('figure [class*=pointer]').length === all,
      count,
    );
    // What is dragged over is the range of all, and in the address.
    await page.mouse.move(box.x + box.width * 0.6, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.99, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    assert.equal(await bands(), count);
    await page.getByText('No problem ended in this range.').waitFor();
    const from = page.getByLabel(/^From \(/);
    const chosen = await from.inputValue();
    assert.notEqual(chosen, '');
    await page.reload();
    assert.equal(await from.inputValue(), chosen);
    await page.getByText('6 hours', { exact: true }).click();
    await page.waitForURL(/\?hours=6$/);
    await past.waitFor();
    assert.deepEqual(reported, []);
  },
);
