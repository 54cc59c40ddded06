// Messages that keep all rules. The documents in them are those that a playground's registers know.
import type { MovementMessageName } from '../levels.js';
import { type ModeName, modes } from '../modes.js';

/** When the examples are judged. */
export const exampleTime = new Date('2026-05-04T08:00:00Z');

const communication = [{ identifier: 'post@example.com', type: 'EM' }];
const party = (name: string, country: string) => ({
  name,
  identificationNumber: 'NO999999999',
  typeOfPerson: '2',
  address: { city: 'Oslo', country, postcode: '0150', streetLine: 'Strandgata 1' },
  communication,
});
const representative = {
  name: 'Forwarder',
  identificationNumber: 'NO999999999',
  address: { city: 'Oslo', country: 'NO' },
  communication,
};
const equipment = [
  {
    containerSizeAndType: '17',
    containerPackedStatus: 'B',
    containerSupplierType: '2',
    containerIdentificationNumber: 'JARU0000010',
  },
];
const document = (documentNumber: string, type: string) => ({ documentNumber, type });
const place = { location: 'Terminal 2', unloCode: 'NOOSL', address: { country: 'NO' } };
const common = { documentIssueDate: '2026-05-04T07:00:00Z', representative };

const transport = (mode: ModeName) => ({
  ...common,
  activeBorderTransportMeans: {
    identificationNumber: 'AB12345',
    typeOfIdentification: modes[mode].typeOfIdentification,
    modeOfTransportCode: modes[mode].modeOfTransportCode,
    typeOfMeansOfTransport: '31',
    conveyanceReferenceNumber: 'LF123',
    countryCode: 'SE',
    operator: { name: 'Kim Berg', communication },
  },
  carrier: {
    name: 'Carrier',
    identificationNumber: 'NO888888888',
    address: { city: 'Svinesund', country: 'NO' },
    communication,
  },
  customsOfficeOfFirstEntry: { referenceNumber: 'NO371001' },
  estimatedDateAndTimeOfArrival: '2026-05-04T12:00:00Z',
  scheduledDateAndTimeOfArrival: '2026-05-04T12:00:00Z',
  consignmentMasterLevel: [
    {
      transportDocumentMasterLevel: document('M1', 'N730'),
      consignmentHouseLevel: [{ transportDocumentHouseLevel: document('H9', 'N730') }],
    },
  ],
  consignmentHouseLevel: [{ transportDocumentHouseLevel: document('H1', 'N730') }],
});

const master = () => ({
  ...common,
  representative: { ...representative, releasedConfirmation: [{ emailAddress: 'a@example.com' }] },
  consignmentMasterLevel: {
    containerIndicator: '1',
    grossMass: 1200.5,
    carrier: { identificationNumber: 'NO888888888' },
    transportDocumentMasterLevel: document('M1', 'N730'),
    consignor: party('Sender', 'SE'),
    consignee: party('Receiver', 'NO'),
    transportEquipment: equipment,
    placeOfLoading: place,
    placeOfUnloading: place,
    placeOfDelivery: place,
    consignmentHouseLevel: [{ receptacle: [{ receptacleIdentificationNumber: ['R1', 'R2'] }] }],
  },
});

/** With every optional member that goes together: a declaration, an export and a transit. */
const house = () => ({
  ...common,
  consignmentHouseLevel: {
    transportDocumentHouseLevel: document('H1', 'N730'),
    consignmentMasterLevel: {
      carrierIdentificationNumber: 'NO888888888',
      transportDocumentMasterLevel: document('M1', 'N730'),
    },
    containerIndicator: '1',
    totalGrossMass: 800,
    numberOfPackages: 3,
    goodsDescription: 'Wooden chairs',
    importProcedure: {
      importProcedure: 'IMMEDIATE_RELEASE_IMPORT',
      outgoingProcedure: 'TRE',
      hasOutgoingProcedure: true,
    },
    previousDocuments: [
      {
        typeOfReference: 'CUDE',
        declarantNumber: '123456789',
        declarationDate: '2022-08-10',
        sequenceNumber: '1',
      },
      { typeOfReference: 'N820', referenceNumber: '26SE000000000000T1' },
    ],
    exportFromEU: [{ exportId: '26SE00000000000001', typeOfExport: 'AES' }],
    consignor: party('Sender', 'SE'),
    consignee: party('Receiver', 'NO'),
    placeOfAcceptance: place,
    placeOfDelivery: place,
    transportEquipment: equipment,
  },
});

const relation = () => ({
  ...common,
  parentObjectType: 'MASTER_CONSIGNMENT',
  parentObjectReference: '26NO7K2M4Q9XWR5HT0',
  childObjectType: 'HOUSE_CONSIGNMENT',
  childObjectReference: '26NO3F8P1Z6YBC4JT7',
});

const makers: Readonly<Record<MovementMessageName, (mode: ModeName) => object>> = {
  transport,
  'master-consignment': master,
  'house-consignment': house,
  relation,
};

/** A message that is accepted and complete. It may be changed. */
export function makeExample(level: MovementMessageName, mode: ModeName): Record<string, unknown> {
  const message = makers[level](mode);
  // Not structuredClone, which keeps that two places are one object.
  return JSON.parse(JSON.stringify(message));
}
