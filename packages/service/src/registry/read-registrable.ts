// Reads what is registered and tells all rules that it breaks: those of its schema, and those that need more than
// that. Pure: no database. Wire contract, sections 3 and 7.
import {
  compileCheck,
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  HouseConsignmentLine,
  isObject,
  type PreNotifiedHouseConsignment,
  type ValidationError,
  type ValidationErrorCode,
} from '@landfall/contract';
import type { DeclarationMembers, Registrable } from './entry-summary-declaration.js';

/** What may be registered, or every rule that it breaks. */
export type RegistrableRead =
  | { valid: true; registrable: Registrable }
  | { valid: false; errors: readonly ValidationError[] };

/** Whether a reference number is in CL141 today. */
export type IsCustomsOffice = (referenceNumber: string) => boolean;

const checkEntry = compileCheck<EntrySummaryDeclarationEntry>(EntrySummaryDeclarationEntry);
const checkDeclaration = compileCheck<EntrySummaryDeclaration>(EntrySummaryDeclaration);
const checkHouseLine = compileCheck<HouseConsignmentLine>(HouseConsignmentLine);

/** Reads an ENS that is put at the address of an MRN, which is well-formed. */
export function readDeclaration(
  mrn: string,
  body: unknown,
  isCustomsOffice: IsCustomsOffice,
): RegistrableRead {
  const checked = checkEntry(body);
  const errors = checked.valid ? [] : checked.errors.map(pointToLines);
  if (isObject(checked.value) && typeof checked.value.mrn === 'string') {
    if (checked.value.mrn !== mrn && errors.every(({ field }) => field !== 'mrn')) {
      errors.push(problem('mrn', 'must be the one in the address'));
    }
  }
  if (!checked.valid || errors.length > 0) return { valid: false, errors };
  return readMembers({ ...checked.value, mrn }, isCustomsOffice, true);
}

/** Reads a line of an upload: an ENS, or one house consignment of an ENS that stands. */
export function readLine(value: unknown, isCustomsOffice: IsCustomsOffice): RegistrableRead {
  if (isObject(value) && 'houseConsignment' in value) return readHouseLine(value);
  const checked = checkDeclaration(value);
  if (!checked.valid) return { valid: false, errors: checked.errors.map(pointToLines) };
  // With an empty list the house consignments come in lines of their own, and those that stand are left alone:
  // otherwise sending the same lines again would remove what they add.
  return readMembers(checked.value, isCustomsOffice, checked.value.houseConsignments.length > 0);
}

/** Where there are too many house consignments, how to register them all the same. */
function pointToLines(error: ValidationError): ValidationError {
  return error.field === 'houseConsignments' && error.code === 'SIZE'
    ? { ...error, error: `${error.error}: add more in lines of their own, uploaded as NDJSON` }
    : error;
}

function readHouseLine(value: unknown): RegistrableRead {
  const checked = checkHouseLine(value);
  if (!checked.valid) return checked;
  const { mrn, houseConsignment } = checked.value;
  const errors = checkHouse(houseConsignment, 'houseConsignment');
  return errors.length > 0
    ? { valid: false, errors }
    : { valid: true, registrable: { mrn, houses: [houseConsignment], whole: false } };
}

function readMembers(
  { houseConsignments: houses, ...given }: EntrySummaryDeclaration,
  isCustomsOffice: IsCustomsOffice,
  whole: boolean,
): RegistrableRead {
  const { estimatedTimeOfArrival: arrival, activeBorderTransportMeans: means, ...rest } = given;
  const arrives = arrival === undefined ? undefined : new Date(arrival);
  const errors = [
    ...checkMembers(given, isCustomsOffice),
    ...houses.flatMap((house, place) => checkHouse(house, `houseConsignments.${place}`)),
    ...checkUnique(houses),
  ];
  if (errors.length > 0) return { valid: false, errors };
  const declaration: DeclarationMembers = {
    ...rest,
    ...(arrives && { estimatedTimeOfArrival: arrives.toISOString() }),
    ...(means && {
      activeBorderTransportMeans: {
        identificationNumber: means.identificationNumber,
        typeOfIdentification: means.typeOfIdentification,
      },
    }),
  };
  return { valid: true, registrable: { mrn: given.mrn, declaration, houses, whole } };
}

function checkMembers(
  declaration: DeclarationMembers,
  isCustomsOffice: IsCustomsOffice,
): ValidationError[] {
  return isCustomsOffice(declaration.customsOfficeOfFirstEntry)
    ? []
    : [
        problem(
          'customsOfficeOfFirstEntry',
          'must be a customs office in force (code list CL141)',
          'UNKNOWN_CODE',
        ),
      ];
}

function checkHouse(house: PreNotifiedHouseConsignment, field: string): ValidationError[] {
  return house.routingControlLocation !== undefined && house.routing !== 'TO_CONTROL'
    ? [problem(`${field}.routingControlLocation`, 'goes with the routing TO_CONTROL')]
    : [];
}

function checkUnique(houses: readonly PreNotifiedHouseConsignment[]): ValidationError[] {
  const seen = new Set<string>();
  return houses.flatMap((house, place) => {
    const key = houseKey(house);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [
      problem(
        `houseConsignments.${place}.transportDocumentHouseLevel`,
        'must not be given twice in one declaration',
      ),
    ];
  });
}

/** What tells the house consignments of one ENS apart. No type has a space. */
export function houseKey({ transportDocumentHouseLevel }: PreNotifiedHouseConsignment): string {
  return `${transportDocumentHouseLevel.type} ${transportDocumentHouseLevel.documentNumber}`;
}

function problem(
  field: string,
  error: string,
  code: ValidationErrorCode = 'FORMAT',
): ValidationError {
  return { field, error, code };
}
