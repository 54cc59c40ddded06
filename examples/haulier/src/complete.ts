// Adds the import procedure to each house consignment on the lorry that lacks it: node dist/complete.js [PROCEDURE]
import { readFile } from 'node:fs/promises';
import { isHouseConsignment } from '@landfall/client';
import { landfall, TRANSPORT_FILE } from './connect.js';

const importProcedure = process.argv[2] ?? 'COLLECTIVE_RELEASE';
const transport = await readFile(TRANSPORT_FILE, 'utf8');

for (const document of await landfall.listHouseDocumentsOfTransport('road', transport)) {
  const { documentNumber, type, incompleteDocumentationReasonList: missing = [] } = document;
  if (!missing.includes('INCOMPLETE_DOCUMENTATION')) continue;
  const query = { documentNumber, type, state: 'CURRENT' } as const;
  const { entries } = await landfall.listMovements('road', 'house-consignment', query);
  for (const { mrn } of entries) await complete(mrn);
}

/** The whole message is replaced, so it is read first. */
async function complete(mrn: string): Promise<void> {
  const { message } = await landfall.getMovement('road', 'house-consignment', mrn);
  if (message === undefined || !isHouseConsignment(message)) return;
  const { documentNumber } = message.consignmentHouseLevel.transportDocumentHouseLevel;
  const { status, validationErrorList = [] } = await landfall.replaceHouseConsignment('road', mrn, {
    ...message,
    consignmentHouseLevel: {
      ...message.consignmentHouseLevel,
      importProcedure: { importProcedure, hasOutgoingProcedure: false },
    },
  });
  console.log(documentNumber, status, ...validationErrorList.map(({ description }) => description));
}
