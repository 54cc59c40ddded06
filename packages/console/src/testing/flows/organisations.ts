// How officers change organisations.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { X509CertificateGenerator } from '@peculiar/x509';
import { clientOf, removeServiceWorkers } from './act.js';
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
    await page.getByLabel('Part of the name, identifier or number').fill('310000051');
    await page.getByRole('table', { name: 'Organisations' }).getByRole('link').click();
    await page.getByRole('heading', { name: entry.name }).waitFor();
    await page.getByLabel('movement/air').check();
    const save = { name: 'Save grants' };
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', save).click();
    await dialog.getByText('Granted: movement/air').waitFor();
    // Another officer is faster.
    await authority.patchOrganisation(id, { name: 'Renamed', grantedScopes: [] });
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

flow(
  'a client gets a certificate, loses its key and is blocked, as its organisation is',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    const id = '0192:310000051';
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['sign', 'verify'],
    );
    const key = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'of-2026' };
    const { clients: before } = await authority.getOrganisation(id);
    const others = before.map(({ client_id: other }) => other);
    // The cast is true because an exported key of this algorithm has the members of a public one.
    const client = { client_id: 'trucks', keys: [key] } as (typeof before)[number];
    await authority.patchOrganisation(id, { clients: [...before, client] });
    const now = Date.now();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Trucks of 2026, 2.5.4.5=310000051',
      notBefore: new Date(now - 60_000),
      notAfter: new Date(now + 400 * 86_400_000),
      keys: await crypto.subtle.generateKey(
        {
          name: 'RSASSA-PKCS1-v1_5',
          hash: 'SHA-256',
          modulusLength: 2048,
          publicExponent: new Uint8Array([1, 0, 1]),
        },
        true,
        ['sign', 'verify'],
      ),
    });
    const clientNow = async () => {
      const { clients } = await authority.getOrganisation(id);
      return clients.find(({ client_id: other }) => other === 'trucks');
    };

    await signIn('authority');
    await open(`/organisations?id=${id}`);
    await page.getByLabel('Client', { exact: true }).fill('trucks');
    await page.getByLabel('Key (JWK) or certificate (PEM)').fill(certificate.toString('pem'));
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Registered', { exact: true }).waitFor();
    await page.getByRole('listitem').getByText('CN=Trucks of 2026').first().waitFor();
    assert.equal((await clientNow())?.certificates?.length, 1);

    const dialog = page.getByRole('dialog');
    const remove = page.getByRole('button', { name: 'Remove Key of-2026' });
    await remove.click();
    // Nothing happens without a confirmation.
    await dialog.getByRole('button', { name: 'Cancel' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await clientNow())?.keys?.length, 1);
    await remove.click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await remove.waitFor({ state: 'detached' });
    assert.deepEqual((await clientNow())?.keys ?? [], []);

    await page.getByRole('button', { name: 'Block trucks' }).click();
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('button', { name: 'Unblock trucks' }).waitFor();
    assert.equal((await clientNow())?.blocked, true);
    assert.equal((await authority.getOrganisation(id)).blocked, false);

    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('button', { name: 'Unblock', exact: true }).waitFor();
    assert.equal((await authority.getOrganisation(id)).blocked, true);
    await page.getByRole('button', { name: 'Unblock', exact: true }).click();
    await dialog.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
    const { blocked, clients } = await authority.getOrganisation(id);
    assert.equal(blocked, false);
    assert.deepEqual(
      clients.map(({ client_id: other }) => other),
      [...others, 'trucks'],
    );
  },
);

flow(
  'a certificate is read again after the page has failed to read it',
  async ({ page, browser, open, leave, signIn }) => {
    await signIn('authority');
    const scripts = '**/certificate-worker-*.js';
    const contentType = 'text/javascript';
    for (const script of [
      { status: 404 },
      { contentType, body: "onmessage = () => { throw new Error('crashed'); };" },
    ]) {
      await leave();
      await removeServiceWorkers(page);
      await browser.route(scripts, (route) => route.fulfill(script));
      // It has one certificate.
      await open('/organisations?id=0192:310000051');
      const failure = page.getByRole('alert');
      await failure.getByText('The page failed to read the certificate').waitFor();
      assert.equal(await page.getByText('It cannot be read').count(), 0);
      await browser.unroute(scripts);
      await failure.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('listitem').getByText('Algorithm: EC P-256').waitFor();
      await failure.waitFor({ state: 'detached' });
    }
  },
);

flow(
  'the identification numbers of an organisation are changed, and belong to it alone',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    const id = '0192:310000051';
    await authority.patchOrganisation('0192:310000019', { identificationNumbers: ['SE7'] });
    await signIn('authority');
    await open(`/organisations?id=${id}`);
    const field = page.getByLabel('EORI and national numbers');
    const save = page.getByRole('button', { name: 'Save numbers' });
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Save numbers' });
    assert.equal(await save.isDisabled(), true);
    await field.fill('de 123, se7');
    await save.click();
    await dialog.getByText(/^Added: DE123, SE7\./).waitFor();
    await confirm.click();
    await page.getByText('identificationNumbers.1').waitFor();
    assert.deepEqual((await authority.getOrganisation(id)).identificationNumbers, []);
    await field.fill('de 123');
    await save.click();
    await confirm.click();
    const isStored = async (numbers: readonly string[]) => {
      const end = performance.now() + 20_000;
      for (;;) {
        const { identificationNumbers } = await authority.getOrganisation(id);
        const shown = await field.inputValue();
        if (`${identificationNumbers}` === `${numbers}` && shown === numbers.join(', ')) return;
        assert.ok(
          performance.now() < end,
          `${identificationNumbers} are stored, ${shown} is shown`,
        );
        await page.waitForTimeout(50);
      }
    };
    await isStored(['DE123']);
    await field.fill('');
    await save.click();
    await dialog.getByText('Removed: DE123. New messages with them name nobody.').waitFor();
    await confirm.click();
    await isStored([]);
    await authority.patchOrganisation('0192:310000019', { identificationNumbers: [] });
  },
);
