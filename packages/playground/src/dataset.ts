// The playground's dataset: its pre-notified declarations and their routing.
import { playgroundConsignments } from '@landfall/contract';
import type { Database, Incoming } from '@landfall/service/assembly';
import { AuditTrail, readDeclarations, register } from '@landfall/service/assembly';

/**
 * The declarant of the playground's declarations. It is none of the identities, so that each identity reads only the
 * signals of the goods that it presented itself.
 */
const DECLARANT = '0192:310000078';

/** Adds the missing declarations of the dataset to the database. Existing ones are not changed. */
export async function loadDataset(
  database: Database,
  at: Date,
  mintId: () => string,
): Promise<void> {
  const declarations = makeDeclarations();
  const existing = await readDeclarations(
    database,
    declarations.map(({ mrn }) => mrn),
  );
  const missing = declarations.filter(({ mrn }) => !existing.has(mrn));
  if (missing.length === 0) return;
  const registry = { database, audit: new AuditTrail(), newId: mintId };
  await register(registry, missing, { at, actor: undefined, requestId: mintId() });
}

function makeDeclarations(): Incoming[] {
  const mrns = [...new Set(playgroundConsignments.map(({ mrn }) => mrn))];
  return mrns.map((mrn) => ({
    mrn,
    declaration: { mrn, customsOfficeOfFirstEntry: 'NO351001', declarant: DECLARANT },
    isComplete: true,
    houses: playgroundConsignments
      .filter((consignment) => consignment.mrn === mrn)
      .map(({ documentNumber, type, masterDocument, receptacleId, containerId, routing }) => ({
        transportDocumentHouseLevel: { documentNumber, type },
        ...(masterDocument && { transportDocumentMasterLevel: masterDocument }),
        ...(receptacleId && { receptacleId }),
        ...(containerId && { containerId: [containerId] }),
        routing,
        ...(routing === 'TO_CONTROL' && { routingControlLocation: 'ON_ENTRY' as const }),
      })),
  }));
}
