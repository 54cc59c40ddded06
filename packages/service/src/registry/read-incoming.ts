// Reads what is to be registered and reports every rule that it breaks. Uses no database.
import {
  type Checked,
  checkCustomsOffice,
  compileCheck,
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  HouseConsignmentLine,
  isObject,
  notTheAddress,
  type PreNotifiedHouseConsignment,
  type ValidationError,
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
  /** The error of an office that is not in CL141 today: it is broken unless the existing declaration has this office. */
  officeErrors?: readonly ValidationError[];
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
  const { errors, officeErrors } = errorsOf(checked, isCustomsOffice);
  const given = isObject(checked.value) ? checked.value.mrn : undefined;
  if (typeof given === 'string' && given !== mrn && errors.every(({ field }) => field !== 'mrn')) {
    errors.push(notTheAddress('mrn'));
  }
  if (!checked.valid || errors.length > 0) return { errors: [...errors, ...officeErrors] };
  return { incoming: toIncoming({ ...checked.value, mrn }, true, officeErrors) };
}

/** Reads a line of an upload: an ENS, or one house consignment of an ENS. */
export function readIncomingLine(value: unknown, isCustomsOffice: IsCustomsOffice): IncomingRead {
  if (isObject(value) && 'houseConsignment' in value) return readHouseLine(value);
  const checked = checkDeclaration(value);
  const { errors, officeErrors } = errorsOf(checked, isCustomsOffice);
  if (!checked.valid) return { errors: [...errors, ...officeErrors] };
  // With an empty list, the house consignments are on lines of their own. If the existing ones were removed, uploading
  // the same lines again would remove and add them again.
  const isComplete = checked.value.houseConsignments.length > 0;
  return { incoming: toIncoming(checked.value, isComplete, officeErrors) };
}

function errorsOf(checked: Checked<unknown>, isCustomsOffice: IsCustomsOffice) {
  const errors: ValidationError[] = checked.valid ? [] : checked.errors.map(suggestLines);
  const officeErrors = checkCustomsOffice(checked, 'customsOfficeOfFirstEntry', isCustomsOffice);
  return { errors, officeErrors };
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
  return { incoming: { mrn, houses: [houseConsignment], isComplete: false } };
}

/** Times are in UTC with milliseconds, and the means of transport has no other members. */
function toIncoming(
  { houseConsignments: houses, ...members }: EntrySummaryDeclaration,
  isComplete: boolean,
  officeErrors: readonly ValidationError[],
): Incoming {
  const { estimatedTimeOfArrival: arrival, activeBorderTransportMeans: means, ...rest } = members;
  const declaration: DeclarationMembers = {
    ...rest,
    ...(arrival !== undefined && { estimatedTimeOfArrival: new Date(arrival).toISOString() }),
    ...(means && {
      activeBorderTransportMeans: {
        identificationNumber: means.identificationNumber,
        typeOfIdentification: means.typeOfIdentification,
      },
    }),
  };
  return {
    mrn: members.mrn,
    declaration,
    houses,
    isComplete,
    ...(officeErrors.length > 0 && { officeErrors }),
  };
}
