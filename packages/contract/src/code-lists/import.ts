// The answer to an import of a code list. Wire contract, section 10.
import { type Static, Type } from 'typebox';

/** What an import of a code list has put in place. */
export const CodeListImported = Type.Object(
  {
    codeList: Type.Literal('cl141'),
    entries: Type.Integer({ minimum: 0, description: 'Entries now in force' }),
    replaced: Type.Integer({ minimum: 0, description: 'Entries that were in force before' }),
    importedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'CodeListImported' },
);
export type CodeListImported = Static<typeof CodeListImported>;
