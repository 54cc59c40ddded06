// Movement messages for tests: the least that each must have.

const party = {
  name: 'Somebody',
  typeOfPerson: '1',
  address: { city: 'Oslo', country: 'NO', postcode: '0150', streetLine: 'Strandgata 1' },
};

/** A house consignment, which is complete, with members that replace those of its level. */
export function houseMessage(documentNumber: string, more: object = {}) {
  return {
    documentIssueDate: '2026-05-04T07:00:00Z',
    consignmentHouseLevel: {
      transportDocumentHouseLevel: { documentNumber, type: 'N730' },
      containerIndicator: '0',
      totalGrossMass: 12.5,
      numberOfPackages: 1,
      goodsDescription: 'Wooden chairs',
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: false },
      consignor: party,
      consignee: party,
      ...more,
    },
  };
}

/** Number of the carrier that the transports of tests name. */
export const CARRIER = 'NO888888888';

/** A transport that arrives tomorrow, with documents of the master and house consignments that it carries. */
export function transportMessage(
  means: string,
  masters: readonly string[] = ['M1'],
  houses: readonly string[] = [],
) {
  const documentOf = (documentNumber: string) => ({ documentNumber, type: 'N730' });
  const arrival = new Date(Date.now() + 86_400_000).toISOString();
  return {
    documentIssueDate: '2026-05-04T07:00:00Z',
    activeBorderTransportMeans: {
      identificationNumber: means,
      typeOfIdentification: '30',
      modeOfTransportCode: '3',
      typeOfMeansOfTransport: '31',
      countryCode: 'SE',
      operator: { name: 'Some Body', communication: [{ identifier: '+4700000000', type: 'TE' }] },
    },
    carrier: {
      name: 'Carrier',
      identificationNumber: CARRIER,
      address: { city: 'Oslo', country: 'NO' },
    },
    customsOfficeOfFirstEntry: { referenceNumber: 'NO371001' },
    scheduledDateAndTimeOfArrival: arrival,
    estimatedDateAndTimeOfArrival: arrival,
    consignmentMasterLevel: masters.map((number) => ({
      transportDocumentMasterLevel: documentOf(number),
    })),
    consignmentHouseLevel: houses.map((number) => ({
      transportDocumentHouseLevel: documentOf(number),
    })),
  };
}
