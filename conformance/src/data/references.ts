// Goods for each level of presentation, and the reference that reaches them.
import type { PresentationPath } from '@landfall/contract';
import type { CaseContext } from '../suite/case-context.js';
import { documentOf, register } from './goods.js';
import { newContainerId, newDocumentNumber, newReceptacleId } from './identifiers.js';
import { memberOf } from './read-feed.js';

/**
 * Registers three house consignments, of which the first two share a master document, a container and a receptacle.
 *
 * @returns the reference at a level, and the numbers of the documents that it reaches
 */
export async function registerFor(context: CaseContext, level: PresentationPath) {
  const receptacleId = newReceptacleId();
  const containerId = newContainerId();
  const master = { documentNumber: newDocumentNumber(), type: 'N741' } as const;
  const shared = { receptacleId, containerId: [containerId], transportDocumentMasterLevel: master };
  const declaration = await register(context, {
    houses: [
      { ...shared, routing: 'TO_ENTRY' },
      { ...shared, routing: 'TO_CONTROL' },
      { routing: 'TO_ENTRY' },
    ],
  });
  const references = {
    'house-consignment': { transportDocumentHouseLevel: documentOf(declaration) },
    'master-consignment': { transportDocumentMasterLevel: master },
    container: { containerId },
    receptacle: { receptacleId },
    'entry-summary-declaration': { mrn: declaration.mrn },
  };
  const all = declaration.houseConsignments.map(
    (house) => house.transportDocumentHouseLevel.documentNumber,
  );
  const reached = { 'house-consignment': 1, 'entry-summary-declaration': 3 }[level as string] ?? 2;
  return { declaration, reference: references[level], documents: all.slice(0, reached) };
}

/** The document numbers of signals. */
export function documentsOf(signals: readonly unknown[]): string[] {
  return signals.map((signal) =>
    String(memberOf(signal, 'transportDocumentHouseLevel.documentNumber')),
  );
}
