// Code lists as they are read: the imported ones, and those that are built in.
import { type Static, Type } from 'typebox';
import { pageLimit } from '../paging.js';
import { definePattern, OneLine } from '../patterns.js';

const LIST_NAME_PATTERN = definePattern(
  '^[a-z0-9-]*$',
  'must be small letters, digits and hyphens, such as cl141',
);

/** The name of a code list in addresses. */
export const CodeListId = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: LIST_NAME_PATTERN,
  description: 'The name of the list, as `listCodeLists` has it',
  examples: ['cl141', 'countries'],
});

/** A code list that is in force, without its codes. */
export const CodeListSummary = Type.Object(
  {
    list: CodeListId,
    title: Type.String({ description: 'What its codes are' }),
    source: Type.Enum(['BUILT_IN', 'IMPORTED'], {
      description: '`BUILT_IN`: part of the release; `IMPORTED`: the authority has replaced it',
    }),
    entries: Type.Integer({ minimum: 0, description: 'How many codes it has' }),
    inForceSince: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it was imported. Absent for a list that is built in',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        description:
          'A regular expression: the list is not known whole, and every code of this form is accepted',
        examples: ['^[0-9]{2,4}$'],
      }),
    ),
    etag: Type.String({
      description: 'Another one whenever the list is another: the `ETag` of each of its pages',
      examples: ['"yJdsWQqSdnGKUNI0dc0Rfw"'],
    }),
  },
  { $id: 'CodeListSummary', description: 'A code list that is in force, without its codes' },
);
export type CodeListSummary = Static<typeof CodeListSummary>;

/** A code of a list. */
export const CodeListEntry = Type.Object(
  {
    code: Type.String({ maxLength: 40, examples: ['NO351001'] }),
    name: Type.Optional(OneLine(200, 'Its name or meaning. Absent if the list has none')),
    validFrom: Type.Optional(
      Type.String({ format: 'date', description: 'Its first day, if it has one' }),
    ),
    validTo: Type.Optional(
      Type.String({ format: 'date', description: 'Its last day, if it has one' }),
    ),
  },
  {
    $id: 'CodeListEntry',
    description: 'A code of a list. Days are those of the time zone of the customs offices',
  },
);
export type CodeListEntry = Static<typeof CodeListEntry>;

const CODE_PATTERN = definePattern('^[\\u0020-\\u007e]*$', 'must be printable ASCII');

/** Which codes of a list are read. */
export const CodeListQuery = Type.Object({
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: CODE_PATTERN,
      description: 'Only codes that begin with this, in the same case',
    }),
  ),
  text: Type.Optional(
    OneLine(
      100,
      'Only codes that have this in the code or the name. Case and blanks do not matter',
    ),
  ),
  marker: Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: CODE_PATTERN,
      description: 'The last code that was read; the page begins after it',
    }),
  ),
  limit: pageLimit,
});
export type CodeListQuery = Static<typeof CodeListQuery>;
