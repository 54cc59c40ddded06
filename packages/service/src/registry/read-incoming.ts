// Reads what is to be registered and reports every rule that it breaks. Uses no database.
import {
  anotherSpelling,
  type Checked,
  checkCustomsOffice,
  compileCheck,
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  HouseConsignmentLine,
  houseConsignmentKey,
  isObject,
  notTheAddress,
  type PreNotifiedHouseConsignment,
  type ValidationError,
} from '@landfall/contract';
import type { LodgedFacts } from '../routing/compile-profile.js';
import type { OtherKind } from './other-kind.js';

/** The members of a declaration without its house consignments; times are in UTC with milliseconds. */
export type DeclarationMembers = Omit<
  EntrySummaryDeclaration,
  'houseConsignments' | 'customsOfficeOfFirstEntry'
> & {
  /** Every ENS has one. Where goods that were lodged arrive is known when they do. */
  customsOfficeOfFirstEntry?: string;
  /** What it is, if it is no ENS. */
  kind?: OtherKind;
  /** Of goods that are lodged: what a profile asks for beside the house consignment. An incomplete one is decided by hand. */
  lodged?: { isComplete: boolean; facts: LodgedFacts };
};

/** An incoming ENS with its house consignments, or one house consignment on a line of its own. */
export type Incoming = {
  mrn: string;
  /** Left out for a house consignment on a line of its own. */
  declaration?: DeclarationMembers;
  /** That of its source, if it has one. */
  version?: number | undefined;
  houses: readonly PreNotifiedHouseConsignment[];
  /** Whether existing house consignments that are not in `houses` are removed. */
  isComplete: boolean;
  /** The error of an office that is not in CL141 today: it is broken unless the existing declaration has this office. */
  officeErrors?: readonly ValidationError[];
  /** The error of each house consignment that another one before has in another spelling: it is broken unless both are registered. */
  spellingErrors?: ReadonlyMap<PreNotifiedHouseConsignment, ValidationError>;
};

/** What may be registered, or every rule that it breaks. */
export type IncomingRead = { incoming: Incoming } | { errors: readonly ValidationError[] };

/** Whether a reference number is in CL141 today. */
export type IsCustomsOffice = (referenceNumber: string) => boolean;

/** A member that is spelled wrongly would leave out what it says, such as a routing. */
const strict = { refuseUnknown: true };
const checkEntry = compileCheck<EntrySummaryDeclarationEntry>(EntrySummaryDeclarationEntry, strict);
const checkDeclaration = compileCheck<EntrySummaryDeclaration>(EntrySummaryDeclaration, strict);
const checkHouseLine = compileCheck<HouseConsignmentLine>(HouseConsignmentLine, strict);

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
  const incoming = toIncoming({ ...checked.value, mrn }, true, officeErrors);
  return { incoming: withSpellingErrors(incoming) };
}

/** Finds house consignments of one declaration that only differ in spelling. */
function withSpellingErrors(incoming: Incoming): Incoming {
  const first = new Map<string, number>();
  const spellingErrors = new Map<PreNotifiedHouseConsignment, ValidationError>();
  for (const [index, house] of incoming.houses.entries()) {
    const key = houseConsignmentKey(house);
    const other = first.get(key);
    if (other === undefined) first.set(key, index);
    else {
      const field = `houseConsignments.${index}.transportDocumentHouseLevel`;
      spellingErrors.set(house, anotherSpelling(field, `houseConsignments.${other}`));
    }
  }
  return spellingErrors.size === 0 ? incoming : { ...incoming, spellingErrors };
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
  const { mrn, houseConsignment, version } = checked.value;
  return { incoming: { mrn, version, houses: [houseConsignment], isComplete: false } };
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
    version: members.version,
    houses,
    isComplete,
    ...(officeErrors.length > 0 && { officeErrors }),
  };
}
