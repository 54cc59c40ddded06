// Leaves the goods of a world: undecided ones would be decided when a later episode applies its profile.
import { operations } from '../operations/operations.js';

/** Deactivates the profile and decides what is undecided. */
export async function leaveWorld(service, client, observer) {
  await service.settle();
  await client.send(0, operations.deactivate.request({ officer: 0 }));
  const decisions = (await observer.searchAll())
    .filter(({ routing }) => routing === undefined)
    .map(({ entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel: document }) => ({
      mrn,
      transportDocumentHouseLevel: document,
      routing: 'TO_ENTRY',
    }));
  if (decisions.length === 0) return;
  const request = operations.decideGoods.request({ officer: 0, form: 'array', decisions });
  const response = await client.send(0, request);
  if (response?.status !== 200) throw new Error(`not decided: ${response?.text}`);
}
