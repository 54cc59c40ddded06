// A presentation as submitted: its readable members, and the rules that its body breaks. Pure: no database.
import {
  type Check,
  checkCustomsOffice,
  compileCheck,
  findUnknownMembers,
  identifierKey,
  isObject,
  isUuid,
  type Presentation,
  type PresentationPath,
  presentationLevels,
  type TransportDocument,
  type ValidationError,
} from '@landfall/contract';
import type { Actor } from '../audit/audit-entry.js';

/** The reference of a presentation to goods. A transport document may have an MRN beside it. */
export type Reference = {
  /** Document number, container or receptacle identifier, or MRN, as the caller wrote it. */
  identifier: string;
  /** By which it is compared. */
  key: string;
  documentType: string | undefined;
  mrn: string | undefined;
};

/** A submitted body, with the errors that do not depend on the database. */
export type Submission = {
  path: PresentationPath;
  /** As the caller wrote it; `undefined` if it is not a UUID. */
  requestId: string | undefined;
  /** `undefined` if it is not in code list CL141. */
  customsOffice: string | undefined;
  /** `undefined` if the body contains no valid one. */
  reference: Reference | undefined;
  errors: readonly ValidationError[];
  /** Paths of members that the schema does not have: the first ones. */
  ignoredMembers: readonly string[];
};

/** A submission, with its organisation. */
export type PresentationRequest = {
  organisationId: number;
  /** The organisation and its client, for the audit trail. */
  actor: Actor;
  submission: Submission;
};

/** Checks a submitted body by rules beyond those of the contract; returns the errors. */
export type CheckPresentation = (
  path: PresentationPath,
  body: unknown,
) => readonly ValidationError[];

// The casts are true because each schema is that of its own path.
const checks = Object.fromEntries(
  Object.entries(presentationLevels).map(([path, { body }]) => [path, compileCheck(body)]),
) as Record<PresentationPath, Check<Presentation>>;

/** How many ignored members the status of a presentation names at most. */
const MAX_IGNORED = 20;

/** How a body is read. */
type ReadOptions = {
  /** Errors by rules beyond those of the contract: what they name is recorded as it was given. */
  furtherErrors?: readonly ValidationError[];
  /** Members that the schema does not have are errors. Without it (the default) they are ignored, and named. */
  strict?: boolean;
};

/**
 * Reads a submitted body and reports all rules that it breaks: those of its schema, and that the customs office must
 * be in force.
 *
 * @param isCustomsOffice whether a reference number is in CL141 today
 */
export function readSubmission(
  path: PresentationPath,
  body: unknown,
  isCustomsOffice: (referenceNumber: string) => boolean,
  { furtherErrors = [], strict = false }: ReadOptions = {},
): Submission {
  const checked = checks[path](body);
  const unknown = findUnknownMembers(presentationLevels[path].body, body);
  const errors = [
    ...(checked.valid ? [] : checked.errors),
    ...checkCustomsOffice(checked, 'customsOfficeOfPresentation', isCustomsOffice),
  ];
  // The members of an invalid body are read separately, because a refused submission is recorded too.
  const members = isObject(checked.value) ? checked.value : {};
  const broken = (member: string) =>
    errors.some(({ field }) => field === member || field.startsWith(`${member}.`));

  const office = members.customsOfficeOfPresentation;
  const { requestId } = members;
  const referenceMember = presentationLevels[path].reference;
  const referenceReadable =
    Object.keys(members).length > 0 && !broken(referenceMember) && !broken('mrn');
  return {
    path,
    requestId: typeof requestId === 'string' && isUuid(requestId) ? requestId : undefined,
    customsOffice:
      typeof office === 'string' && !broken('customsOfficeOfPresentation') ? office : undefined,
    reference: referenceReadable ? readReference(members, referenceMember) : undefined,
    errors: [...errors, ...(strict ? unknown : []), ...furtherErrors],
    ignoredMembers: strict ? [] : unknown.slice(0, MAX_IGNORED).map(({ field }) => field),
  };
}

type ReferenceMember = (typeof presentationLevels)[PresentationPath]['reference'];

function readReference(members: Record<string, unknown>, member: ReferenceMember): Reference {
  const value = members[member];
  const mrn = typeof members.mrn === 'string' ? members.mrn : undefined;
  if (typeof value === 'string') {
    return { identifier: value, key: value, documentType: undefined, mrn: undefined };
  }
  // The cast is true because this member breaks no rule of the schema.
  const document = value as TransportDocument;
  const identifier = document.documentNumber;
  return { identifier, key: identifierKey(identifier), documentType: document.type, mrn };
}
