// The kinds of journeys: what is carried how, and with which procedures.
import type { HouseConsignmentMessage, ModeName, TransportMessage } from '@landfall/contract';
import {
  airWaybill,
  container,
  padded,
  postalItem,
  shipNumber,
  vehicleRegistration,
} from '../identifiers.js';
import type { Random } from '../random.js';

type HouseLevel = HouseConsignmentMessage['consignmentHouseLevel'];

/** The import procedure of a house consignment, with the documents that it needs. */
type Procedure = (
  random: Random,
) => Pick<HouseLevel, 'importProcedure' | 'previousDocuments' | 'goodsItem'>;

type Means = Pick<
  TransportMessage['activeBorderTransportMeans'],
  'identificationNumber' | 'conveyanceReferenceNumber' | 'countryCode'
>;

type MakeDocument = (
  random: Random,
  run: string,
  index: number,
) => { documentNumber: string; type: string };

/** What a kind of journey has of its own. */
type Kind = {
  mode: ModeName;
  /** In a few words, for lists. */
  description: string;
  /** How many house consignments there usually are. */
  houses: number;
  /** Customs office of first entry. */
  office: string;
  /** Type of the means of transport, CL751. */
  typeOfMeans: string;
  /** Countries of the consignors. */
  from: readonly ('CN' | 'DE' | 'SE')[];
  goods: readonly string[];
  /** Most kilograms and packages of a house consignment. */
  massOfHouse: number;
  packages: number;
  procedures: readonly Procedure[];
  /** Whether the house consignments name receptacles of mail, which the only master lists. */
  hasReceptacles?: true;
  /** Whether the goods of some masters are in entry summary declarations too. */
  hasDeclarations?: true;
  /** Whether the last house consignment is directly on the transport. */
  hasDirect?: true;
  identify(random: Random): Means;
  documents: Record<'master' | 'house', MakeDocument>;
  /** The container of a master. */
  equipment?(random: Random): NonNullable<HouseLevel['transportEquipment']>[number];
};

/** A declaration that the registers of a playground have. */
const declared: Procedure = (random) => ({
  importProcedure: { importProcedure: 'IMMEDIATE_RELEASE_IMPORT', hasOutgoingProcedure: false },
  previousDocuments: [
    {
      typeOfReference: 'CUDE',
      declarantNumber: '123456789',
      declarationDate: '2022-08-10',
      sequenceNumber: String(random.integer(1, 10)),
    },
  ],
});

const collective: Procedure = () => ({
  importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: false },
});

/** A transit that goes on behind the border. */
const transit: Procedure = (random) => ({
  importProcedure: { importProcedure: 'TRANSIT_IMPORT', outgoingProcedure: 'TRA' },
  previousDocuments: [
    { typeOfReference: 'N820', referenceNumber: `26DE${random.digits(12)}J${random.digits(1)}` },
  ],
});

/** Parcels of a seller that pays the value added tax by itself. */
const ofSeller: Procedure = (random) => ({
  importProcedure: { importProcedure: 'IMMEDIATE_RELEASE_VOEC' },
  goodsItem: [
    {
      itemAmountInvoicedVOEC: { value: random.integer(50, 2_900), numberOfItems: 1 },
      commodityCodeVOEC: { harmonizedSystemSubheadingCode: random.pick(['950300', '610910']) },
      additionalFiscalReferences: { vatIdentificationNumber: '2056550', role: 'FR5' },
    },
  ],
});

/** Numbers that a run has for itself. */
const numbered =
  (prefix: string, type: string): MakeDocument =>
  (_random, run, index) => ({ documentNumber: `${prefix}${run}${padded(index, 5)}`, type });

/** Air waybills: seven digits, of which the run gives the first ones. */
const waybill =
  (type: string): MakeDocument =>
  (random, run, index) => ({
    documentNumber: airWaybill(random, Number(run.slice(0, 4)) * 1000 + (index % 1000)),
    type,
  });

