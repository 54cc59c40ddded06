// Validation status: the outcome of each presentation request.
import { type Static, Type } from 'typebox';
import { type ValidationError, ValidationErrorCode } from './errors.js';
import { Mrn, RequestId } from './identifiers.js';
import { feedPaging, uuidQuery } from './paging.js';
import { PresentationLevel } from './presentation.js';

/** One broken rule of a refused presentation. */
const ValidationStatusError = Type.Object(
  {
    description: Type.String({ description: 'The broken rule, for people' }),
    code: ValidationErrorCode,
    pointer: Type.Object({
      messageElementPath: Type.String({ description: "Path of the member, from the body's root" }),
    }),
  },
  { $id: 'ValidationStatusError', description: 'One broken rule of a refused presentation' },
);

/** An error in the form of a validation status. */
export function toStatusError({
  field,
  error,
  code,
}: ValidationError): Static<typeof ValidationStatusError> {
  return { description: error, code, pointer: { messageElementPath: field } };
}

/** The outcome of one presentation request. */
export const ValidationStatus = Type.Object(
  {
    requestId: RequestId,
    status: Type.Enum(['SUCCESS', 'FAILURE'], {
      description: '`FAILURE`: nothing was presented, and the requestId is consumed',
    }),
    level: PresentationLevel,
    notificationDate: Type.String({
      format: 'date-time',
      description: 'When the request was received',
    }),
    mrn: Type.Optional(Mrn),
    customsOfficeOfPresentation: Type.Optional(
      Type.String({
        description: 'The office in the request; absent if it is unknown',
      }),
    ),
    houseConsignments: Type.Integer({
      minimum: 0,
      description: 'The number of house consignments that the reference reached',
    }),
    validationErrorList: Type.Optional(
      Type.Array(ValidationStatusError, { description: 'Only with `FAILURE`: every broken rule' }),
    ),
    ignoredMembers: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Paths of members of the body that the schema does not have, such as a misspelt `MRN`; they had no effect. At most 20, with 100 characters of each name',
      }),
    ),
  },
  {
    $id: 'ValidationStatus',
    description:
      'The outcome of one presentation request; `mrn` is present if the reference reached exactly one ENS',
  },
);
export type ValidationStatus = Static<typeof ValidationStatus>;

/** The query of the list of statuses. */
export const ValidationStatusQuery = Type.Object({
  ...feedPaging('The requestId of the last status'),
  requestId: uuidQuery('Only this request'),
  mrn: Type.Optional({ ...Mrn, description: 'Only requests whose reference reached this ENS' }),
  status: Type.Optional(
    Type.Enum(['SUCCESS', 'FAILURE'], { description: 'Only requests with this outcome' }),
  ),
});
export type ValidationStatusQuery = Static<typeof ValidationStatusQuery>;
