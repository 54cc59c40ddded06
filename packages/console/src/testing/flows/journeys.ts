// Transports that were lodged: what is missing, and whether they may be unloaded, as it changes.
import assert from 'node:assert/strict';
import { generateJourney } from '@landfall/samples';
import { clientOf } from './act.js';
import { flow } from './flow.js';

const anHour = 3_600_000;

flow('a transport is followed from what is missing to unloading', async (shown) => {
  const { page, open, playground, signIn } = shown;
  await signIn('carrier');
  await open('/journeys?mode=rail');
  await page.getByRole('heading', { name: 'No transport is lodged' }).waitFor();

  const carrier = await clientOf(playground, 'carrier');
  const messages = [
    ...generateJourney({
      kind: 'lorry',
      houses: 3,
      incomplete: 1,
      carrier: 'NO310000019',
      arrivesAt: new Date(Date.now() + anHour),
      seed: 11,
    }),
  ];
  const mrns = new Map<string, string>();
  for (const { level, message } of messages) {
    // The cast is true because both types are those of the contract.
    const given = message as Parameters<typeof carrier.lodgeMovement>[1];
    const { mrn } = await carrier.lodgeMovement('road', given, { level });
    assert(mrn !== undefined);
    mrns.set(level === 'house-consignment' ? mrn : level, mrn);
  }
  const transport = mrns.get('transport') ?? '';

  await open('/journeys');
  await page
    .getByRole('row', { name: new RegExp(transport) })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { name: 'May not be unloaded' }).waitFor();
  await page.getByText('The transport has not arrived.').waitFor();
  await page.getByText('3 documents are not lodged or incomplete.').waitFor();
  assert.equal(await page.getByText('INCOMPLETE_DOCUMENTATION').count(), 3);

  for (const { level, message } of messages) {
    if (level !== 'house-consignment') continue;
    const number = message.consignmentHouseLevel.transportDocumentHouseLevel;
    const { entries } = await carrier.listMovements('road', level, number);
    // The cast is true because both types are those of the contract.
    const body = {
      ...message,
      consignmentHouseLevel: {
        ...message.consignmentHouseLevel,
        importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: false },
      },
    } as Parameters<typeof carrier.replaceHouseConsignment>[2];
    await carrier.replaceHouseConsignment('road', entries[0]?.mrn ?? '', body);
  }
  await page.getByText('Nothing is missing.').waitFor();

  await carrier.reportArrival({
    mrn: transport,
    dateAndTimeOfArrival: `${new Date().toISOString().slice(0, 19)}Z`,
    customsOfficeOfArrival: { referenceNumber: 'NO371001' },
  });
  await page.getByRole('heading', { name: 'May be unloaded' }).waitFor();
  await page.getByRole('link', { name: 'All transports' }).click();
  await page.getByRole('row', { name: /Arrived/ }).waitFor();

  // Somebody else sees nothing of it.
  await signIn('forwarder');
  await open(`/transports/road/${transport}`);
  await page.getByRole('heading', { name: 'There is no such transport' }).waitFor();
  await open('/transports/moon/26NO7K2M4Q9XWR5HT0');
  await page.getByRole('heading', { level: 1 }).waitFor();
});
