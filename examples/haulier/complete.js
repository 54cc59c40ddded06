// Adds the import procedure to each house consignment on the lorry that lacks it: node complete.js PROCEDURE
import { readFile } from 'node:fs/promises';
import { landfall, TRANSPORT_FILE } from './connect.js';

const [importProcedure = 'COLLECTIVE_RELEASE'] = process.argv.slice(2);
const transport = await readFile(TRANSPORT_FILE, 'utf8');

for (const document of await landfall.listHouseDocumentsOfTransport('road', transport)) {
  const { documentNumber, type, incompleteDocumentationReasonList: missing = [] } = document;
  if (!missing.includes('INCOMPLETE_DOCUMENTATION')) continue;
  const query = { documentNumber, type, state: 'CURRENT' };
  const { entries } = await landfall.listMovements('road', 'house-consignment', query);
  for (const { mrn } of entries) {
    // The whole message is replaced, so it is read first.
    const { message } = await landfall.getMovement('road', 'house-consignment', mrn);
    const { status, validationErrorList } = await landfall.replaceHouseConsignment('road', mrn, {
      ...message,
      requestId: undefined,
      consignmentHouseLevel: {
        ...message.consignmentHouseLevel,
        importProcedure: { importProcedure, hasOutgoingProcedure: false },
      },
    });
    console.log(documentNumber, status, ...(validationErrorList ?? []).map(({ error }) => error));
  }
}
