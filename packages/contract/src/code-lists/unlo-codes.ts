// Code list CL144: places (UN/LOCODE). Its full list is imported at run time; until then, only the form of a code is checked.
import { type Static, Type } from 'typebox';
import { definePattern, OneLine } from '../patterns.js';
import { Count } from '../quantities.js';
import { LISTED_CHANGES } from './customs-offices.js';

/** The form of a code of UN/LOCODE. */
export const UNLO_CODE = /^[A-Z]{2}[A-Z2-9]{3}$/;

const PATTERN = definePattern(
  UNLO_CODE.source,
  'must be a country code and three capital letters or digits from 2 to 9',
);

/** A place of CL144. */
export const UnloCode = Type.Object(
  {
    code: Type.String({ pattern: PATTERN, examples: ['NOOSL'] }),
    name: Type.Optional(OneLine(200)),
  },
  { $id: 'UnloCode', description: 'A place of CL144 (UN/LOCODE)' },
);
export type UnloCode = Static<typeof UnloCode>;

/** Places that an import changes in one way. */
export const UnloCodeChanges = Type.Object(
  {
    count: Count('How many places'),
    first: Type.Array(UnloCode, {
      maxItems: LISTED_CHANGES,
      description: `The first ${LISTED_CHANGES} of them`,
    }),
  },
  { $id: 'UnloCodeChanges', description: 'Places that an import changes in one way' },
);
export type UnloCodeChanges = Static<typeof UnloCodeChanges>;

/** The result of an import of CL144, or what it would be. */
export const UnloCodesImported = Type.Object(
  {
    codeList: Type.Literal('cl144'),
    entries: Type.Integer({ minimum: 0, description: 'Entries of the new list' }),
    replaced: Type.Integer({ minimum: 0, description: 'Entries of the previous list' }),
    added: UnloCodeChanges,
    changed: UnloCodeChanges,
    removed: UnloCodeChanges,
    importedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Absent in a preview' }),
    ),
  },
  {
    $id: 'UnloCodesImported',
    description:
      'The result of an import of CL144, or a preview of it. `added`: only the new list has them; `changed`: they have another name in it; `removed`: it does not have them',
  },
);
export type UnloCodesImported = Static<typeof UnloCodesImported>;
