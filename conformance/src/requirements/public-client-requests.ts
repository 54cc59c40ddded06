// Requirements on the requests that a public client of the national service sends (decision 0283).
import { type ModeName, modes } from '@landfall/contract';
import { newDeclarationId } from '../data/documents.js';
import { makeDeclaration, put } from '../data/goods.js';
import { newDocumentNumber } from '../data/identifiers.js';
import { change, HOUSE, MASTER, MEANS, type Message, memberAt } from '../data/movement-messages.js';
import {
  byMode,
  levelNames,
  lodgeOperations,
  mover,
  pathOf,
  readMovement,
  tokenFor,
} from '../data/movements.js';
import { presentationOf } from '../data/presentations.js';
import {
  ask,
  clientHeaders,
  houseForms,
  houseMessage,
  masterMessage,
  newMessage,
  sendMessage,
  transportMessage,
  uploadBody,
  writeMessage,
} from '../data/public-client.js';
import { documentsShape, parseAs, statusShape } from '../data/read-as-client.js';
import { refusedForms } from '../data/refused-forms.js';
import type { Caller } from '../http/caller.js';
import { expectEqual, expectProblem, expectStatus, readObject } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, decision, national } from '../suite/requirement.js';

const client = decision(283);
const lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');
const replacing = api('replaceTransport', 'replaceMasterConsignment', 'replaceHouseConsignment');

/** Sends what is accepted and complete, and returns its MRN. */
async function send(
  caller: Caller,
  mode: ModeName,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  message?: Message,
): Promise<string> {
  const { status } = await sendMessage(caller, mode, method, path, message);
  const parsed = parseAs(statusShape, status);
  expectEqual(
    [parsed.status, parsed.validationErrorList, parsed.incompleteDocumentationReasonList],
    ['SUCCESS', undefined, undefined],
    `the status of ${method} ${path}`,
  );
  return parsed.mrn;
}

