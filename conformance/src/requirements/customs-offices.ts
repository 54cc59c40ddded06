// Requirements on the list of customs offices (CL141).
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@landfall/contract';
import { OFFICE, register } from '../data/goods.js';
import { newCustomsOffice } from '../data/identifiers.js';
import { present, presentationOf, tryPresent } from '../data/presentations.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readObject,
} from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api } from '../suite/requirement.js';

const IMPORT = 'importCustomsOffices';

/** Within this time every server of a service uses a new list, in milliseconds. */
const IN_USE_WITHIN_MS = 60_000;

const POLL_INTERVAL_MS = 500;

/** More offices than any list has. */
const TOO_MANY = 1_000_000;

/** The list of the settings, and the same with one more office. */
function listsOf(context: CaseContext, office: string): { given: string; longer: string } {
  const given = context.settings.customsOffices?.trimEnd();
  if (given === undefined) {
    throw new NotTestedError(
      'no customsOffices in the settings: the list that is put back, because no operation reads the one of the service',
    );
  }
  if (!given.includes(OFFICE)) {
    throw new NotTestedError(
      `customsOffices of the settings has no ${OFFICE}, which all cases use`,
    );
  }
  const [header = ''] = given.split(/\r?\n/, 1);
  const values: Record<string, string> = { reference_number: office, name: 'Conformance suite' };
  const row = header.split(',').map((column) => values[column.trim()] ?? '');
  return { given: `${given}\n`, longer: `${given}\n${row.join(',')}\n` };
}

async function replaceList(context: CaseContext, raw: string): Promise<void> {
  const response = await context.as('authority').call(IMPORT, { raw, type: 'text/csv' });
  expectStatus(response, 200);
  expectSchema(IMPORT, response);
  const rows = raw.split('\n').filter((line) => line.trim() !== '').length - 1;
  expectEqual(readObject(response).entries, rows, 'entries of the new list');
}

/** How many offices a list would remove, by a preview. */
async function previewRemovals(context: CaseContext, raw: string): Promise<number> {
  const query = { preview: 'true' };
  const response = await context.as('authority').call(IMPORT, { raw, type: 'text/csv', query });
  expectStatus(response, 200);
  expectSchema(IMPORT, response);
  const { removed, importedAt } = readObject(response);
  expectEqual(importedAt, undefined, 'importedAt of a preview');
  return Number(isObject(removed) ? removed.count : undefined);
}

/** A list that removes many offices is refused, and changes nothing. */
async function tryToRemoveMany(context: CaseContext, raw: string): Promise<void> {
  if ((await previewRemovals(context, raw)) <= 1) {
    throw new NotTestedError('the list of the service has too few customs offices');
  }
  const authority = context.as('authority');
  const field = 'expectedRemovals';
  const refused = await authority.call(IMPORT, { raw, type: 'text/csv' });
  expectProblem(refused, 400, { field, code: 'REQUIRED' });
  const query = { expectedRemovals: TOO_MANY };
  const other = await authority.call(IMPORT, { raw, type: 'text/csv', query });
  expectProblem(other, 400, { field, code: 'COUNT_DIFFERS' });
  expect((await previewRemovals(context, raw)) > 1, 'refused imports have replaced the list');
}

/** Presents goods at an office until the response is as expected: servers may use the previous list for a while. */
async function presentUntil(
  context: CaseContext,
  office: string,
  isExpected: (response: HttpResponse) => boolean,
  what: string,
): Promise<void> {
  const { mrn } = await register(context);
  const { maxWaitMs, listInUseWithinMs = IN_USE_WITHIN_MS } = context.run;
  const limitMs = Math.min(listInUseWithinMs, maxWaitMs);
  const end = performance.now() + limitMs;
  for (;;) {
    const body = { ...presentationOf({ mrn }), customsOfficeOfPresentation: office };
    const caller = context.as('presenter');
    if (isExpected(await tryPresent(caller, 'entry-summary-declaration', body))) return;
    if (performance.now() >= end) break;
    await delay(POLL_INTERVAL_MS, undefined, { signal: context.signal });
  }
  if (limitMs < listInUseWithinMs) {
    throw new NotTestedError(`${what} not within ${limitMs / 1000} s; --max-wait 60 waits for it`);
  }
  expect(false, `${what} not within ${limitMs / 1000} s`);
}

export const customsOffices: Area = {
  name: 'Customs offices',
  requirements: [
    {
      id: 'REGI-010',
      sentence: 'An invalid list of customs offices (CL141) is refused, and changes nothing.',
      sources: [api(IMPORT)],
      needs: ['authority', 'presenter'],
      cases: {
        'a column is missing': async (context) => {
          const response = await context
            .as('authority')
            .call(IMPORT, { raw: 'reference_number\nX\n', type: 'text/csv' });
          expectProblem(response, 400);
          const { mrn } = await register(context);
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
        },
      },
    },
    {
      id: 'REGI-021',
      sentence:
        'A list that would remove more than one and more than a tenth of the customs offices is refused unless `expectedRemovals` says how many; a preview shows them and changes nothing.',
      sources: [api(IMPORT)],
      needs: ['authority'],
      cases: {
        'a list of one office': async (context) => {
          const { given } = listsOf(context, OFFICE);
          try {
            await tryToRemoveMany(context, `reference_number,name\n${OFFICE},Conformance suite\n`);
          } catch (error) {
            // A service without this rule may have replaced its list.
            if (!(error instanceof NotTestedError)) await replaceList(context.cleanUp(), given);
            throw error;
          }
        },
      },
    },
    {
      id: 'REGI-013',
      sentence:
        'The list of customs offices (CL141) is replaced as a whole, and is in use within a minute.',
      sources: [api(IMPORT)],
      needs: ['authority', 'presenter'],
      cases: {
        'an office is added, and removed again': async (context) => {
          const office = newCustomsOffice();
          const { given, longer } = listsOf(context, office);
          if ((await previewRemovals(context, given)) > 1) {
            throw new NotTestedError(
              'customsOffices of the settings is not the list of the service: it would remove offices',
            );
          }
          try {
            await replaceList(context, longer);
            const accepts = ({ status }: HttpResponse) => status === 202;
            await presentUntil(context, office, accepts, 'a new office is used');
          } finally {
            await replaceList(context.cleanUp(), given);
          }
          const refuses = ({ status, text }: HttpResponse) =>
            status === 400 && text.includes('UNKNOWN_CODE');
          await presentUntil(context, office, refuses, 'a removed office is refused');
        },
      },
    },
  ],
};
