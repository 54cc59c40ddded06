// Requirements on reading code lists, and on the list of places (CL144).
import { OFFICE } from '../data/goods.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
  readObject,
} from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, decision } from '../suite/requirement.js';

const IMPORT = 'importUnloCodes';

/** A page of a list: its codes. */
async function readCodes(
  context: CaseContext,
  list: string,
  query: Record<string, string> = {},
): Promise<string[]> {
  const call = { path: { list }, query };
  const response = await context.as('presenter').call('getCodeList', call);
  expectStatus(response, 200);
  expectSchema('getCodeList', response);
  const page = readJson(response);
  return Array.isArray(page) ? page.map(({ code }) => String(code)) : [];
}

export const codeLists: Area = {
  name: 'Code lists',
  requirements: [
    {
      id: 'REGI-041',
      sentence:
        'Code lists in force are listed, and the codes of each are read in pages, in the order of their characters, by any token.',
      sources: [api('listCodeLists', 'getCodeList'), decision(241)],
      needs: ['presenter'],
      cases: {
        'the list of customs offices has the one that all cases use': async (context) => {
          const response = await context.as('presenter').call('listCodeLists');
          expectStatus(response, 200);
          expectSchema('listCodeLists', response);
          const lists = readJson(response);
          const found = Array.isArray(lists) && lists.some(({ list }) => list === 'cl141');
          expect(found, 'listCodeLists has cl141');
          expectEqual(await readCodes(context, 'cl141', { code: OFFICE }), [OFFICE], 'the codes');
        },
        'pages follow each other': async (context) => {
          const all = (await readCodes(context, 'countries')).slice(0, 5);
          expectEqual([...all].sort(), all, 'the order of codes');
          const [first = '', second] = await readCodes(context, 'countries', { limit: '2' });
          expectEqual([first, second], all.slice(0, 2), 'the first page');
          const next = await readCodes(context, 'countries', { limit: '3', marker: `${second}` });
          expectEqual(next, all.slice(2, 5), 'the page after it');
        },
        'codes are found by a part of their name': async (context) => {
          const found = await readCodes(context, 'cl018', { text: 'AIR TRANS' });
          expectEqual(found, ['4'], 'the modes of transport with these words');
        },
        'a list that does not exist': async (context) => {
          const call = { path: { list: 'cl000' } };
          expectProblem(await context.as('presenter').call('getCodeList', call), 404);
        },
      },
    },
    {
      id: 'REGI-042',
      sentence:
        'An invalid list of places (CL144) is refused, and a preview of a valid one changes nothing.',
      sources: [api(IMPORT), decision(242)],
      needs: ['authority', 'presenter'],
      cases: {
        'a code of another form': async (context) => {
          const call = { raw: 'code\nNOOS1\n', type: 'text/csv' };
          const response = await context.as('authority').call(IMPORT, call);
          expectProblem(response, 400, { field: 'line 2: code', code: 'FORMAT' });
        },
        'a preview of one place': async (context) => {
          const before = await readCodes(context, 'cl144');
          if (before.includes('XXXXX')) throw new NotTestedError('CL144 of the service has XXXXX');
          const query = { preview: 'true' };
          const call = { raw: 'code,name\nXXXXX,Nowhere\n', type: 'text/csv', query };
          const response = await context.as('authority').call(IMPORT, call);
          expectStatus(response, 200);
          expectSchema(IMPORT, response);
          const { entries, importedAt } = readObject(response);
          expectEqual(entries, 1, 'entries');
          expectEqual(importedAt, undefined, 'importedAt of a preview');
          expectEqual(await readCodes(context, 'cl144'), before, 'the places after the preview');
        },
        'a presenter': async (context) => {
          const call = { raw: 'code\nNOOSL\n', type: 'text/csv' };
          expectProblem(await context.as('presenter').call(IMPORT, call), 403);
        },
      },
    },
  ],
};
