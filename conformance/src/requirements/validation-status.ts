// Requirements on the status of presentation requests.
import { randomUUID } from 'node:crypto';
import { type PresentationPath, ValidationStatus } from '@landfall/contract';
import { documentOf, register } from '../data/goods.js';
import { newMrn, newReceptacleId } from '../data/identifiers.js';
import { present, presentationOf, readStatus, tryPresent } from '../data/presentations.js';
import { type Entry, endOfFeed, memberOf, readAll, readEntries } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectStatus,
  expectValid,
  readJson,
} from '../suite/expect.js';
import { type Area, api, architecture, decision, national } from '../suite/requirement.js';

const LIST = 'listValidationStatuses';

/** Presents something that does not exist, and returns its requestId and the response. */
async function fail(
  context: CaseContext,
  level: PresentationPath,
  reference: Record<string, unknown>,
) {
  const body = presentationOf(reference);
  const response = await tryPresent(context.as('presenter'), level, body);
  expectStatus(response, 400);
  return { requestId: body.requestId, response };
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ requestId }) => String(requestId));

export const validationStatus: Area = {
  name: 'Validation status',
  requirements: [
    {
      id: 'STAT-001',
      sentence: 'The status of an accepted request is SUCCESS with what was presented.',
      sources: [api('getValidationStatus'), national('Presentation, validation status')],
      needs: ['presenter', 'authority'],
      cases: {
        'a presented declaration of two house consignments': async (context) => {
          const { mrn } = await register(context, { houses: [{}, { routing: 'TO_ENTRY' }] });
          const presenter = context.as('presenter');
          const before = Date.now();
          const requestId = await present(presenter, 'entry-summary-declaration', { mrn });
          const status = await readStatus(presenter, requestId);
          expectValid(ValidationStatus, status, 'the status');
          const { notificationDate, ...members } = status;
          expectEqual(
            members,
            {
              requestId,
              status: 'SUCCESS',
              level: 'ENTRY_SUMMARY_DECLARATION',
              mrn,
              customsOfficeOfPresentation: 'NO351001',
              houseConsignments: 2,
            },
            'the status',
          );
          const late = Math.abs(Date.parse(String(notificationDate)) - before);
          expect(late < 120_000, `notificationDate is ${notificationDate}`);
        },
      },
    },
    {
      id: 'STAT-002',
      sentence: 'The status of a refused request is FAILURE with the same errors as the response.',
      sources: [api('getValidationStatus')],
      needs: ['presenter'],
      cases: {
        'a declaration that is not pre-notified and an unknown office': async (context) => {
          const { requestId, response } = await fail(context, 'entry-summary-declaration', {
            mrn: newMrn(),
            customsOfficeOfPresentation: 'NO000000',
          });
          const status = await readStatus(context.as('presenter'), requestId);
          expectValid(ValidationStatus, status, 'the status');
          expectEqual([status.status, status.houseConsignments], ['FAILURE', 0], 'the status');
          const { validationErrors } = JSON.parse(response.text);
          const reported = (validationErrors as Entry[]).map(({ field, error, code }) => ({
            description: error,
            code,
            pointer: { messageElementPath: field },
          }));
          expectEqual(status.validationErrorList, reported, 'validationErrorList');
        },
      },
    },
    {
      id: 'STAT-003',
      sentence: 'A status has mrn exactly if the reference reached one declaration.',
      sources: [api('getValidationStatus'), decision(24)],
      needs: ['presenter', 'authority'],
      cases: {
        'a receptacle of one declaration': async (context) => {
          const receptacleId = newReceptacleId();
          const { mrn } = await register(context, { houses: [{ receptacleId }] });
          const presenter = context.as('presenter');
          const requestId = await present(presenter, 'receptacle', { receptacleId });
          expectEqual((await readStatus(presenter, requestId)).mrn, mrn, 'mrn');
        },
        'a receptacle of two declarations': async (context) => {
          const receptacleId = newReceptacleId();
          await register(context, { houses: [{ receptacleId }] });
          await register(context, { houses: [{ receptacleId }] });
          const presenter = context.as('presenter');
          const requestId = await present(presenter, 'receptacle', { receptacleId });
          const status = await readStatus(presenter, requestId);
          expectEqual(
            [status.mrn, status.houseConsignments],
            [undefined, 2],
            'mrn and houseConsignments',
          );
        },
      },
    },
    {
      id: 'STAT-004',
      sentence:
        'The list has every request of the organisation once, oldest first, with any page size.',
      sources: [api(LIST)],
      needs: ['presenter', 'authority'],
      cases: {
        'five requests, page by page': async (context) => {
          const { mrn } = await register(context);
          const presenter = context.as('presenter');
          const end = await endOfFeed(context, 'presenter', LIST);
          const made: string[] = [];
          for (let number = 0; number < 4; number++) {
            made.push(await present(presenter, 'entry-summary-declaration', { mrn }));
          }
          made.push(
            (await fail(context, 'entry-summary-declaration', { mrn: newMrn() })).requestId,
          );
          const upTo = made.at(-1);
          for (const limit of [2, 7, 1000]) {
            const found = idsOf(await readAll(presenter, LIST, end, { limit, upTo }));
            const own = found.filter((id) => made.includes(id));
            expectEqual(own, made, `the requests in pages of ${limit}`);
          }
        },
        'every status of the list has the schema': async (context) => {
          const start = await context.start('presenter', LIST);
          await fail(context, 'entry-summary-declaration', { mrn: newMrn() });
          for (const status of await readAll(context.as('presenter'), LIST, start)) {
            expectValid(ValidationStatus, status, 'a status');
          }
        },
      },
    },
    {
      id: 'STAT-005',
      sentence: 'The filters requestId, mrn and status select what they name, and nothing else.',
      sources: [api(LIST), decision(24)],
      needs: ['presenter', 'authority'],
      cases: {
        'each filter, and two together': async (context) => {
          const { mrn } = await register(context);
          const presenter = context.as('presenter');
          const accepted = await present(presenter, 'entry-summary-declaration', { mrn });
          const { requestId: refused } = await fail(context, 'entry-summary-declaration', {
            mrn,
            customsOfficeOfPresentation: 'NO000000',
          });
          const marker = await context.start('presenter', LIST);
          const list = async (query: Record<string, string>) =>
            idsOf(readEntries(await presenter.call(LIST, { query: { marker, ...query } })));
          expectEqual(await list({ requestId: accepted }), [accepted], 'requestId');
          expectEqual(await list({ mrn }), [accepted, refused], 'mrn');
          expectEqual(await list({ mrn, status: 'FAILURE' }), [refused], 'mrn and status');
          expectEqual(await list({ mrn: newMrn() }), [], 'the mrn of nothing');
          const statuses = readEntries(
            await presenter.call(LIST, { query: { marker, status: 'SUCCESS' } }),
          ).map(({ status }) => status);
          expectEqual([...new Set(statuses)], ['SUCCESS'], 'the statuses with status=SUCCESS');
        },
      },
    },
    {
      id: 'STAT-006',
      sentence:
        'With an MRN the response is the list of the requests whose reference reached that declaration.',
      sources: [api('getValidationStatus'), decision(24)],
      needs: ['presenter', 'authority'],
      cases: {
        'by the declaration and by a document of it': async (context) => {
          const declaration = await register(context, { houses: [{}, {}] });
          const presenter = context.as('presenter');
          const first = await present(presenter, 'house-consignment', {
            transportDocumentHouseLevel: documentOf(declaration, 1),
          });
          const second = await present(presenter, 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          const path = { reference: declaration.mrn };
          const all = readEntries(await presenter.call('getValidationStatus', { path }));
          expectEqual(idsOf(all), [first, second], 'the requests');
          const query = { marker: first };
          const rest = readEntries(await presenter.call('getValidationStatus', { path, query }));
          expectEqual(idsOf(rest), [second], 'the requests after the first');
        },
        'an MRN that nothing reached': async (context) => {
          const path = { reference: newMrn() };
          const response = await context.as('presenter').call('getValidationStatus', { path });
          expectEqual(readEntries(response), [], 'the list');
        },
      },
    },
    {
      id: 'STAT-007',
      sentence: 'An unknown requestId is 404, and what is neither a requestId nor an MRN is 400.',
      sources: [api('getValidationStatus'), decision(24)],
      needs: ['presenter'],
      cases: {
        'a requestId that was never used': async (context) => {
          const path = { reference: randomUUID() };
          const response = await context.as('presenter').call('getValidationStatus', { path });
          expectProblem(response, 404);
        },
        'another text': async (context) => {
          const path = { reference: 'nothing' };
          const response = await context.as('presenter').call('getValidationStatus', { path });
          expectProblem(response, 400, { code: 'FORMAT' });
        },
      },
    },
    {
      id: 'STAT-008',
      sentence: 'A status never changes once it can be read.',
      sources: [architecture('Non-goals')],
      needs: ['presenter', 'authority'],
      cases: {
        'the same body before and after another presentation and a decision': async (context) => {
          const { mrn } = await register(context, { houses: [{}] });
          const presenter = context.as('presenter');
          const requestId = await present(presenter, 'entry-summary-declaration', { mrn });
          const read = () =>
            presenter.call('getValidationStatus', { path: { reference: requestId } });
          const before = await read();
          await present(presenter, 'entry-summary-declaration', { mrn });
          const after = await read();
          expectEqual(readJson(after), readJson(before), 'the status');
        },
      },
    },
    {
      id: 'STAT-009',
      sentence: 'Following the statuses as events sends each with its requestId as id.',
      sources: [api(LIST)],
      needs: ['presenter', 'authority'],
      cases: {
        'a status that is recorded while the stream is open': async (context) => {
          const { mrn } = await register(context);
          const start = await context.start('presenter', LIST);
          const presenter = context.as('presenter');
          const stream = await presenter.openEvents(LIST, { query: { marker: start } });
          expectStatus(stream, 200);
          const requestId = await present(presenter, 'entry-summary-declaration', { mrn });
          const came = await stream.until((all) => all.some(({ id }) => id === requestId), 10_000);
          expect(came, 'the status did not come within 10 s');
          const event = stream.events.find(({ id }) => id === requestId);
          expectEqual(memberOf(JSON.parse(event?.data ?? ''), 'requestId'), requestId, 'requestId');
          stream.close();
        },
      },
    },
  ],
};
