// Requirements on the responses that a public client of the national service parses (decision 0283).
import type { ModeName, MovementLevel } from '@landfall/contract';
import { lodgeHouse, lodgeMaster, lodgeTransport, OFFICE, reporter } from '../data/arrivals.js';
import { documentOf, makeDeclaration, put } from '../data/goods.js';
import { newCustomsOffice, newDocumentNumber } from '../data/identifiers.js';
import { decideOn } from '../data/lodged-goods.js';
import { fromNow, type Message } from '../data/movement-messages.js';
import { byMode, levelNames, mover } from '../data/movements.js';
import { present } from '../data/presentations.js';
import {
  ask,
  clientHeaders,
  houseMessage,
  masterMessage,
  newMessage,
  sendMessage,
  transportMessage,
} from '../data/public-client.js';
import {
  acceptedShape,
  documentsShape,
  entryShape,
  houseDocumentShape,
  masterTreeShape,
  type Parsed,
  parseAs,
  signalsShape,
  statusShape,
  tokenShape,
  transportTreeShape,
} from '../data/read-as-client.js';
import { shortForm } from '../data/subject-tokens.js';
import type { Caller } from '../http/caller.js';
import { expect, expectEqual, expectStatus } from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const client = decision(283);
const _lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');

/** Lodges, and returns what the client makes of the status. */
async function lodge(
  caller: Caller,
  mode: ModeName,
  level: MovementLevel,
  message: Message,
): Promise<Parsed> {
  const { accepted, status } = await sendMessage(caller, mode, 'POST', level, message);
  parseAs(acceptedShape, accepted);
  return parseAs(statusShape, status);
}

