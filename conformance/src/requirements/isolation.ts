// Requirements on the isolation of organisations: who may read what.
import { randomUUID } from 'node:crypto';
import { decide, documentOf, register } from '../data/goods.js';
import { newDocumentNumber, newMrn } from '../data/identifiers.js';
import { present } from '../data/presentations.js';
import { endOfFeed, readAll, readSignals } from '../data/read-feed.js';
import { issueSignals, signalId } from '../data/signalled-goods.js';
import { expect, expectEqual, expectProblem, expectStatus } from '../suite/expect.js';
import { type Area, api, architecture, decision } from '../suite/requirement.js';

export const isolation: Area = {
  name: 'Isolation of organisations',
  requirements: [
    {
      id: 'ISOL-001',
      sentence: 'An organisation that is not connected to goods reads none of their signals.',
      sources: [api('readRoutingSignals'), architecture('Presented, connected, decided')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'another organisation with the same scope': async (context) => {
          const mrn = await issueSignals(context, 2);
          expectEqual(
            (await readSignals(context, 'other', mrn)).length,
            0,
            'the signals of the other',
          );
        },
        'it follows the feed as events': async (context) => {
          const marker = await endOfFeed(context, 'other', 'readRoutingSignals');
          const stream = await context
            .as('other')
            .openEvents('readRoutingSignals', { query: { marker } });
          expectStatus(stream, 200);
          const mrn = await issueSignals(context, 2);
          const leaked = await stream.until(
            (all) => all.some(({ data }) => data.includes(mrn)),
            1000,
          );
          expect(!leaked, 'the stream of another organisation has a signal of these goods');
          stream.close();
        },
      },
    },
    {
      id: 'ISOL-002',
      sentence:
        'The declarant and the representative of the declaration receive the signals that a presentation causes.',
      sources: [api('readRoutingSignals'), decision(21)],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'the other organisation is the declarant': async (context) => {
          const { mrn } = await register(context, {
            declarant: context.identity('other').organisation,
          });
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          expectEqual((await readSignals(context, 'other', mrn)).length, 1, 'its signals');
        },
        'the other organisation is the representative, and the decision changes': async (
          context,
        ) => {
          const declaration = await register(context, {
            representative: context.identity('other').organisation,
          });
          const { mrn } = declaration;
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          await decide(context, declaration, 'TO_CONTROL');
          expectEqual((await readSignals(context, 'other', mrn)).length, 2, 'its signals');
        },
      },
    },
    {
      id: 'ISOL-003',
      sentence: 'A marker of another organisation is UNKNOWN_MARKER, like one that does not exist.',
      sources: [api('readRoutingSignals'), architecture('The feed')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'the marker of a signal that the other never received': async (context) => {
          const end = await endOfFeed(context, 'presenter', 'readRoutingSignals');
          await issueSignals(context, 1);
          const [signal] = await readAll(context.as('presenter'), 'readRoutingSignals', end);
          const query = { marker: signalId(signal) };
          const response = await context.as('other').call('readRoutingSignals', { query });
          expectProblem(response, 400, { code: 'UNKNOWN_MARKER', field: 'marker' });
        },
      },
    },
    {
      id: 'ISOL-004',
      sentence:
        'The status of a request of another organisation is 404, the same as of one that does not exist.',
      sources: [api('getValidationStatus')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'by requestId': async (context) => {
          const { mrn } = await register(context);
          const requestId = await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn,
          });
          const read = (reference: string) =>
            context.as('other').call('getValidationStatus', { path: { reference } });
          const foreign = await read(requestId);
          const unknown = randomUUID();
          const missing = await read(unknown);
          expectProblem(foreign, 404);
          expectProblem(missing, 404);
          const comparable = ({ text }: { text: string }) => {
            const { instance: _, ...problem } = JSON.parse(text);
            return JSON.stringify(problem).replaceAll(requestId, '').replaceAll(unknown, '');
          };
          expectEqual(comparable(foreign), comparable(missing), 'the problem');
        },
        'by MRN and in the list': async (context) => {
          const { mrn } = await register(context);
          const requestId = await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn,
          });
          const other = context.as('other');
          const byMrn = await other.call('getValidationStatus', { path: { reference: mrn } });
          expectStatus(byMrn, 200);
          expectEqual(JSON.parse(byMrn.text), [], 'the list of the MRN');
          const start = await context.start('other', 'listValidationStatuses');
          const all = await readAll(other, 'listValidationStatuses', start);
          expect(!all.some((status) => status.requestId === requestId), 'the list has the status');
        },
      },
    },
    {
      id: 'ISOL-005',
      sentence: 'Declarations, decisions and house consignments are for the authority alone.',
      sources: [api('getEntrySummaryDeclaration', 'listHouseConsignments', 'postRoutingDecisions')],
      needs: ['presenter', 'authority'],
      cases: {
        'the presenter of a declaration': async (context) => {
          const { mrn } = await register(context);
          const presenter = context.as('presenter');
          await present(presenter, 'entry-summary-declaration', { mrn });
          expectProblem(await presenter.call('getEntrySummaryDeclaration', { path: { mrn } }), 403);
          expectProblem(
            await presenter.call('deleteEntrySummaryDeclaration', { path: { mrn } }),
            403,
          );
          expectProblem(await presenter.call('listHouseConsignments', { query: { mrn } }), 403);
          expectProblem(await presenter.call('postRoutingDecisions', { json: [] }), 403);
        },
      },
    },
    {
      id: 'ISOL-006',
      sentence:
        'A check of goods of another organisation is UNKNOWN, as of goods that do not exist.',
      sources: [api('checkRelease'), decision(110)],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'by MRN and by document': async (context) => {
          const declaration = await register(context);
          const { mrn } = declaration;
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const check = async (identifier: string) => {
            const response = await context
              .as('other')
              .call('checkRelease', { query: { identifier } });
            expectStatus(response, 200);
            return JSON.parse(response.text);
          };
          const unknown = await check(newMrn());
          expectEqual(unknown.outcome, 'UNKNOWN', 'the outcome of goods that do not exist');
          expectEqual(await check(mrn), unknown, 'the check by MRN');
          const { documentNumber } = documentOf(declaration);
          expectEqual(await check(documentNumber), unknown, 'the check by document');
        },
      },
    },
    {
      id: 'ISOL-007',
      sentence:
        'Goods of another organisation are explained as goods that do not exist are, also if they are presented and decided.',
      sources: [api('explainRouting')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'with and without the MRN': async (context) => {
          const declaration = await register(context, { houses: [{ routing: 'TO_CONTROL' }] });
          const { mrn } = declaration;
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const explain = async (query: Record<string, string>) => {
            const response = await context.as('other').call('explainRouting', { query });
            expectStatus(response, 200);
            return JSON.parse(response.text);
          };
          const { documentNumber, type } = documentOf(declaration);
          const unknown = await explain({ documentNumber: newDocumentNumber(), type });
          expectEqual(unknown.code, 'NOT_PRE_NOTIFIED_OR_NOT_YOURS', 'the reason');
          expectEqual(await explain({ documentNumber, type }), unknown, 'the document');
          expectEqual(await explain({ documentNumber, type, mrn }), unknown, 'document and MRN');
        },
      },
    },
  ],
};
