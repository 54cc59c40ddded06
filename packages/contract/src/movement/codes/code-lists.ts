// The code lists of movement messages. Decision 0248 says where each is from, and which are not whole.
import { transportDocumentTypes } from '../../code-lists/transport-document-types.js';
import { exportTypes, importProcedures } from './procedures.js';

/** A code list: a whole one, or of one whose codes are not all known here, their form. */
export type CodeList = {
  title: string;
  /** Codes with their meanings. */
  codes: Readonly<Record<string, string>>;
  /** The form of its codes, if others than `codes` are taken too. */
  form?: { pattern: RegExp; text: string };
};

/** Container sizes and types, CL710. */
const containerSizes = {
  '1': 'Dime coated tank',
  '2': 'Epoxy coated tank',
  '6': 'Pressurised tank',
  '7': 'Refrigerated tank',
  '9': 'Stainless steel tank',
  '10': 'Non-working refrigerated container, 40 feet',
  '12': 'Pallet, 80 x 120 cm',
  '13': 'Pallet, 100 x 120 cm',
  '14': 'Trailer',
  '15': 'Non-working refrigerated container, 20 feet',
  '16': 'Exchangeable pallet',
  '17': 'Semi-trailer',
  '18': 'Tank container, 20 feet',
  '19': 'Tank container, 30 feet',
  '20': 'Tank container, 40 feet',
  '21': 'Container of Intercontainer, 20 feet',
  '22': 'Container of Intercontainer, 30 feet',
  '23': 'Container of Intercontainer, 40 feet',
  '24': 'Refrigerated tank, 20 feet',
  '25': 'Refrigerated tank, 30 feet',
  '26': 'Refrigerated tank, 40 feet',
  '27': 'Tank container of Intercontainer, 20 feet',
  '28': 'Tank container of Intercontainer, 30 feet',
  '29': 'Tank container of Intercontainer, 40 feet',
  '30': 'Refrigerated tank of Intercontainer, 20 feet',
  '31': 'Temperature controlled container, 30 feet',
  '32': 'Refrigerated tank of Intercontainer, 40 feet',
  '33': 'Movable case, shorter than 6.15 m',
  '34': 'Movable case, 6.15 m to 7.82 m',
  '35': 'Movable case, 7.82 m to 9.15 m',
  '36': 'Movable case, 9.15 m to 10.90 m',
  '37': 'Movable case, 10.90 m to 13.75 m',
  '38': 'Tote bin',
  '39': 'Temperature controlled container, 20 feet',
  '40': 'Temperature controlled container, 40 feet',
  '41': 'Non-working refrigerated container, 30 feet',
  '42': 'Dual trailers',
  '43': 'IL container, 20 feet, open top',
  '44': 'IL container, 20 feet, closed top',
  '45': 'IL container, 40 feet, closed top',
} as const;

/** The code lists, by their number or name. */
export const movementCodeLists = {
  CL018: {
    title: 'modes of transport',
    codes: {
      '1': 'Maritime transport',
      '2': 'Rail transport',
      '3': 'Road transport',
      '4': 'Air transport',
      '5': 'Mail, where the means of transport is not known',
      '7': 'Fixed transport installations',
      '8': 'Inland waterway transport',
      '9': 'Own propulsion',
    },
  },
  CL228: {
    title: 'previous documents, with the national ones',
    codes: {
      CUDE: 'Customs declaration (national)',
      RETR: 'Request for transit (national)',
      GONU: 'Goods number (national)',
      N820: 'Transit declaration',
      N952: 'TIR carnet',
      N955: 'ATA carnet',
      C624: 'Form 302',
    },
    form: { pattern: /^[A-Z0-9]{4}$/, text: 'four capital letters or digits' },
  },
  CL707: {
    title: 'types of communication',
    codes: { EM: 'Electronic mail', TE: 'Telephone' },
  },
  CL708: {
    title: 'container indicator',
    codes: { '0': 'Not in containers', '1': 'In containers' },
  },
  CL709: {
    title: 'whether a container is packed',
    codes: { A: 'Empty', B: 'Not empty' },
  },
  CL710: { title: 'container sizes and types', codes: containerSizes },
  CL711: {
    title: 'who supplies a container',
    codes: { '1': 'Shipper', '2': 'Carrier' },
  },
  CL729: {
    title: 'types of person',
    codes: {
      '1': 'Natural person',
      '2': 'Legal person',
      '3': 'Association of persons that is not a legal person',
    },
  },
  CL750: {
    title: 'what identifies the means of transport',
    codes: {
      '10': 'IMO number of the ship',
      '11': 'Name of the sea-going vessel',
      '20': 'Number of the wagon',
      '21': 'Number of the train',
      '30': 'Registration of the road vehicle',
      '31': 'Registration of the trailer',
      '40': 'Number of the flight',
      '41': 'Registration of the aircraft',
      '80': 'European number of the inland vessel (ENI)',
      '81': 'Name of the inland vessel',
    },
  },
  CL751: {
    title: 'types of means of transport',
    codes: {},
    form: { pattern: /^[0-9]{2,4}$/, text: 'two to four digits' },
  },
  CL754: { title: 'types of transport documents', codes: transportDocumentTypes },
  CL756: {
    title: 'roles of fiscal references that are accepted',
    codes: { FR5: 'Vendor (IOSS)' },
  },
  'import procedures': { title: 'import procedures', codes: importProcedures },
  'types of export': { title: 'types of export', codes: exportTypes },
} as const satisfies Record<string, CodeList>;

/** The name of a code list. */
export type CodeListName = keyof typeof movementCodeLists;

/** Whether a code list has a code, or may have it. */
export function hasCode({ codes, form }: CodeList, code: string): boolean {
  return Object.hasOwn(codes, code) || (form?.pattern.test(code) ?? false);
}

/** The codes of a list as an error names them; of one that is not whole, their form. */
export function describeCodes({ codes, form }: CodeList): string {
  return form === undefined ? Object.keys(codes).join(', ') : form.text;
}
