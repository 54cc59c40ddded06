// Reference documents: what registers outside of Landfall have, and movement messages cite.
import { type Static, Type } from 'typebox';
import { ValidationError } from './errors.js';
import { pageLimit } from './paging.js';
import { definePattern, Identifier } from './patterns.js';
import { Instant } from './quantities.js';

/** The number of a declarant. */
export const DECLARANT_NUMBER = /^[0-9]{9,11}$/;
const DECLARANT_NUMBER_PATTERN = definePattern(DECLARANT_NUMBER.source, 'must be 9 to 11 digits');

/** The number of a customs declaration among those of its declarant on one day. */
export const SEQUENCE_NUMBER = /^[0-9]{1,6}$/;
const SEQUENCE_NUMBER_PATTERN = definePattern(SEQUENCE_NUMBER.source, 'must be 1 to 6 digits');

const numberedKinds = ['N820', 'AES_EXPORT', 'EIDR_EXPORT', 'VOEC'] as const;

/** The kinds of reference documents. */
export const referenceDocumentKinds = ['CUDE', ...numberedKinds] as const;
export type ReferenceDocumentKind = (typeof referenceDocumentKinds)[number];

const KIND =
  '`CUDE`: a customs declaration; `N820`: a transit; `AES_EXPORT`, `EIDR_EXPORT`: an export from the EU; `VOEC`: the number of a seller of goods of low value';

const State = Type.Enum(['VALID', 'INVALID'], {
  description: '`INVALID`: it must not be used: withdrawn, not released, used up',
});

/** A customs declaration. */
export const CustomsDeclarationReference = Type.Object(
  {
    kind: Type.Enum(['CUDE'], { description: '`CUDE`: a customs declaration' }),
    declarantNumber: Type.String({
      pattern: DECLARANT_NUMBER_PATTERN,
      description: 'The number of the declarant',
      examples: ['123456789'],
    }),
    declarationDate: Type.String({
      format: 'date',
      description: 'The day of the declaration',
      examples: ['2022-08-10'],
    }),
    sequenceNumber: Type.String({
      pattern: SEQUENCE_NUMBER_PATTERN,
      description: 'Its number on that day; leading zeros do not count',
      examples: ['1'],
    }),
    state: State,
  },
  { $id: 'CustomsDeclarationReference', description: 'A customs declaration of a register' },
);
type CustomsDeclarationReference = Static<typeof CustomsDeclarationReference>;

/** A document with one number. */
export const NumberedReference = Type.Object(
  {
    kind: Type.Enum([...numberedKinds], { description: KIND }),
    referenceNumber: Identifier(70, 'Its number, however it is spelled'),
    state: State,
  },
  { $id: 'NumberedReference', description: 'A transit, an export or a VOEC number of a register' },
);
type NumberedReference = Static<typeof NumberedReference>;

/** A document as a register says it: one line of an upload. */
export const RegisteredReference = Type.Union([CustomsDeclarationReference, NumberedReference]);
export type RegisteredReference = CustomsDeclarationReference | NumberedReference;

const Kind = Type.Enum([...referenceDocumentKinds], { description: KIND });

/** What a line of any kind has, by which its kind is recognised. */
export const ReferenceOfAnyKind = Type.Object({ kind: Kind, state: State });

const Reference = Type.String({
  description:
    'What identifies the document among those of its kind: its number in capital letters and without blanks, or of a customs declaration `{declarantNumber}-{ddmmyyyy}-{sequenceNumber}`',
  examples: ['123456789-10082022-1'],
});

/** A document as it is kept. */
export const KeptReferenceDocument = Type.Object(
  {
    kind: Kind,
    reference: Reference,
    declarantNumber: Type.Optional(Type.String({ description: 'Of a customs declaration' })),
    declarationDate: Type.Optional(
      Type.String({ format: 'date', description: 'Of a customs declaration' }),
    ),
    sequenceNumber: Type.Optional(Type.String({ description: 'Of a customs declaration' })),
    referenceNumber: Type.Optional(Type.String({ description: 'Of the other kinds' })),
    state: State,
    registeredAt: Instant('When it was registered first'),
    changedAt: Instant('When its state changed last, or was registered first'),
  },
  {
    $id: 'KeptReferenceDocument',
    description: 'A reference document as it is kept. It may be sent again as a line of an upload',
  },
);
export type KeptReferenceDocument = Static<typeof KeptReferenceDocument>;

/** The query of documents: those that match all given members. */
export const ReferenceDocumentQuery = Type.Object({
  kind: Type.Optional(Kind),
  reference: Type.Optional(
    Identifier(
      100,
      'The reference, or its beginning, however it is spelled: such as the number of a declarant and a hyphen',
    ),
  ),
  marker: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: definePattern(
        `^(?:${referenceDocumentKinds.join('|')}):[^\\u0000]+$`,
        'must be a kind, a colon and a reference',
      ),
      description:
        'The kind, a colon and the reference of the last document that was read; the page begins after it',
    }),
  ),
  limit: pageLimit,
});
export type ReferenceDocumentQuery = Static<typeof ReferenceDocumentQuery>;

/** The result of one line of an upload. */
export const ReferenceDocumentResult = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Number of the line in the request' }),
    kind: Type.Optional(Type.String({ description: 'Absent if the line is refused' })),
    reference: Type.Optional(Type.String({ description: 'Absent if the line is refused' })),
    status: Type.Enum(['REGISTERED', 'CHANGED', 'UNCHANGED', 'REFUSED'], {
      description:
        '`REGISTERED`: the document is new; `CHANGED`: it had the other state; `UNCHANGED`: it had this state; `REFUSED`: the line changed nothing, and `validationErrors` has the reasons',
    }),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: 'Broken rules, at most 100' }),
    ),
  },
  { $id: 'ReferenceDocumentResult', description: 'The result of one line' },
);
export type ReferenceDocumentResult = Static<typeof ReferenceDocumentResult>;
