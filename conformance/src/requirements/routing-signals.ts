// Requirements on routing signals: when they are issued, and what they contain.
import { EXTENDED_ROUTINGS, ReleaseCheck, RoutingSignal } from '@landfall/contract';
import { decide, documentOf, register } from '../data/goods.js';
import { newContainerId, newDocumentNumber, newReceptacleId } from '../data/identifiers.js';
import { present } from '../data/presentations.js';
import { memberOf, readSignals } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectSchema, expectStatus, expectValid } from '../suite/expect.js';
import { type Area, api, architecture, decision, national } from '../suite/requirement.js';

/** The decisions in the signals of a declaration, in their order. */
async function routingsOf(context: CaseContext, mrn: string): Promise<unknown[]> {
  const signals = await readSignals(context, 'presenter', mrn);
  return signals.map((signal) => memberOf(signal, 'routingResult.routing'));
}

const presentAll = (context: CaseContext, mrn: string) =>
  present(context.as('presenter'), 'entry-summary-declaration', { mrn });

export const routingSignals: Area = {
  name: 'Routing signals',
  requirements: [
    {
      id: 'ROUT-001',
      sentence:
        'A signal is issued when a house consignment is both presented and decided, in either order.',
      sources: [api('readRoutingSignals'), architecture('Presented, connected, decided')],
      needs: ['presenter', 'authority'],
      cases: {
        'decided with the pre-notification': async (context) => {
          const { mrn } = await register(context, { houses: [{ routing: 'TO_CONTROL' }] });
          await presentAll(context, mrn);
          expectEqual(await routingsOf(context, mrn), ['TO_CONTROL'], 'the signals');
        },
        'decided before it is presented': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          await decide(context, declaration, 'TO_ENTRY');
          await presentAll(context, declaration.mrn);
          expectEqual(await routingsOf(context, declaration.mrn), ['TO_ENTRY'], 'the signals');
        },
        'decided after it is presented': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          await presentAll(context, declaration.mrn);
          await decide(context, declaration, 'TO_ENTRY');
          expectEqual(await routingsOf(context, declaration.mrn), ['TO_ENTRY'], 'the signals');
        },
      },
    },
    {
      id: 'ROUT-002',
      sentence:
        'There is no signal for goods that are not decided or not presented: nothing is released without one.',
      sources: [api('readRoutingSignals'), national('Routing, release of goods')],
      needs: ['presenter', 'authority'],
      cases: {
        'presented and not decided': async (context) => {
          const { mrn } = await register(context, { houses: [{}] });
          await presentAll(context, mrn);
          expectEqual(await routingsOf(context, mrn), [], 'the signals');
        },
        'decided and not presented': async (context) => {
          const declaration = await register(context, { houses: [{ routing: 'TO_ENTRY' }, {}] });
          await present(context.as('presenter'), 'house-consignment', {
            transportDocumentHouseLevel: documentOf(declaration, 1),
          });
          expectEqual(await routingsOf(context, declaration.mrn), [], 'the signals');
        },
      },
    },
    {
      id: 'ROUT-003',
      sentence:
        'A changed decision issues another signal, of which the last applies; the same decision again issues none.',
      sources: [api('readRoutingSignals', 'postRoutingDecisions')],
      needs: ['presenter', 'authority'],
      cases: {
        'entry, entry again, control, entry': async (context) => {
          const declaration = await register(context);
          await presentAll(context, declaration.mrn);
          for (const routing of ['TO_ENTRY', 'TO_CONTROL', 'TO_CONTROL', 'TO_ENTRY'] as const) {
            await decide(context, declaration, routing);
          }
          const expected = ['TO_ENTRY', 'TO_CONTROL', 'TO_ENTRY'];
          expectEqual(await routingsOf(context, declaration.mrn), expected, 'the signals');
        },
      },
    },
    {
      id: 'ROUT-004',
      sentence:
        'A signal has the schema of the contract and the data of the pre-notification; what is not known is left out.',
      sources: [api('readRoutingSignals')],
      needs: ['presenter', 'authority'],
      cases: {
        'everything is known': async (context) => {
          const house = {
            receptacleId: newReceptacleId(),
            containerId: [newContainerId(), newContainerId()],
            transportDocumentMasterLevel: {
              documentNumber: newDocumentNumber(),
              type: 'N741' as const,
            },
          };
          const activeBorderTransportMeans = {
            identificationNumber: 'SK4711',
            typeOfIdentification: '40',
          };
          const declaration = await register(context, {
            houses: [{ ...house, routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' }],
            activeBorderTransportMeans,
            estimatedTimeOfArrival: '2026-01-17T09:30:00.000Z',
          });
          await presentAll(context, declaration.mrn);
          const [signal] = await readSignals(context, 'presenter', declaration.mrn);
          expectValid(RoutingSignal, signal, 'the signal');
          const { routingResult, ...goods } = { ...signal };
          const { documentNumber, type } = documentOf(declaration);
          expectEqual(
            goods,
            {
              entrySummaryDeclarationMRN: declaration.mrn,
              ...house,
              transportDocumentHouseLevel: {
                documentNumber,
                referenceNumber: documentNumber,
                type,
              },
              estimatedTimeOfArrival: '2026-01-17T09:30:00.000Z',
              activeBorderTransportMeans,
            },
            'the data of the goods',
          );
          expectEqual(memberOf(routingResult, 'routing'), 'TO_CONTROL', 'routing');
          expectEqual(memberOf(routingResult, 'routingControlLocation'), 'AFTER_ENTRY', 'location');
        },
        'only what is required is known': async (context) => {
          const declaration = await register(context);
          await presentAll(context, declaration.mrn);
          const [signal = {}] = await readSignals(context, 'presenter', declaration.mrn);
          expectValid(RoutingSignal, signal, 'the signal');
          expectEqual(
            Object.keys(signal).sort(),
            ['entrySummaryDeclarationMRN', 'routingResult', 'transportDocumentHouseLevel'],
            'the members of the signal',
          );
        },
      },
    },
    {
      id: 'ROUT-005',
      sentence: 'referenceNumber repeats documentNumber, for clients that use the older name.',
      sources: [api('readRoutingSignals')],
      needs: ['presenter', 'authority'],
      cases: {
        'both names': async (context) => {
          const declaration = await register(context);
          await presentAll(context, declaration.mrn);
          const [signal] = await readSignals(context, 'presenter', declaration.mrn);
          const { documentNumber } = documentOf(declaration);
          const document = 'transportDocumentHouseLevel';
          expectEqual(
            memberOf(signal, `${document}.documentNumber`),
            documentNumber,
            'documentNumber',
          );
          expectEqual(
            memberOf(signal, `${document}.referenceNumber`),
            documentNumber,
            'referenceNumber',
          );
        },
      },
    },
    {
      id: 'ROUT-006',
      sentence:
        'routingControlLocation is there only with TO_CONTROL, and documentIssueDate is when the signal was issued.',
      sources: [api('readRoutingSignals')],
      needs: ['presenter', 'authority'],
      cases: {
        'from control to entry': async (context) => {
          const declaration = await register(context, {
            houses: [{ routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }],
          });
          await presentAll(context, declaration.mrn);
          await decide(context, declaration, 'TO_ENTRY');
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          const locations = signals.map((signal) =>
            memberOf(signal, 'routingResult.routingControlLocation'),
          );
          expectEqual(locations, ['ON_ENTRY', undefined], 'the locations');
          for (const signal of signals) {
            const issued = String(memberOf(signal, 'routingResult.documentIssueDate'));
            const age = Math.abs(Date.now() - Date.parse(issued));
            expect(age < 120_000, `documentIssueDate is ${issued}`);
          }
        },
      },
    },
    {
      id: 'ROUT-007',
      sentence:
        'A check has the current routing of everything that the identifier identifies: goods are TO_ENTRY only if all of them are.',
      sources: [api('checkRelease'), decision(110)],
      needs: ['presenter', 'authority'],
      cases: {
        'not presented, not decided, entry, control': async (context) => {
          const containerId = [newContainerId()];
          const declaration = await register(context, {
            houses: [{ containerId, routing: 'TO_ENTRY' }, { containerId }],
          });
          const { mrn } = declaration;
          const identifiers = [mrn, ...containerId, documentOf(declaration, 1).documentNumber];
          const expectOutcome = async (outcome: string) => {
            for (const identifier of identifiers) {
              const response = await context
                .as('presenter')
                .call('checkRelease', { query: { identifier } });
              expectStatus(response, 200);
              const check = JSON.parse(response.text);
              expectValid(ReleaseCheck, check, 'the check');
              expectEqual(check.outcome, outcome, `the outcome of ${identifier}`);
            }
          };
          await expectOutcome('UNKNOWN');
          await presentAll(context, mrn);
          await expectOutcome('UNDECIDED');
          await decide(context, declaration, 'TO_ENTRY', 1);
          await expectOutcome('TO_ENTRY');
          await decide(context, declaration, 'TO_CONTROL', 1);
          await expectOutcome('TO_CONTROL');
        },
      },
    },
    {
      id: 'ROUT-021',
      sentence:
        'A check that prefers to wait is held while the goods are undecided, and responds when they are decided.',
      sources: [api('checkRelease'), decision(110)],
      needs: ['presenter', 'authority'],
      cases: {
        'decided while it waits': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const { mrn } = declaration;
          await presentAll(context, mrn);
          const waiting = context.as('presenter').call('checkRelease', {
            query: { identifier: mrn },
            headers: { prefer: 'wait=20' },
          });
          await new Promise((resolve) => setTimeout(resolve, 500));
          await decide(context, declaration, 'TO_ENTRY', 0);
          const response = await waiting;
          expectStatus(response, 200);
          expectEqual(JSON.parse(response.text).outcome, 'TO_ENTRY', 'the outcome');
          expectEqual(response.headers.get('preference-applied'), 'wait=20', 'Preference-Applied');
        },
      },
    },
    {
      id: 'ROUT-022',
      sentence:
        'An explanation says to a party of goods why it reads no signal of them, and which signal it is if there is one.',
      sources: [api('explainRouting')],
      needs: ['presenter', 'authority'],
      cases: {
        'unknown, not decided, decided before, decided later': async (context) => {
          const declaration = await register(context, { houses: [{}, { routing: 'TO_ENTRY' }] });
          const { mrn } = declaration;
          const explain = async (index: number) => {
            const { documentNumber, type } = documentOf(declaration, index);
            const query = { documentNumber, type, mrn };
            const response = await context.as('presenter').call('explainRouting', { query });
            expectStatus(response, 200);
            expectSchema('explainRouting', response);
            return JSON.parse(response.text);
          };
          expectEqual((await explain(0)).code, 'NOT_PRE_NOTIFIED_OR_NOT_YOURS', 'before');
          await presentAll(context, mrn);
          expectEqual((await explain(0)).code, 'NOT_DECIDED', 'presented');
          const before = await explain(1);
          expectEqual(before.code, 'DECIDED_BEFORE_YOU', 'decided before');
          await decide(context, declaration, 'TO_CONTROL', 0);
          const later = await explain(0);
          expectEqual(later.code, 'IN_YOUR_FEED', 'decided later');
          const signals = await readSignals(context, 'presenter', mrn);
          const ids = signals.map((signal) => memberOf(signal, 'routingResult.id'));
          expectEqual([before.marker, later.marker].sort(), ids.sort(), 'the markers');
        },
      },
    },
    {
      id: 'ROUT-023',
      sentence:
        '`ENTRY_PENDING` and `ENTRY_DENIED` are decided and sent as signals, and then no release, or they are refused and nothing changes.',
      sources: [api('postRoutingDecisions'), decision(303)],
      needs: ['presenter', 'authority'],
      cases: Object.fromEntries(
        EXTENDED_ROUTINGS.map((routing) => [
          routing,
          async (context: CaseContext) => {
            const declaration = await register(context, { houses: [{ routing: 'TO_ENTRY' }] });
            const { mrn } = declaration;
            await presentAll(context, mrn);
            const response = await context.as('authority').call('postRoutingDecisions', {
              json: [{ mrn, transportDocumentHouseLevel: documentOf(declaration), routing }],
            });
            expectStatus(response, 200);
            expectSchema('postRoutingDecisions', response);
            const [result] = JSON.parse(response.text);
            const isDecided = result.status === 'DECIDED';
            if (!isDecided) {
              expectEqual(result.status, 'REFUSED', 'the status of the decision');
              expectEqual(result.validationErrors[0].field, 'routing', 'the field of the error');
            }
            const expected = isDecided ? ['TO_ENTRY', routing] : ['TO_ENTRY'];
            expectEqual(await routingsOf(context, mrn), expected, 'the signals');
            const check = await context.as('presenter').call('checkRelease', {
              query: { identifier: mrn },
            });
            expectEqual(JSON.parse(check.text).outcome, expected.at(-1), 'the outcome of a check');
          },
        ]),
      ),
    },
  ],
};