export const publicClientAnswers: Area = {
  name: 'Responses that a public client parses',
  requirements: [
    {
      id: 'PARS-001',
      sentence:
        'A status has its errors as objects with a text and its reasons as texts, an MRN with SUCCESS alone, and errors with FAILURE alone.',
      sources: [api('getMovementStatus'), client],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context, 'presenter', [mode]);
        for (const level of levelNames) {
          const { mrn, validationErrorList } = await lodge(
            caller,
            mode,
            level,
            newMessage(level, mode),
          );
          const found = [mrn !== undefined, validationErrorList];
          expectEqual(found, [true, undefined], `MRN and errors of a ${level}`);
        }
        const incomplete = houseMessage({ importProcedure: {} });
        const missing = await lodge(caller, mode, 'house-consignment', incomplete);
        expectEqual(
          [missing.mrn !== undefined, missing.incompleteDocumentationReasonList?.[0]],
          [true, 'INCOMPLETE_DOCUMENTATION'],
          'MRN and first reason of what is incomplete',
        );
        const failure = await lodge(caller, mode, 'transport', {
          ...transportMessage(mode),
          customsOfficeOfFirstEntry: { referenceNumber: newCustomsOffice() },
        });
        expectEqual(
          [failure.mrn, failure.validationErrorList?.length, failure.status],
          [undefined, 1, 'FAILURE'],
          'MRN, errors and status of a failure',
        );
      }),
    },
    {
      id: 'PARS-002',
      sentence:
        "Queries are one object for a transport's and a master consignment's tree and for the document of a house consignment, and a list for all others, in every mode.",
      sources: [
        api('getTransportDescendants', 'getMasterDescendants', 'getHouseDocument'),
        api('listMasterDocumentsOfTransport', 'listHouseDocumentsOfTransport'),
        api('listHouseDocumentsOfMaster'),
        client,
      ],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context, 'presenter', [mode]);
        const [named, missing, house] = [
          newDocumentNumber(),
          newDocumentNumber(),
          newDocumentNumber(),
        ];
        const transport = await lodge(
          caller,
          mode,
          'transport',
          transportMessage(mode, [named, missing]),
        );
        const master = await lodge(caller, mode, 'master-consignment', masterMessage(named));
        const goods = houseMessage({ importProcedure: {} }, { house, master: named });
        const lodged = await lodge(caller, mode, 'house-consignment', goods);
        const read = async (shape: Parameters<typeof parseAs>[0], path: string) =>
          parseAs(shape, await ask(caller, mode, path));

        const ofTransport = `transport/${transport.mrn}`;
        const documents = `${ofTransport}/master-consignment/transport-document/status`;
        expectEqual(
          (await read(documentsShape, documents)).map(
            ({ documentNumber, received }: Parsed) => `${documentNumber} ${received}`,
          ),
          [`${named} true`, `${missing} false`],
          'the documents that the transport names',
        );
        for (const path of [
          `${ofTransport}/house-consignment/transport-document/status`,
          `master-consignment/${master.mrn}/transport-document/status`,
        ]) {
          const [one, ...more] = await read(documentsShape, path);
          const found = [one?.documentNumber, one?.documentStatus, more.length];
          expectEqual(found, [house, 'INCOMPLETE', 0], path);
        }
        const tree = await read(transportTreeShape, `${ofTransport}/status-with-descendants`);
        const weights = [
          tree.sumOfWeightForMasterConsignments,
          tree.sumOfWeightForHouseConsignments,
        ];
        expectEqual(weights.map(Number), [1200, 12], 'the sums of the weights');
        expectEqual(tree.masterConsignments.length, 2, 'the number of master consignments');
        const path = `master-consignment/${master.mrn}/status-with-descendants`;
        const under = await read(masterTreeShape, path);
        expectEqual(Number(under.weight), 1200, 'the weight of the master consignment');
        const [first] = under.houseConsignments;
        expectEqual([first?.documentNumber, Number(first?.weight)], [house, 12], 'its goods');
        const own = `house-consignment/${lodged.mrn}/transport-document/status`;
        const one = await read(houseDocumentShape, own);
        expectEqual(
          [one.documentNumber, one.documentStatus, one.incompleteDocumentationReasonList],
          [house, 'INCOMPLETE', ['INCOMPLETE_DOCUMENTATION']],
          'the document of the house consignment',
        );
      }),
    },
    {
      id: 'PARS-003',
      sentence:
        'An entry status is one object, whose validEntry is a boolean; office and time are there when it is true.',
      sources: [api('getEntryStatus'), client],
      needs: ['presenter', 'authority'],
      cases: {
        ...byMode((mode) => async (context) => {
          const caller = mover(context, 'presenter', [mode]);
          const { mrn } = await lodge(caller, mode, 'transport', transportMessage(mode));
          const entry = parseAs(entryShape, await ask(caller, mode, `entry/status/${mrn}`));
          expectEqual([entry.validEntry, entry.mrn], [false, mrn], 'the entry before arrival');
        }),
        'after arrival': async (context) => {
          const caller = reporter(context);
          const { mrn, document } = await lodgeTransport(caller);
          await lodgeMaster(caller, document);
          await decideOn(context, await lodgeHouse(caller, document), 'TO_ENTRY');
          const json = {
            mrn,
            dateAndTimeOfArrival: fromNow(-60_000),
            customsOfficeOfArrival: { referenceNumber: OFFICE },
          };
          expectStatus(await caller.call('reportArrival', { json }), 202);
          const entry = parseAs(entryShape, await ask(caller, 'road', `entry/status/${mrn}`));
          expectEqual(
            [entry.validEntry, entry.customsOfficeOfEntry, entry.mrn],
            [true, OFFICE, mrn],
            'the entry after arrival',
          );
          expect(Number.isFinite(Date.parse(entry.timeOfEntry)), `time ${entry.timeOfEntry}`);
        },
      },
    },
    {
      id: 'PARS-004',
      sentence:
        'Signals are a list, with the number of the document under the older name and the routing in an object; the marker is the id of the last one.',
      sources: [api('readRoutingSignals'), client],
      needs: ['presenter', 'authority'],
      cases: {
        'two signals': async (context) => {
          const caller = context.as('presenter');
          const headers = clientHeaders;
          const start = await context.start('presenter', 'readRoutingSignals');
          const declaration = makeDeclaration({
            houses: [{ routing: 'TO_CONTROL' }, { routing: 'TO_ENTRY' }],
            estimatedTimeOfArrival: '2026-01-17T09:30:00.000Z',
            activeBorderTransportMeans: {
              identificationNumber: 'AB12345',
              typeOfIdentification: '30',
            },
          });
          await put(context, declaration);
          await present(caller, 'entry-summary-declaration', { mrn: declaration.mrn });
          const found: Parsed[] = [];
          for (let marker = start, length = 1; length > 0; ) {
            const query = { marker };
            const page = parseAs(
              signalsShape,
              await caller.call('readRoutingSignals', { headers, query }),
            );
            length = page.length;
            marker = page.at(-1)?.routingResult.id;
            found.push(
              ...page.filter((one: Parsed) => one.entrySummaryDeclarationMRN === declaration.mrn),
            );
          }
          expectEqual(
            found
              .map(({ transportDocumentHouseLevel: document, routingResult }) =>
                [document.referenceNumber, routingResult.routing].join(' '),
              )
              .sort(),
            [
              `${documentOf(declaration, 0).documentNumber} TO_CONTROL`,
              `${documentOf(declaration, 1).documentNumber} TO_ENTRY`,
            ].sort(),
            'the signals',
          );
          for (const one of found) {
            expectEqual(
              [one.estimatedTimeOfArrival, one.activeBorderTransportMeans?.identificationNumber],
              ['2026-01-17T09:30:00.000Z', 'AB12345'],
              'arrival and means of transport',
            );
          }
        },
      },
    },
    {
      id: 'PARS-005',
      sentence:
        'Both tokens are objects with the token as a text and its lifetime as a whole number of seconds.',
      sources: [api('exchangeToken'), client],
      needs: ['presenter'],
      cases: {
        'the grant and the exchange': async (context) => {
          const granted = await context.requestAccessToken('presenter');
          expectStatus(granted, 200);
          const { access_token: subject } = parseAs(tokenShape, granted);
          const exchanged = await context.exchange(shortForm(subject));
          expectStatus(exchanged, 200);
          expect(parseAs(tokenShape, exchanged).expires_in > 0, 'the token has ended');
        },
      },
    },
  ],
};