const road: Record<'master' | 'house', MakeDocument> = {
  master: numbered('CMR', 'N730'),
  house: numbered('H', 'N730'),
};

const aircraft = (prefix: string) => (random: Random) => ({
  identificationNumber: `LN-${random.pick(['RKA', 'RPB', 'NGC', 'WDD'])}`,
  conveyanceReferenceNumber: `${prefix}${random.digits(4)}`,
  countryCode: 'NO',
});

/** The kinds by their names. */
const kinds = {
  lorry: {
    mode: 'road',
    description: 'a lorry with goods of several senders, and one consignment directly on it',
    houses: 12,
    office: 'NO371001',
    typeOfMeans: '31',
    from: ['SE', 'DE'],
    goods: ['Wooden chairs', 'Machine parts', 'Coffee', 'Paper'],
    massOfHouse: 2_000,
    packages: 40,
    procedures: [declared, declared, collective],
    hasDirect: true,
    identify: (random) => ({
      identificationNumber: vehicleRegistration(random, 'SE').replaceAll(' ', ''),
      countryCode: 'SE',
    }),
    documents: road,
  },
  freighter: {
    mode: 'air',
    description: 'a cargo flight with air waybills of forwarders',
    houses: 60,
    office: 'NO351001',
    typeOfMeans: '43',
    from: ['CN', 'DE'],
    goods: ['Telephones', 'Medical instruments', 'Cut flowers', 'Spare parts'],
    massOfHouse: 800,
    packages: 20,
    procedures: [declared, collective],
    hasDeclarations: true,
    identify: aircraft('LF'),
    documents: { master: waybill('N741'), house: numbered('HAWB', 'N703') },
  },
  train: {
    mode: 'rail',
    description: 'a goods train in transit',
    houses: 24,
    office: 'NO371001',
    typeOfMeans: '21',
    from: ['SE', 'DE'],
    goods: ['Steel coils', 'Timber', 'Paper', 'Vehicles'],
    massOfHouse: 20_000,
    packages: 10,
    procedures: [transit],
    identify: (random) => ({ identificationNumber: random.digits(5), countryCode: 'SE' }),
    documents: { master: numbered('CIM', 'N720'), house: numbered('W', 'N720') },
  },
  ferry: {
    mode: 'maritime',
    description: 'a ship with containers',
    houses: 40,
    office: 'NO342001',
    typeOfMeans: '150',
    from: ['CN', 'DE'],
    goods: ['Furniture', 'Bicycles', 'Textiles', 'Tools'],
    massOfHouse: 5_000,
    packages: 200,
    procedures: [declared, collective],
    identify: (random) => ({ identificationNumber: shipNumber(random), countryCode: 'NO' }),
    documents: { master: numbered('BL', 'N704'), house: numbered('HBL', 'N714') },
    equipment: (random) => ({
      containerSizeAndType: '17',
      containerPackedStatus: 'B',
      containerSupplierType: '2',
      containerIdentificationNumber: container(random),
    }),
  },
  'mail-flight': {
    mode: 'air',
    description: 'post by air: its items name receptacles, which one master lists',
    houses: 100,
    office: 'NO351001',
    typeOfMeans: '43',
    from: ['CN'],
    goods: ['Toy', 'T-shirt', 'Telephone case', 'Book'],
    massOfHouse: 20,
    packages: 1,
    procedures: [ofSeller, ofSeller, ofSeller, collective],
    hasReceptacles: true,
    identify: aircraft('LF'),
    documents: {
      master: waybill('N741'),
      house: (random, run, index) => ({
        documentNumber: postalItem(random, Number(run.slice(0, 3)) * 100_000 + (index % 100_000)),
        type: 'N750',
      }),
    },
  },
} as const satisfies Record<string, Kind>;

export type JourneyKind = keyof typeof kinds;

export const journeyKinds: Readonly<Record<JourneyKind, Kind>> = kinds;
