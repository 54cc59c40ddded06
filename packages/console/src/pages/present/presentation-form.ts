// The form of a presentation: the fields of each level, and the presentation that they make.
import type {
  ContainerPresentation,
  EntrySummaryDeclarationPresentation,
  HouseConsignmentPresentation,
  MasterConsignmentPresentation,
  Presentation,
  PresentationLevel,
  ReceptaclePresentation,
  TransportDocumentType,
} from '@landfall/client';
import { readCode, readScan } from '../../identifiers/read-scan.js';

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

/** The fields of a member, each with the path of its value in the presentation. */
type Fields = Partial<Record<FieldName, string>>;

/** What differs between the levels. */
type Level = {
  fields: readonly FieldName[];
  /** The field that says which goods they are. */
  reference: FieldName;
  /** The path in the presentation of the value of each field. */
  paths: Fields;
  /** Goods of the playground. */
  example: Partial<FormValues>;
};

/** Makes a level from the fields of every member of its presentation: a new member without fields does not compile. */
function makeLevel<Body extends { requestId: string }>(
  members: Record<Exclude<keyof Body, 'requestId'>, Fields>,
  rest: Pick<Level, 'reference' | 'example'>,
): Level {
  const paths: Fields = Object.assign({}, ...Object.values<Fields>(members));
  // The cast is true because the paths are by field.
  return { fields: Object.keys(paths) as FieldName[], paths, ...rest };
}

const mrn: Fields = { mrn: 'mrn' };
const customsOfficeOfPresentation: Fields = { office: 'customsOfficeOfPresentation' };

export const levels: Record<PresentationLevel, Level> = {
  HOUSE_CONSIGNMENT: makeLevel<HouseConsignmentPresentation>(
    {
      transportDocumentHouseLevel: {
        documentNumber: 'transportDocumentHouseLevel.documentNumber',
        type: 'transportDocumentHouseLevel.type',
      },
      mrn,
      customsOfficeOfPresentation,
    },
    { reference: 'documentNumber', example: { documentNumber: 'HC002', type: 'N740' } },
  ),
  MASTER_CONSIGNMENT: makeLevel<MasterConsignmentPresentation>(
    {
      transportDocumentMasterLevel: {
        masterDocumentNumber: 'transportDocumentMasterLevel.documentNumber',
        type: 'transportDocumentMasterLevel.type',
      },
      mrn,
      customsOfficeOfPresentation,
    },
    {
      reference: 'masterDocumentNumber',
      example: { masterDocumentNumber: 'MAWB0003', type: 'N741' },
    },
  ),
  CONTAINER: makeLevel<ContainerPresentation>(
    { containerId: { containerId: 'containerId' }, customsOfficeOfPresentation },
    { reference: 'containerId', example: { containerId: 'JARU0000010' } },
  ),
  RECEPTACLE: makeLevel<ReceptaclePresentation>(
    { receptacleId: { receptacleId: 'receptacleId' }, customsOfficeOfPresentation },
    { reference: 'receptacleId', example: { receptacleId: 'GBASFZMLBKONAUN30001001019999' } },
  ),
  ENTRY_SUMMARY_DECLARATION: makeLevel<EntrySummaryDeclarationPresentation>(
    { mrn, customsOfficeOfPresentation },
    { reference: 'mrn', example: { mrn: '23NO00000000000005' } },
  ),
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

/** A form of a level in which nothing was entered. */
export function emptyValues(level: PresentationLevel): FormValues {
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

/** What was typed or scanned, without what scanners and people add to it. */
export function readEntered(entered: FormValues): FormValues {
  const { documentNumber, masterDocumentNumber, containerId, receptacleId, mrn, office } = entered;
  return {
    ...entered,
    documentNumber: readScan(documentNumber),
    masterDocumentNumber: readScan(masterDocumentNumber),
    containerId: readCode(containerId),
    receptacleId: readCode(receptacleId),
    mrn: readCode(mrn),
    office: readCode(office),
  };
}

/** The presentation that the values make, its members in the order of the contract. */
export function makePresentation(entered: FormValues, requestId: string): Presentation {
  const values = readEntered(entered);
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
  const { fields, reference, paths } = levels[level];
  // An error of a whole document is about its number.
  return (
    fields.find((field) => paths[field] === member) ??
    (paths[reference]?.startsWith(`${member}.`) ? reference : undefined)
  );
}
