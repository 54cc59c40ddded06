// The playground's dataset: its pre-notified declarations and their routing. Wire contract, section 9.
import { playgroundConsignments } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { Registrable } from '../registry/entry-summary-declaration.js';
import { findKnownDeclarations } from '../registry/get-declaration.js';
import { makeRegister } from '../registry/register.js';

/**
 * Who lodged the playground's declarations: none of its identities, so that each of them reads the signals of
 * what it presented itself and of nothing else.
 */
const DECLARANT = '0192:310000078';

/** Puts the dataset into the database; what is there already stays as it is. */
export async function loadDataset(
  database: Database,
  at: Date,
  mintId: () => string,
): Promise<void> {
  const declarations = makeDeclarations();
  const known = await findKnownDeclarations(
    database,
    declarations.map(({ mrn }) => mrn),
  );
  const missing = declarations.filter(({ mrn }) => !known.has(mrn));
  if (missing.length === 0) return;
  const register = makeRegister(database, new AuditTrail(), mintId);
  await register(missing, { at, requestId: mintId() });
}

function makeDeclarations(): Registrable[] {
  const mrns = [...new Set(playgroundConsignments.map(({ mrn }) => mrn))];
  return mrns.map((mrn) => ({
    mrn,
    declaration: { mrn, customsOfficeOfFirstEntry: 'NO351001', declarant: DECLARANT },
    whole: true,
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
