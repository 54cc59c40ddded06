// What people call a movement message that they read.
import type { Movement } from '@landfall/client';
import { stepsOf } from './steps.js';

const names = {
  TRANSPORT: 'activeBorderTransportMeans.identificationNumber',
  MASTER_CONSIGNMENT: 'consignmentMasterLevel.transportDocumentMasterLevel.documentNumber',
  HOUSE_CONSIGNMENT: 'consignmentHouseLevel.transportDocumentHouseLevel.documentNumber',
} as const;

/** Its means of transport, or its document; the MRN if its text was removed. */
export function nameOfMessage({
  level,
  message,
  mrn,
}: Pick<Movement, 'level' | 'message' | 'mrn'>): string {
  let value: unknown = message;
  for (const step of stepsOf(names[level])) {
    // Safe cast: a member of what has none is undefined.
    value = (value as Record<string, unknown> | undefined)?.[step];
  }
  return typeof value === 'string' ? value : mrn;
}
