// Requirements on the words that a public client of the national service searches for in responses (decision 0283).
import type { ModeName, MovementLevel } from '@landfall/contract';
import { newDocumentNumber, newOrganisation } from '../data/identifiers.js';
import { fromNow, type Message } from '../data/movement-messages.js';
import { byMode, levelNames, mover } from '../data/movements.js';
import {
  ask,
  houseMessage,
  newMessage,
  readStatusOf,
  sendMessage,
  transportMessage,
} from '../data/public-client.js';
import { parseAs, statusShape } from '../data/read-as-client.js';
import type { Caller } from '../http/caller.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectStatus } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, decision, national } from '../suite/requirement.js';

const client = decision(283);
const lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');

/** What a house consignment cites, and the document of another register that it names. */
type Citation = { cited: Message; document: Message };

/** The parts of errors that the client searches for in the text of a status, with what is cited. */
const citing: Readonly<Record<string, (number: string) => Citation>> = {
  'Customs declaration is not valid': (number) => {
    const declaration = {
      declarantNumber: newOrganisation().slice('0192:'.length),
      declarationDate: '2026-05-04',
      sequenceNumber: '1',
    };
    return {
      cited: {
        importProcedure: {
          importProcedure: 'CUSTOMS_DECLARATION',
          hasOutgoingProcedure: 'FALSE',
        },
        goodsDescription: `Chairs ${number}`,
        previousDocuments: [{ typeOfReference: 'CUDE', ...declaration }],
      },
      document: { kind: 'CUDE', ...declaration },
    };
  },
  'N820 contains a referenceNumber in wrong state': (number) => ({
    cited: {
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', outgoingProcedure: 'TRA' },
      previousDocuments: [{ typeOfReference: 'N820', referenceNumber: number }],
    },
    document: { kind: 'N820', referenceNumber: number },
  }),
};

/** Lodges goods whose document is invalid in the registers of the service, and returns the text of the status. */
async function lodgeWithInvalid(
  context: CaseContext,
  mode: ModeName,
  { cited, document }: Citation,
): Promise<string> {
  const registered = await context.as('authority').call('postReferenceDocuments', {
    raw: JSON.stringify({ ...document, state: 'INVALID' }),
    type: 'application/x-ndjson',
  });
  expectStatus(registered, 200);
  const caller = mover(context, 'presenter', [mode]);
  const message = houseMessage(cited);
  const { status } = await sendMessage(caller, mode, 'POST', 'house-consignment', message);
  const parsed = parseAs(statusShape, status);
  if (parsed.status === 'SUCCESS') {
    throw new NotTestedError('the service takes documents of other registers unchecked');
  }
  return status.text;
}

/**
 * How the client finds the MRN of what it has sent: if the status of its last request says that the document is in use,
 * by its first request; any other failure ends the search.
 */
async function findMrn(
  caller: Caller,
  mode: ModeName,
  level: MovementLevel,
  { last, first }: { last: string; first: string },
): Promise<string | undefined> {
  const status = await readStatusOf(caller, mode, level, last);
  const { mrn } = parseAs(statusShape, status);
  if (mrn !== undefined || !status.text.includes('is already in use')) return mrn;
  return parseAs(statusShape, await readStatusOf(caller, mode, level, first)).mrn;
}

export const publicClientSearches: Area = {
  name: 'Words that a public client searches for',
  requirements: [
    {
      id: 'PARS-006',
      sentence:
        'The texts that clients search for stand in the body of a status as they are: what is not valid in a register, and what has passed.',
      sources: [lodging, national('Movement, validation'), client],
      needs: ['presenter', 'authority'],
      cases: {
        ...Object.fromEntries(
          Object.entries(citing).flatMap(([part, cite]) =>
            Object.entries(
              byMode((mode) => async (context) => {
                const text = await lodgeWithInvalid(context, mode, cite(newDocumentNumber()));
                expect(text.includes(part), `no "${part}" in ${text}`);
              }),
            ).map(([by, run]) => [`${part}, ${by}`, run]),
          ),
        ),
        ...Object.fromEntries(
          Object.entries(
            byMode((mode) => async (context) => {
              const caller = mover(context, 'presenter', [mode]);
              const message = {
                ...transportMessage(mode),
                estimatedDateAndTimeOfArrival: fromNow(-3_600_000),
              };
              const { status } = await sendMessage(caller, mode, 'POST', 'transport', message);
              const part = 'TimeOfArrival has already passed';
              expect(status.text.includes(part), `no "${part}" in ${status.text}`);
            }),
          ).map(([by, run]) => [`an arrival that has passed, ${by}`, run]),
        ),
      },
    },
    {
      id: 'PARS-007',
      sentence:
        'A client whose last request failed because its document is already in use reads the MRN with its first requestId, at each level and in each mode.',
      sources: [lodging, api('getMovementStatus'), national('Movement, validation'), client],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context, 'presenter', [mode]);
        for (const level of levelNames) {
          const message = newMessage(level, mode);
          const sent = await sendMessage(caller, mode, 'POST', level, message);
          const { mrn } = parseAs(statusShape, sent.status);
          expect(mrn !== undefined, `the status has no MRN: ${sent.status.text}`);
          const again = await sendMessage(caller, mode, 'POST', level, message);
          const requests = { last: again.requestId, first: sent.requestId };
          expectEqual(await findMrn(caller, mode, level, requests), mrn, `the MRN of a ${level}`);
          expectEqual(parseAs(statusShape, again.status).mrn, undefined, 'the MRN of the failure');
          const other = { last: sent.requestId, first: again.requestId };
          expectEqual(await findMrn(caller, mode, level, other), mrn, 'the MRN by the first alone');
        }
      }),
    },
    {
      id: 'PARS-008',
      sentence:
        'The status of an unknown requestId is "404 Not Found" in the status line too: clients search for these words and ask again.',
      sources: [api('getMovementStatus'), client],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context, 'presenter', [mode]);
        for (const level of levelNames) {
          const path = `${level}/validation-status/${crypto.randomUUID()}`;
          const response = await ask(caller, mode, path);
          const line = `${response.status} ${response.reason}`;
          expectEqual(line, '404 Not Found', 'status code and reason');
        }
      }),
    },
  ],
};
