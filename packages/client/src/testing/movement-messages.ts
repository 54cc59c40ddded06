// Movement messages for tests: the least that each must have.
import type { ModeName } from '../contract/modes.js';
import type {
  HouseConsignmentRequest,
  MasterConsignmentRequest,
  TransportRequest,
} from '../contract/types.js';

const documentIssueDate = '2026-05-04T07:00:00Z';

const address = { city: 'Oslo', country: 'NO', postcode: '0150', streetLine: 'Strandgata 1' };
const party = { name: 'Somebody', typeOfPerson: '1', address };

/** A house consignment, which is complete, with members that replace those of its level. */
export function houseMessage(
  documentNumber: string,
  more: Partial<HouseConsignmentRequest['consignmentHouseLevel']> = {},
): HouseConsignmentRequest {
  return {
    documentIssueDate,
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

/** A master consignment. */
export function masterMessage(documentNumber: string): MasterConsignmentRequest {
  return {
    documentIssueDate,
    consignmentMasterLevel: {
      transportDocumentMasterLevel: { documentNumber, type: 'N730' },
      carrier: { identificationNumber: 'NO888888888' },
      containerIndicator: '0',
      grossMass: 100,
      consignor: party,
      consignee: party,
    },
  };
}

/** The code of the mode, and how it identifies its means of transport. */
const means: Record<ModeName, [modeOfTransportCode: string, typeOfIdentification: string]> = {
  road: ['3', '30'],
  air: ['4', '41'],
  rail: ['2', '21'],
  maritime: ['1', '10'],
};

/** A transport that arrives tomorrow. */
export function transportMessage(mode: ModeName, identificationNumber: string): TransportRequest {
  const [modeOfTransportCode, typeOfIdentification] = means[mode];
  const arrival = new Date(Date.now() + 86_400_000).toISOString();
  const communication = [{ identifier: '+4700000000', type: 'TE' }];
  return {
    documentIssueDate,
    activeBorderTransportMeans: {
      identificationNumber,
      typeOfIdentification,
      modeOfTransportCode,
      typeOfMeansOfTransport: '31',
      countryCode: 'SE',
      operator: { name: 'Kim Berg', communication },
    },
    carrier: {
      name: 'Haulier',
      identificationNumber: 'NO888888888',
      address: { city: 'Halden', country: 'NO' },
    },
    customsOfficeOfFirstEntry: { referenceNumber: 'NO371001' },
    scheduledDateAndTimeOfArrival: arrival,
    estimatedDateAndTimeOfArrival: arrival,
  };
}
