// Goods that were lodged as a house consignment are shown with the MRN of their message, on every page that shows an MRN.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MovementMessage } from '@landfall/client';
import { generateJourney } from '@landfall/samples';
import { noBrowser } from '../../service/dist/testing/browser.js';
import { createPostgresql, whyNoPostgresql } from '../../service/dist/testing/postgresql.js';
import { clientOf, presentByApi } from './testing/flows/act.js';
import { openConsole } from './testing/open-console.js';

const MRN = '23NO00000000000003';

test('pages show the MRN of goods that were lodged', {
  skip: noBrowser || (await whyNoPostgresql()),
}, async () => {
  const { url, run, drop } = await createPostgresql();
  const { page, open, playground, signIn } = await openConsole({ databaseUrl: url });
  after(drop);
  await run(`
    with lodged as (update declaration set kind = 'HOUSE' where mrn = '${MRN}' returning id)
    update house_consignment
    set signal_head = replace(signal_head, '"entrySummaryDeclarationMRN"', '"houseConsignmentMRN"')
    where ens_id = (select id from lodged)`);
  const document = { documentNumber: 'HC001', type: 'N740' } as const;
  await playground.scenarios.add({ kind: 'no-decision', reference: 'HC001' });
  await presentByApi(playground, { transportDocumentHouseLevel: document });
  const authority = await clientOf(playground, 'authority');
  const { entries } = await authority.listHouseConsignments(document);
  const [goods] = entries;
  assert(goods?.houseConsignmentMRN === MRN && goods.entrySummaryDeclarationMRN === undefined);

  const shows = async (path: string) => {
    await open(path);
    await page.getByText(MRN).first().waitFor();
  };
  await signIn('authority');
  await shows('/search?id=HC001');
  await shows('/arrivals');
  await shows('/decide?state=PRESENTED');
  // The facts of the goods lead to everything that has the MRN, which is decided with it.
  await shows(`/consignments/${goods.id}`);
  await page.getByRole('link', { name: MRN }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: MRN }).waitFor();
  await page.getByRole('link', { name: 'HC001' }).waitFor();

  const created = await authority.createRoutingRun({
    select: document,
    routing: 'TO_ENTRY',
    reason: 'test',
  });
  assert('id' in created);
  await shows(`/runs?id=${created.id}`);
  await signIn('carrier');
  await shows('/signals');
  await shows('/gate?id=HC001');
  await page.getByRole('heading', { level: 2, name: 'May be released' }).waitFor();

  // Of a message that has ended, its text is removed at last: the rest of it is shown.
  const carrier = await clientOf(playground, 'carrier');
  const [transport] = generateJourney({
    kind: 'lorry',
    houses: 1,
    incomplete: 0,
    carrier: 'NO310000019',
    arrivesAt: new Date(Date.now() + 3_600_000),
    seed: 1,
  });
  // The cast is true because both types are those of the contract.
  const given = transport?.message as MovementMessage;
  const level = transport?.level;
  const { mrn = '' } = await carrier.lodgeMovement('road', given, { level });
  await authority.cancelMovementAsAuthority(mrn, { reason: 'a test' });
  await run(`
    delete from movement_text where declaration_id = (select id from declaration where mrn = '${mrn}')`);
  await signIn('authority');
  await open(`/movements/${mrn}`);
  await page.getByRole('heading', { name: 'The text was removed' }).waitFor();
  await page.getByText('Playground carrier').first().waitFor();
  await page.getByText('It has ended. Only a current message can be cancelled.').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByRole('heading', { name: 'The text was removed' }).waitFor();
});