export const publicClientRequests: Area = {
  name: 'Requests of a public client',
  requirements: [
    {
      id: 'SEND-001',
      sentence:
        'A client that names a Content-Type also where there is no body, and asks for a character set, is answered as others are.',
      sources: [lodging, replacing, api('cancelMovement', 'getMovementStatus'), client],
      needs: ['presenter'],
      cases: {
        ...byMode((mode) => async (context) => {
          const caller = mover(context, 'presenter', [mode]);
          for (const level of levelNames) {
            const message = newMessage(level, mode);
            const mrn = await send(caller, mode, 'POST', level, message);
            for (const method of ['PUT', 'DELETE'] as const) {
              const next = method === 'PUT' ? message : undefined;
              const found = await send(caller, mode, method, `${level}/${mrn}`, next);
              expectEqual(found, mrn, `the MRN of ${method}`);
            }
          }
        }),
        'signals, test-auth and a presentation': async (context) => {
          const caller = context.as('presenter');
          const headers = clientHeaders;
          expectStatus(await caller.call('readRoutingSignals', { headers }), 200);
          expectStatus(await caller.call('testAuth', { headers }), 200);
          const declaration = makeDeclaration();
          await put(context, declaration);
          const json = presentationOf({ mrn: declaration.mrn });
          expectStatus(await caller.call('presentEntrySummaryDeclaration', { json, headers }), 202);
        },
      },
    },
    {
      id: 'SEND-002',
      sentence:
        'A transport is lodged before its documents are known, and named with them by a replacement.',
      sources: [api('lodgeTransport', 'replaceTransport'), client],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context, 'presenter', [mode]);
        const message = transportMessage(mode);
        const mrn = await send(caller, mode, 'POST', 'transport', message);
        const path = `transport/${mrn}/master-consignment/transport-document/status`;
        const read = async () => parseAs(documentsShape, await ask(caller, mode, path));
        expectEqual(await read(), [], 'the documents at first');
        const numbers = [newDocumentNumber(), newDocumentNumber()];
        const { [MASTER]: documents } = transportMessage(mode, numbers);
        const named = { ...message, [MASTER]: documents };
        await send(caller, mode, 'PUT', `transport/${mrn}`, named);
        const found = (await read()).map((one: { documentNumber: string }) => one.documentNumber);
        expectEqual(found, numbers, 'the documents');
      }),
    },
    {
      id: 'SEND-003',
      sentence:
        'A master consignment is taken with a whole number of kilograms, places that are known by their country alone, three containers and three e-mail addresses, and without any of them.',
      sources: [api('lodgeMasterConsignment'), client],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context, 'presenter', [mode]);
        const level = 'master-consignment';
        for (const isWhole of [true, false]) {
          const message = masterMessage(newDocumentNumber(), isWhole);
          const mrn = await send(caller, mode, 'POST', level, message);
          const { message: read } = await readMovement(caller, { mode, level, mrn });
          const members = Object.keys(Object(message[MASTER])).sort();
          expectEqual(Object.keys(Object(memberAt(read, MASTER))).sort(), members, 'the members');
          expectEqual(memberAt(read, `${MASTER}.grossMass`), 1200, 'grossMass');
          expectEqual(
            [
              memberAt(read, `${MASTER}.containerIndicator`),
              memberAt(read, `${MASTER}.consignor.typeOfPerson`),
              memberAt(read, 'representative.releasedConfirmation[2].emailAddress'),
            ],
            isWhole ? ['1', '2', 'c@example.com'] : ['0', '2', undefined],
            'what is read',
          );
        }
      }),
    },
    {
      id: 'SEND-004',
      sentence:
        'A house consignment is taken in every form of the client, complete: decimals with a point and with an exponent, one text in two members of an address, ten documents of a kind and an empty list.',
      sources: [api('lodgeHouseConsignment'), client],
      needs: ['presenter'],
      cases: Object.fromEntries(
        Object.entries(houseForms).flatMap(([name, { only, members }]) =>
          Object.entries(
            byMode(
              (mode) => async (context) => {
                const caller = mover(context, 'presenter', [mode]);
                const level = 'house-consignment';
                const mrn = await send(caller, mode, 'POST', level, houseMessage(members));
                const { message: read } = await readMovement(caller, { mode, level, mrn });
                const exponent = String(members.totalGrossMass).includes('E');
                const address = `${HOUSE}.consignee.address`;
                expectEqual(
                  [
                    memberAt(read, `${HOUSE}.totalGrossMass`),
                    memberAt(read, `${address}.streetAdditionalLine`),
                    memberAt(read, `${address}.poBox`),
                  ],
                  [exponent ? 12_500_000 : 12, 'Postboks 7', 'Postboks 7'],
                  'what is read',
                );
                const list = memberAt(read, `${HOUSE}.previousDocuments`);
                const sent = Object(members).previousDocuments;
                expectEqual(list, sent, 'the documents');
              },
              only === undefined ? undefined : [only],
            ),
          ).map(([by, run]) => [`${name}, ${by}`, run]),
        ),
      ),
    },
    {
      id: 'SEND-005',
      sentence:
        'What a client leaves out though it is mandatory, has as an empty text or has cut is refused at once with each such member, and never guessed.',
      sources: [lodging, client],
      needs: ['presenter'],
      cases: Object.fromEntries(
        Object.entries(refusedForms).map(([name, { level, changes, fields, code }]) => [
          name,
          async (context) => {
            const caller = mover(context, 'presenter', ['road']);
            const message = change(newMessage(level, 'road'), changes);
            const options = { path: pathOf('road'), raw: writeMessage(message) };
            const response = await caller.call(lodgeOperations[level], options);
            for (const field of fields) expectProblem(response, 400, { code, field });
          },
        ]),
      ),
    },
    {
      id: 'SEND-006',
      sentence:
        'A token with one scope is enough: that of the mode for messages, queries and the entry status, movement/entry for signals.',
      sources: [lodging, api('getEntryStatus', 'readRoutingSignals', 'exchangeToken'), client],
      needs: ['presenter'],
      cases: {
        ...byMode((mode) => async (context) => {
          const caller = mover(context, 'presenter', [mode]);
          const mrn = await send(caller, mode, 'POST', 'transport', transportMessage(mode));
          const token = await tokenFor(context, 'presenter', modes[mode].scope);
          for (const operation of ['getEntryStatus', 'getTransportDescendants'] as const) {
            expectStatus(await caller.call(operation, { path: pathOf(mode, { mrn }), token }), 200);
          }
        }),
        signals: async (context) => {
          const token = await tokenFor(context, 'presenter', 'movement/entry');
          expectStatus(await context.as('presenter').call('readRoutingSignals', { token }), 200);
        },
      },
    },
    {
      id: 'SEND-007',
      sentence:
        'A document is uploaded with metadata of any media type, the path of its file as the name, and in chunks, without its length.',
      sources: [api('uploadDocument'), client],
      needs: ['uploader'],
      cases: {
        'with each Norwegian type': async (context) => {
          for (const [word, documentType] of [
            ['faktura', 'invoice'],
            ['tillatelser', 'permits'],
            ['fraktregning', 'freight invoice'],
            ['opprinnelsesdokumentasjon', 'proof of origin documentation'],
            ['fraktbrev', 'waybill'],
          ] as const) {
            const declarationId = newDeclarationId();
            const response = await context.as('uploader').call('uploadDocument', {
              path: { declarationId },
              raw: uploadBody(declarationId, word, `%PDF-1.7 ${newDocumentNumber()}`),
              type: 'multipart/form-data;boundary=boundary',
              chunked: true,
              headers: { accept: 'text/plain, application/json, application/*+json, */*' },
            });
            if (response.status === 503) {
              throw new NotTestedError('the service has no scanner that answers');
            }
            expectStatus(response, 201);
            const stored = readObject(response);
            expectEqual(
              [stored.documentType, stored.fileName],
              [documentType, 'faktura 1.pdf'],
              'the document',
            );
          }
        },
      },
    },
    {
      id: 'SEND-008',
      sentence:
        'There are no signals of transports: the address that clients try is 404, and nothing of it is made up.',
      sources: [national('Routing'), client],
      needs: ['presenter'],
      cases: {
        'with and without a marker': async (context) => {
          for (const search of ['', `?marker=${crypto.randomUUID()}`]) {
            const path = `/api/movement/routing/v1/transport${search}`;
            const options = { headers: clientHeaders };
            expectProblem(await context.as('presenter').request('GET', path, options), 404);
          }
        },
      },
    },
    {
      id: 'SEND-009',
      sentence:
        'A means of transport that is identified in another way than that of its mode is a failure that names the member.',
      sources: [api('lodgeTransport'), client],
      needs: ['presenter'],
      cases: Object.fromEntries(
        (
          [
            ['air', '40'],
            ['rail', '20'],
          ] as const
        ).map(([mode, typeOfIdentification]) => [
          `${typeOfIdentification} by ${mode}`,
          async (context) => {
            const caller = mover(context, 'presenter', [mode]);
            const member = `${MEANS}.typeOfIdentification`;
            const message = change(transportMessage(mode), { [member]: typeOfIdentification });
            const { status } = await sendMessage(caller, mode, 'POST', 'transport', message);
            const { mrn, validationErrorList } = parseAs(statusShape, status);
            expectEqual(
              [mrn, validationErrorList?.[0]?.pointer.messageElementPath],
              [undefined, member],
              'MRN and member',
            );
          },
        ]),
      ),
    },
  ],
};
