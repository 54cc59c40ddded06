import { RegistrationResult } from '@landfall/contract';
import { documentOf, makeDeclaration, put, register } from '../data/goods.js';
import { newMrn } from '../data/identifiers.js';
import { present } from '../data/presentations.js';
import { memberOf, readSignals } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectStatus,
  expectValid,
  readLines,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const PUT = 'putEntrySummaryDeclaration';
const GET = 'getEntrySummaryDeclaration';

/** Uploads lines, and returns the result of each. */
async function upload(context: CaseContext, lines: readonly unknown[]): Promise<unknown[]> {
  const raw = lines
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n');
  const response = await context
    .as('authority')
    .call('postEntrySummaryDeclarations', { raw, type: 'application/x-ndjson' });
  expectStatus(response, 200);
  const results = readLines(response);
  for (const result of results) expectValid(RegistrationResult, result, 'a result');
  return results;
}

export const registryUploads: Area = {
  name: 'Uploads of pre-notifications',
  requirements: [
    {
      id: 'REGI-006',
      sentence:
        'A declaration that breaks a rule is refused with the member and the code, and is not registered.',
      sources: [api(PUT)],
      needs: ['authority'],
      cases: {
        'several rules': async (context) => {
          const mrn = newMrn();
          const json = {
            customsOfficeOfFirstEntry: 'X',
            houseConsignments: [
              { transportDocumentHouseLevel: { documentNumber: 'A', type: 'N999' } },
              {
                transportDocumentHouseLevel: documentOf(makeDeclaration()),
                containerId: ['JARU0000011'],
              },
            ],
          };
          const authority = context.as('authority');
          const response = await authority.call(PUT, { path: { mrn }, json });
          expectProblem(response, 400, { code: 'REQUIRED', field: 'declarant' });
          expectProblem(response, 400, { code: 'FORMAT', field: 'customsOfficeOfFirstEntry' });
          expectProblem(response, 400, {
            code: 'UNKNOWN_CODE',
            field: 'houseConsignments.0.transportDocumentHouseLevel.type',
          });
          expectProblem(response, 400, {
            code: 'FORMAT',
            field: 'houseConsignments.1.containerId.0',
          });
          expectProblem(await authority.call(GET, { path: { mrn } }), 404);
        },
        'another mrn in the body than in the address': async (context) => {
          const mrn = newMrn();
          const response = await context
            .as('authority')
            .call(PUT, { path: { mrn }, json: makeDeclaration() });
          expectProblem(response, 400, { code: 'FORMAT', field: 'mrn' });
        },
        'an address without an MRN': async (context) => {
          const response = await context
            .as('authority')
            .call(PUT, { path: { mrn: 'X' }, json: makeDeclaration() });
          expectProblem(response, 400, { code: 'FORMAT', field: 'mrn' });
        },
      },
    },
    {
      id: 'REGI-007',
      sentence:
        'An upload has one result a line, in order; a line that breaks a rule is REFUSED by itself.',
      sources: [api('postEntrySummaryDeclarations')],
      needs: ['authority'],
      cases: {
        'declarations, single house consignments and invalid lines': async (context) => {
          const first = makeDeclaration();
          const second = makeDeclaration({ houses: [] });
          const [houseConsignment] = makeDeclaration().houseConsignments;
          const lines = [
            first,
            '{',
            second,
            { mrn: second.mrn, houseConsignment },
            { mrn: newMrn(), houseConsignment },
            { ...makeDeclaration(), declarant: undefined },
            first,
          ];
          const results = await upload(context, lines);
          expectEqual(
            results.map((result) => memberOf(result, 'line')),
            [1, 2, 3, 4, 5, 6, 7],
            'the lines',
          );
          expectEqual(
            results.map((result) => memberOf(result, 'status')),
            [
              'REGISTERED',
              'REFUSED',
              'REGISTERED',
              'REGISTERED',
              'REFUSED',
              'REFUSED',
              'UNCHANGED',
            ],
            'the results',
          );
          const read = await context.as('authority').call(GET, { path: { mrn: second.mrn } });
          expectEqual(readObject(read).houseConsignments, [houseConsignment], 'houseConsignments');
        },
        'the same upload again changes nothing': async (context) => {
          const declarations = [makeDeclaration(), makeDeclaration(), makeDeclaration()];
          await upload(context, declarations);
          const again = await upload(context, declarations);
          const statuses = again.map((result) => memberOf(result, 'status'));
          expectEqual(statuses, ['UNCHANGED', 'UNCHANGED', 'UNCHANGED'], 'the results');
        },
      },
    },
    {
      id: 'REGI-022',
      sentence:
        'The results of an upload end with a summary that has their number when the client prefers one, and with the last result otherwise.',
      sources: [api('postEntrySummaryDeclarations')],
      needs: ['authority'],
      cases: {
        'one line is refused': async (context) => {
          const lines = [makeDeclaration(), { mrn: 'X' }, makeDeclaration()];
          const raw = lines.map((line) => JSON.stringify(line)).join('\n');
          const response = await context.as('authority').call('postEntrySummaryDeclarations', {
            raw,
            type: 'application/x-ndjson',
            headers: { prefer: 'summary' },
          });
          expectStatus(response, 200);
          expectEqual(response.headers.get('preference-applied'), 'summary', 'Preference-Applied');
          const summary = { lines: 3, accepted: 2, refused: 1 };
          expectEqual(readLines(response).at(-1), { summary }, 'the last line');
          expectEqual((await upload(context, lines)).length, 3, 'the number of results');
        },
      },
    },
    {
      id: 'REGI-008',
      sentence:
        'A changed registered routing is a new decision; the same registered routing does not replace a later decision.',
      sources: [api(PUT), decision(42)],
      needs: ['authority', 'presenter'],
      cases: {
        'registered, decided otherwise, registered again': async (context) => {
          const declaration = await register(context, { houses: [{ routing: 'TO_ENTRY' }] });
          await context.as('authority').call('postRoutingDecisions', {
            json: [
              {
                mrn: declaration.mrn,
                transportDocumentHouseLevel: documentOf(declaration),
                routing: 'TO_CONTROL',
              },
            ],
          });
          await put(context, declaration);
          await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          const routings = signals.map((signal) => memberOf(signal, 'routingResult.routing'));
          expectEqual(routings, ['TO_CONTROL'], 'the signals');
        },
      },
    },
    {
      id: 'REGI-027',
      sentence:
        'A declaration whose version is older than the kept one, or not newer after a withdrawal, is OUTDATED and changes nothing.',
      sources: [api('putEntrySummaryDeclaration', 'postEntrySummaryDeclarations'), decision(164)],
      needs: ['authority'],
      cases: {
        'with PUT, before and after a withdrawal': async (context) => {
          const declaration = { ...makeDeclaration(), version: 2 };
          const authority = context.as('authority');
          const path = { mrn: declaration.mrn };
          const put = async (json: Record<string, unknown>) => {
            const response = await authority.call(PUT, { path, json });
            return [response.status, readObject(response).status];
          };
          expectEqual(await put(declaration), [201, 'REGISTERED'], 'the first result');
          const older = { ...declaration, version: 1, houseConsignments: [] };
          expectEqual(await put(older), [200, 'OUTDATED'], 'an older one');
          const read = readObject(await authority.call(GET, { path }));
          expectEqual(read, declaration, 'the declaration afterwards');
          expectStatus(await authority.call('deleteEntrySummaryDeclaration', { path }), 200);
          expectEqual(await put(declaration), [200, 'OUTDATED'], 'what was withdrawn');
          expectEqual(
            await put({ ...declaration, version: 3 }),
            [201, 'REGISTERED'],
            'a newer one',
          );
        },
        'with an upload': async (context) => {
          const declaration = makeDeclaration({ houses: [] });
          const [houseConsignment] = makeDeclaration().houseConsignments;
          const { mrn } = declaration;
          const results = await upload(context, [
            { ...declaration, version: 2 },
            { ...declaration, version: 1 },
            { mrn, version: 1, houseConsignment },
            { mrn, version: 2, houseConsignment },
          ]);
          expectEqual(
            results.map((result) => memberOf(result, 'status')),
            ['REGISTERED', 'OUTDATED', 'OUTDATED', 'REGISTERED'],
            'the results',
          );
        },
      },
    },
  ],
};
