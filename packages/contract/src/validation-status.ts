// Validation status: what became of each presentation request. Wire contract, section 4.
import { type Static, Type } from 'typebox';
import { validationErrorCodes } from './errors.js';
import { Mrn, RequestId } from './identifiers.js';
import { keysOf } from './keys-of.js';
import { paging, uuidQuery } from './paging.js';
import { type PresentationLevel, presentationLevels } from './presentation.js';

const levels: PresentationLevel[] = Object.values(presentationLevels).map(({ level }) => level);

/** One broken rule of a refused presentation, as its status tells it. */
export const ValidationStatusError = Type.Object({
  description: Type.String({ description: 'What is wrong, for a person' }),
  code: Type.Enum(keysOf(validationErrorCodes)),
  pointer: Type.Object({
    messageElementPath: Type.String({ description: "Path of the member, from the body's root" }),
  }),
});

/** What became of one presentation request. */
export const ValidationStatus = Type.Object(
  {
    requestId: RequestId,
    status: Type.Enum(['SUCCESS', 'FAILURE'], {
      description: '`FAILURE`: nothing was presented, and the requestId is spent',
    }),
    level: Type.Enum(levels, { description: 'The level that was presented' }),
    notificationDate: Type.String({ format: 'date-time', description: 'When the request came' }),
    mrn: Type.Optional(Mrn),
    customsOfficeOfPresentation: Type.Optional(
      Type.String({
        description: 'As presented; left out of a failure that named no known office',
      }),
    ),
    houseConsignments: Type.Integer({
      minimum: 0,
      description: 'How many house consignments the reference reached',
    }),
    validationErrorList: Type.Optional(
      Type.Array(ValidationStatusError, { description: 'Only with `FAILURE`: every broken rule' }),
    ),
  },
  {
    $id: 'ValidationStatus',
    description:
      'What became of one presentation request; `mrn` is there when the reference reached exactly one ENS',
  },
);
export type ValidationStatus = Static<typeof ValidationStatus>;

/** The query of the list of statuses. */
export const ValidationStatusQuery = Type.Object({
  ...paging('The requestId of the last status'),
  requestId: uuidQuery('Only this request'),
  mrn: Type.Optional({ ...Mrn, description: 'Only requests whose reference reached this ENS' }),
  status: Type.Optional(
    Type.Enum(['SUCCESS', 'FAILURE'], { description: 'Only requests with this outcome' }),
  ),
});
export type ValidationStatusQuery = Static<typeof ValidationStatusQuery>;
