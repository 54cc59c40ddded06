// How officers change organisations.
import assert from 'node:assert/strict';
import { clientOf } from './act.js';
import { flow } from './flow.js';

flow(
  'an organisation is found, granted and given a key, and a change of another officer is kept',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    const id = '0192:310000051';
    const { id: _, ...entry } = await authority.getOrganisation(id);
    await signIn('authority');
    await open('/organisations');
    await page.getByLabel('Part of the name or identifier').fill('310000051');
    await page.getByRole('table', { name: 'Organisations' }).getByRole('link').click();
    await page.getByRole('heading', { name: entry.name }).waitFor();
    await page.getByLabel('movement/air').check();
    const save = { name: 'Save grants' };
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', save).click();
    await dialog.getByText('Granted: movement/air').waitFor();
    // Another officer is faster.
    await authority.putOrganisation(id, { ...entry, name: 'Renamed', grantedScopes: [] });
    await dialog.getByRole('button', save).click();
    await page.getByText('Somebody else has changed the organisation meanwhile').waitFor();
    await page.getByText(`Name: “${entry.name}” is “Renamed” now.`).waitFor();
    assert.deepEqual((await authority.getOrganisation(id)).grantedScopes, []);
    await page.getByLabel('movement/air').check();
    await page.getByRole('button', save).click();
    await dialog.getByRole('button', save).click();
    await page.getByText('Somebody else has').waitFor({ state: 'detached' });

    const generated = await crypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['sign', 'verify'],
    );
    const jwkOf = async (key: CryptoKey) =>
      JSON.stringify({ ...(await crypto.subtle.exportKey('jwk', key)), kid: 'of-2026' });
    await page.getByLabel('Client', { exact: true }).fill('a-new-client');
    const credential = page.getByLabel('Key (JWK) or certificate (PEM)');
    await credential.fill(await jwkOf(generated.privateKey));
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/^This is a private key\./).waitFor();
    await credential.fill(await jwkOf(generated.publicKey));
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Registered', { exact: true }).waitFor();
    const key = page.getByRole('listitem').filter({ hasText: 'Key of-2026' });
    await key.getByText('Algorithm: EC P-256').waitFor();
    const stored = await authority.getOrganisation(id);
    assert.equal(stored.name, 'Renamed');
    assert.deepEqual(stored.grantedScopes, ['movement/air']);
    const added = stored.clients.find(({ client_id: client }) => client === 'a-new-client');
    assert.deepEqual(
      added?.keys?.map(({ kid }) => kid),
      ['of-2026'],
    );
  },
);
