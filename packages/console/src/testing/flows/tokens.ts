// What integrators do with the token inspector.
import assert from 'node:assert/strict';
import { GrantTokens } from '@landfall/client';
import type { ConsolePage } from '../open-console.js';
import { flow } from './flow.js';

flow(
  'a token that is pasted is explained, with the rules that it breaks and what to do',
  async ({ page, open, playground, signIn, reported }) => {
    await signIn('carrier');
    await open('/token');
    await page.getByText('No token inspected yet').waitFor();
    const field = page.getByLabel('Token', { exact: true });
    const inspect = async (text: string) => {
      await field.fill(text);
      await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    };
    const rules = page.getByRole('region', { name: 'Rules' });
    const claims = page.getByRole('region', { name: 'Claims' });
    const itemOf = (region: typeof rules, name: string) =>
      region.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

    await inspect('eyJhbGciOiJFUzI1NiJ9.c2VjcmV0');
    await page.getByText('has 2 parts and must have 3').waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');

    const valid = await requestTokens(playground);
    await inspect(valid.customsToken);
    await page.getByText('Every rule is kept').waitFor();
    await itemOf(claims, 'sub').getByText('The identity carrier').waitFor();
    await itemOf(claims, 'exp')
      .getByText(/\(in 1\d minutes\)/)
      .waitFor();
    assert.equal(await rules.getByText('Broken', { exact: true }).count(), 0);

    // A token ends by the clock of the playground.
    await playground.setClock({ advance: 3600 });
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.getByText('1 rule is broken').waitFor();
    await page.getByText('Each call is refused with 401 and invalid_token.').waitFor();
    await rules.getByRole('listitem').first().getByText('Get a new token: this one').waitFor();
    await itemOf(claims, 'exp')
      .getByText(/\(4\d minutes ago\)/)
      .waitFor();

    await playground.setClock({ time: new Date().toISOString() });
    playground.scenarios.add({ kind: 'wrong-audience', identity: 'carrier' });
    const { accessToken } = await requestTokens(playground);
    await inspect(accessToken);
    await page.getByText('The exchange refuses the token with invalid_request.').waitFor();
    const audience = itemOf(rules, 'aud');
    await audience.getByText('Broken').waitFor();
    await audience.getByText('Get a token for this service').waitFor();
    await itemOf(claims, 'aud').getByText('Unknown to this playground').waitFor();

    await page.getByRole('button', { name: 'Inspect a new grant of carrier' }).click();
    await page.getByText('Every rule is kept').waitFor();
    await itemOf(claims, 'iss').getByText('The identity carrier').waitFor();
    assert.equal(await field.inputValue(), accessToken);

    // Neither the address nor the browser has what was pasted.
    assert.equal(new URL(page.url()).search, '');
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    assert(!kept.includes('eyJ'), kept);
    await page.reload();
    await page.getByText('No token inspected yet').waitFor();
    assert.deepEqual(
      reported.filter((text) => !/status of 400/.test(text)),
      [],
    );
  },
);

/** Requests a customs token of the carrier; returns what was sent and received, also if it was refused. */
async function requestTokens(playground: ConsolePage['playground']) {
  let accessToken = '';
  const source = new GrantTokens({
    ...playground.credentials('carrier'),
    fetch: (input, init) => {
      const form = init?.body instanceof URLSearchParams ? init.body : undefined;
      accessToken = form?.get('subject_token') ?? accessToken;
      return fetch(input, init);
    },
  });
  const customsToken = await source.getToken([]).catch(() => '');
  return { accessToken, customsToken };
}
