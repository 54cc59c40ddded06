// Reads what is to be registered and reports every rule that it breaks, in its schema and beyond. Uses no database. Wire
// contract, sections 3 and 7.
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

/** The members of an ENS without its house consignments; times are in UTC with milliseconds. */
export type DeclarationMembers = Omit<EntrySummaryDeclaration, 'houseConsignments'>;

/** An incoming ENS with its house consignments, or one house consignment on a line of its own. */
export type Incoming = {
  mrn: string;
  /** Left out for a house consignment on a line of its own. */
  declaration?: DeclarationMembers;
  houses: readonly PreNotifiedHouseConsignment[];
  /** Whether existing house consignments that are not in `houses` are removed. */
  isComplete: boolean;
};

/** What may be registered, or every rule that it breaks. */
export type IncomingRead = { incoming: Incoming } | { errors: readonly ValidationError[] };

/** Whether a reference number is in CL141 today. */
export type IsCustomsOffice = (referenceNumber: string) => boolean;

const checkEntry = compileCheck<EntrySummaryDeclarationEntry>(EntrySummaryDeclarationEntry);
const checkDeclaration = compileCheck<EntrySummaryDeclaration>(EntrySummaryDeclaration);
const checkHouseLine = compileCheck<HouseConsignmentLine>(HouseConsignmentLine);

/** Reads an ENS that is put at the address of a well-formed MRN. */
export function readIncomingDeclaration(
  mrn: string,
  body: unknown,
  isCustomsOffice: IsCustomsOffice,
): IncomingRead {
  const checked = checkEntry(body);
  const errors = checked.valid ? [] : checked.errors.map(suggestLines);
  if (isObject(checked.value) && typeof checked.value.mrn === 'string') {
    if (checked.value.mrn !== mrn && errors.every(({ field }) => field !== 'mrn')) {
      errors.push(problem('mrn', 'must be the one in the address'));
    }
  }
  if (!checked.valid || errors.length > 0) return { errors };
  return readDeclaration({ ...checked.value, mrn }, isCustomsOffice, true);
}

/** Reads a line of an upload: an ENS, or one house consignment of an ENS. */
export function readIncomingLine(value: unknown, isCustomsOffice: IsCustomsOffice): IncomingRead {
  if (isObject(value) && 'houseConsignment' in value) return readHouseLine(value);
  const checked = checkDeclaration(value);
  if (!checked.valid) return { errors: checked.errors.map(suggestLines) };
  // With an empty list, the house consignments are on lines of their own. If the existing ones were removed, uploading
  // the same lines again would remove and add them again.
  return readDeclaration(
    checked.value,
    isCustomsOffice,
    checked.value.houseConsignments.length > 0,
  );
}

/** Adds to the error of too many house consignments how to register them. */
function suggestLines(error: ValidationError): ValidationError {
  return error.field === 'houseConsignments' && error.code === 'SIZE'
    ? { ...error, error: `${error.error}: add more in lines of their own, uploaded as NDJSON` }
    : error;
}

function readHouseLine(value: unknown): IncomingRead {
  const checked = checkHouseLine(value);
  if (!checked.valid) return { errors: checked.errors };
  const { mrn, houseConsignment } = checked.value;
  const errors = checkHouse(houseConsignment, 'houseConsignment');
  return errors.length > 0
    ? { errors }
    : { incoming: { mrn, houses: [houseConsignment], isComplete: false } };
}

function readDeclaration(
  { houseConsignments: houses, ...members }: EntrySummaryDeclaration,
  isCustomsOffice: IsCustomsOffice,
  isComplete: boolean,
): IncomingRead {
  const { estimatedTimeOfArrival: arrival, activeBorderTransportMeans: means, ...rest } = members;
  const arrives = arrival === undefined ? undefined : new Date(arrival);
  const errors = [
    ...checkOffice(members, isCustomsOffice),
    ...houses.flatMap((house, index) => checkHouse(house, `houseConsignments.${index}`)),
    ...checkUnique(houses),
  ];
  if (errors.length > 0) return { errors };
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
  return { incoming: { mrn: members.mrn, declaration, houses, isComplete } };
}

function checkOffice(
  { customsOfficeOfFirstEntry: office }: DeclarationMembers,
  isCustomsOffice: IsCustomsOffice,
): ValidationError[] {
  const rule = 'must be a customs office in force (code list CL141)';
  return isCustomsOffice(office)
    ? []
    : [problem('customsOfficeOfFirstEntry', rule, 'UNKNOWN_CODE')];
}

function checkHouse(house: PreNotifiedHouseConsignment, field: string): ValidationError[] {
  return house.routingControlLocation !== undefined && house.routing !== 'TO_CONTROL'
    ? [problem(`${field}.routingControlLocation`, 'goes with the routing TO_CONTROL')]
    : [];
}

function checkUnique(houses: readonly PreNotifiedHouseConsignment[]): ValidationError[] {
  const seen = new Set<string>();
  return houses.flatMap((house, index) => {
    const key = houseKey(house);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const field = `houseConsignments.${index}.transportDocumentHouseLevel`;
    return [problem(field, 'must not be given twice in one declaration')];
  });
}

/** Identifies a house consignment within its ENS. No type contains a space. */
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
