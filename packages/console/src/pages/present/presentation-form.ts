// The form of a presentation: the fields of each level, and the presentation that they make.
import type { Presentation, PresentationLevel, TransportDocumentType } from '@landfall/client';

/** What is entered, whatever the level. */
export type FormValues = {
  level: PresentationLevel;
  documentNumber: string;
  masterDocumentNumber: string;
  type: string;
  containerId: string;
  receptacleId: string;
  mrn: string;
  office: string;
};

/** A field of the form beside the level. */
export type FieldName = Exclude<keyof FormValues, 'level'>;

/** What differs between the levels. */
type Level = {
  fields: readonly FieldName[];
  /** The field that says which goods they are. */
  reference: FieldName;
  /** The member of the presentation that each field is. */
  members: Partial<Record<FieldName, string>>;
  /** Goods of the playground. */
  example: Partial<FormValues>;
};

export const levels: Record<PresentationLevel, Level> = {
  HOUSE_CONSIGNMENT: {
    fields: ['documentNumber', 'type', 'mrn', 'office'],
    reference: 'documentNumber',
    members: {
      documentNumber: 'transportDocumentHouseLevel.documentNumber',
      type: 'transportDocumentHouseLevel.type',
    },
    example: { documentNumber: 'HC002', type: 'N740' },
  },
  MASTER_CONSIGNMENT: {
    fields: ['masterDocumentNumber', 'type', 'mrn', 'office'],
    reference: 'masterDocumentNumber',
    members: {
      masterDocumentNumber: 'transportDocumentMasterLevel.documentNumber',
      type: 'transportDocumentMasterLevel.type',
    },
    example: { masterDocumentNumber: 'MAWB0003', type: 'N741' },
  },
  CONTAINER: {
    fields: ['containerId', 'office'],
    reference: 'containerId',
    members: {},
    example: { containerId: 'JARU0000010' },
  },
  RECEPTACLE: {
    fields: ['receptacleId', 'office'],
    reference: 'receptacleId',
    members: {},
    example: { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
  },
  ENTRY_SUMMARY_DECLARATION: {
    fields: ['mrn', 'office'],
    reference: 'mrn',
    members: {},
    example: { mrn: '23NO00000000000005' },
  },
};

export const LEVEL_NAMES = [
  'HOUSE_CONSIGNMENT',
  'MASTER_CONSIGNMENT',
  'CONTAINER',
  'RECEPTACLE',
  'ENTRY_SUMMARY_DECLARATION',
] as const satisfies readonly PresentationLevel[];

export const DOCUMENT_TYPES = [
  'N703',
  'N704',
  'N705',
  'N714',
  'N720',
  'N722',
  'N730',
  'N740',
  'N741',
  'N750',
  'N760',
  'C624',
  'C625',
  'C664',
  'C665',
] as const satisfies readonly TransportDocumentType[];

/** An office of the playground's goods. */
const EXAMPLE_OFFICE = 'NO351001';

/** The values of an address; where it has none, those of an example or nothing. */
export function readValues(search: URLSearchParams, withExample: boolean): FormValues {
  const level = LEVEL_NAMES.find((name) => name === search.get('level')) ?? 'HOUSE_CONSIGNMENT';
  const { fields } = levels[level];
  const values = withExample ? exampleOf(level) : emptyValues(level);
  for (const field of fields) values[field] = search.get(field) ?? values[field];
  return values;
}

/** The goods of the playground at a level. */
export function exampleOf(level: PresentationLevel): FormValues {
  return { ...emptyValues(level), ...levels[level].example, office: EXAMPLE_OFFICE };
}

function emptyValues(level: PresentationLevel): FormValues {
  return {
    level,
    documentNumber: '',
    masterDocumentNumber: '',
    type: level === 'MASTER_CONSIGNMENT' ? 'N741' : 'N740',
    containerId: '',
    receptacleId: '',
    mrn: '',
    office: '',
  };
}

/** The query of the address that opens the form with these values. */
export function writeValues(values: FormValues): Record<string, string> {
  const { level } = values;
  return {
    level,
    ...Object.fromEntries(
      levels[level].fields.flatMap((field) =>
        values[field] === '' ? [] : [[field, values[field]]],
      ),
    ),
  };
}

/** The presentation that the values make, its members in the order of the contract. */
export function makePresentation(values: FormValues, requestId: string): Presentation {
  const { level, documentNumber, masterDocumentNumber, containerId, receptacleId } = values;
  const common = { requestId, customsOfficeOfPresentation: values.office };
  const mrn = values.mrn === '' ? {} : { mrn: values.mrn };
  // The cast is true because the form offers only these types.
  const type = values.type as TransportDocumentType;
  switch (level) {
    case 'HOUSE_CONSIGNMENT':
      return { ...common, transportDocumentHouseLevel: { documentNumber, type }, ...mrn };
    case 'MASTER_CONSIGNMENT':
      return {
        ...common,
        transportDocumentMasterLevel: { documentNumber: masterDocumentNumber, type },
        ...mrn,
      };
    case 'CONTAINER':
      return { ...common, containerId };
    case 'RECEPTACLE':
      return { ...common, receptacleId };
    case 'ENTRY_SUMMARY_DECLARATION':
      return { ...common, mrn: values.mrn };
  }
}

/** The field that is about the member of an error; `undefined` if none is. */
export function fieldOf(level: PresentationLevel, member: string): FieldName | undefined {
  const { fields, reference } = levels[level];
  const found = fields.find((field) => memberOf(level, field) === member);
  // An error of a whole document is about its number.
  return found ?? (memberOf(level, reference).startsWith(`${member}.`) ? reference : undefined);
}

function memberOf(level: PresentationLevel, field: FieldName): string {
  return field === 'office'
    ? 'customsOfficeOfPresentation'
    : (levels[level].members[field] ?? field);
}
