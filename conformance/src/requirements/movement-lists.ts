// Requirements on reading and listing movement messages.
import { type MovementLevel, modes } from '@landfall/contract';
import { newDocumentNumber } from '../data/identifiers.js';
import { HOUSE, MASTER, MEANS, makeMovement, memberAt } from '../data/movement-messages.js';
import { byMode, cancel, lodge, mover, readMovement, replace } from '../data/movements.js';
import { type Entry, nextPage, readEntries } from '../data/read-feed.js';
import type { Caller } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readLines,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const LIST = 'listMovements';
const level = 'house-consignment';

type Query = Record<string, string | number | undefined>;

function tryList(
  caller: Caller,
  name: MovementLevel,
  query: Query,
  mode: keyof typeof modes = 'road',
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const path = { mode, version: modes[mode].version, level: name };
  return caller.call(LIST, { path, query, headers });
}

/** The messages that a query finds. */
async function list(
  caller: Caller,
  name: MovementLevel,
  query: Query,
  mode: keyof typeof modes = 'road',
): Promise<Entry[]> {
  const response = await tryList(caller, name, query, mode);
  expectStatus(response, 200);
  expectSchema(LIST, response);
  return readEntries(response);
}

const mrnsOf = (entries: readonly Entry[]) => entries.map(({ mrn }) => String(mrn));

/** Lodges so many house consignments with one number of a document, under masters of their own. */
async function lodgeSeveral(caller: Caller, count: number) {
  const documentNumber = newDocumentNumber();
  const mrns: string[] = [];
  for (let index = 0; index < count; index++) {
    const message = makeMovement(level, 'road', {
      [`${HOUSE}.transportDocumentHouseLevel.documentNumber`]: documentNumber,
    });
    mrns.unshift((await lodge(caller, 'road', level, message)).mrn);
  }
  return { documentNumber, mrns };
}

export const movementLists: Area = {
  name: 'Lists of movement messages',
  requirements: [
    {
      id: 'MREA-001',
      sentence:
        'A message is read as it was last accepted, with its MRN, mode, level, state and times.',
      sources: [api('getMovement')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        for (const [name, code] of [
          ['transport', 'TRANSPORT'],
          ['master-consignment', 'MASTER_CONSIGNMENT'],
          ['house-consignment', 'HOUSE_CONSIGNMENT'],
        ] as const) {
          const message = makeMovement(name, mode);
          const place = await lodge(caller, mode, name, message);
          const { lodgedAt, ...about } = await readMovement(caller, place);
          expectEqual(
            about,
            {
              mrn: place.mrn,
              mode,
              level: code,
              state: 'CURRENT',
              ...(name === level && { complete: true }),
              message,
            },
            'the message',
          );
          const late = Math.abs(Date.parse(String(lodgedAt)) - Date.now());
          expect(late < 120_000, `lodgedAt is ${lodgedAt}`);
        }
      }),
    },
    {
      id: 'MREA-002',
      sentence:
        'A list has the own messages of one mode and level, newest first, and none of others.',
      sources: [api(LIST)],
      needs: ['presenter', 'other'],
      cases: {
        'five messages, one of them replaced': async (context) => {
          const caller = mover(context);
          const { documentNumber, mrns } = await lodgeSeveral(caller, 5);
          expectEqual(mrnsOf(await list(caller, level, { documentNumber })), mrns, 'the order');
          const [, , mrn = ''] = mrns;
          const place = { mode: 'road', level, mrn } as const;
          const { message } = await readMovement(caller, place);
          await replace(caller, place, {
            ...Object(message),
            documentIssueDate: '2026-05-05T00:00:00Z',
          });
          const after = await list(caller, level, { documentNumber });
          expectEqual(mrnsOf(after), mrns, 'the order after a replacement');
          expectEqual(
            mrnsOf(await list(mover(context, 'other'), level, { documentNumber })),
            [],
            'of the other',
          );
          expectEqual(await list(caller, level, { documentNumber }, 'air'), [], 'by air');
          expectEqual(await list(caller, 'master-consignment', { documentNumber }), [], 'masters');
        },
      },
    },
    {
      id: 'MREA-003',
      sentence:
        'Messages are found by document, type, carrier, means of transport and state, and several filters must all match.',
      sources: [api(LIST)],
      needs: ['presenter'],
      cases: {
        'a house consignment': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const carrierId = newDocumentNumber();
          const message = makeMovement(level, 'road', {
            [`${HOUSE}.${MASTER}.carrierIdentificationNumber`]: carrierId,
          });
          const { documentNumber, type } = Object(
            memberAt(message, `${HOUSE}.transportDocumentHouseLevel`),
          );
          const { mrn } = await lodge(caller, 'road', level, message);
          for (const [query, count] of [
            [{ documentNumber }, 1],
            [{ documentNumber, type }, 1],
            [{ carrierId }, 1],
            [{ documentNumber, type, carrierId, state: 'CURRENT' }, 1],
            [{ documentNumber, type: 'N703' }, 0],
            [{ documentNumber, carrierId: 'NO777777777' }, 0],
            [{ documentNumber, state: 'CANCELLED' }, 0],
            [{ documentNumber: documentNumber.slice(0, -1) }, 0],
          ] satisfies [Query, number][]) {
            const found = await list(caller, level, query);
            const expected = count === 1 ? [mrn] : [];
            expectEqual(mrnsOf(found), expected, `what ${JSON.stringify(query)} finds`);
          }
        },
        'a master consignment and a transport': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const carrierId = newDocumentNumber();
          const master = await lodge(
            caller,
            'road',
            'master-consignment',
            makeMovement('master-consignment', 'road', {
              [`${MASTER}.carrier.identificationNumber`]: carrierId,
            }),
          );
          const masters = await list(caller, 'master-consignment', { carrierId });
          expectEqual(mrnsOf(masters), [master.mrn], 'the masters of a carrier');
          const message = makeMovement('transport', 'road');
          const identificationNumber = String(memberAt(message, `${MEANS}.identificationNumber`));
          const transport = await lodge(caller, 'road', 'transport', message);
          const found = await list(caller, 'transport', { identificationNumber });
          expectEqual(mrnsOf(found), [transport.mrn], 'the transports of a lorry');
          const other = await list(caller, 'transport', { identificationNumber: 'X' });
          expectEqual(other, [], 'of another');
        },
        'by state': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { documentNumber, mrns } = await lodgeSeveral(caller, 3);
          const [newest = '', ...others] = mrns;
          await cancel(caller, { mode: 'road', level, mrn: newest });
          const current = await list(caller, level, { documentNumber, state: 'CURRENT' });
          expectEqual(mrnsOf(current), others, 'the current ones');
          const cancelled = await list(caller, level, { documentNumber, state: 'CANCELLED' });
          expectEqual(mrnsOf(cancelled), [newest], 'the cancelled ones');
          expectEqual(mrnsOf(await list(caller, level, { documentNumber })), mrns, 'all');
          const wrong = await tryList(caller, level, { state: 'GONE' });
          expectProblem(wrong, 400, { code: 'UNKNOWN_CODE', field: 'state' });
        },
      },
    },
    {
      id: 'MREA-004',
      sentence:
        'A list is read in pages after a marker, which give each message once in one order.',
      sources: [api(LIST)],
      needs: ['presenter'],
      cases: {
        'pages of 1, 2 and 7, by marker and by Link': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { documentNumber, mrns } = await lodgeSeveral(caller, 5);
          for (const limit of [1, 2, 7]) {
            const found: string[] = [];
            let marker: string | undefined;
            for (let page = 0; page < 10; page++) {
              const response = await tryList(caller, level, { documentNumber, limit, marker });
              const entries = readEntries(response);
              expect(entries.length <= limit, `${entries.length} entries with limit=${limit}`);
              const counted = response.headers.get('landfall-count');
              expectEqual(counted, `${entries.length}`, 'Landfall-Count');
              if (entries.length === 0) break;
              found.push(...mrnsOf(entries));
              marker = found.at(-1);
              const link = nextPage(response, context.settings.baseUrl);
              if (link === undefined) break;
              expectEqual(link.searchParams.get('marker'), marker, 'the marker in Link');
              const kept = link.searchParams.get('documentNumber');
              expectEqual(kept, documentNumber, 'the filter in Link');
            }
            expectEqual(found, mrns, `the messages in pages of ${limit}`);
          }
        },
        'as lines': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { documentNumber, mrns } = await lodgeSeveral(caller, 2);
          const headers = { accept: 'application/x-ndjson' };
          const response = await tryList(caller, level, { documentNumber }, 'road', headers);
          expectStatus(response, 200);
          const found = readLines(response).map((entry) => memberAt(entry, 'mrn'));
          expectEqual(found, mrns, 'the lines');
        },
      },
    },
    {
      id: 'MREA-005',
      sentence: 'An entry of a list has what identifies the message, its state and its times.',
      sources: [api(LIST)],
      needs: ['presenter'],
      cases: {
        'of each level': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const house = makeMovement(level, 'road');
          const document = memberAt(house, `${HOUSE}.transportDocumentHouseLevel`);
          const { documentNumber } = Object(document);
          const { mrn } = await lodge(caller, 'road', level, house);
          const [entry] = await list(caller, level, { documentNumber });
          expectEqual(
            [entry?.mrn, entry?.document, entry?.state, entry?.complete],
            [mrn, document, 'CURRENT', true],
            'the entry of a house consignment',
          );
          expectEqual(
            [entry?.masterDocument, entry?.carrierIdentificationNumber],
            [
              memberAt(house, `${HOUSE}.${MASTER}.transportDocumentMasterLevel`),
              memberAt(house, `${HOUSE}.${MASTER}.carrierIdentificationNumber`),
            ],
            'what it hangs on',
          );
          const transport = makeMovement('transport', 'road');
          const identificationNumber = String(memberAt(transport, `${MEANS}.identificationNumber`));
          await lodge(caller, 'road', 'transport', transport);
          const [found] = await list(caller, 'transport', { identificationNumber });
          expectEqual(
            [found?.identificationNumber, found?.conveyanceReferenceNumber],
            [identificationNumber, memberAt(transport, `${MEANS}.conveyanceReferenceNumber`)],
            'the entry of a transport',
          );
          expectEqual(
            Date.parse(String(found?.scheduledDateAndTimeOfArrival)),
            Date.parse(String(transport.scheduledDateAndTimeOfArrival)),
            'its scheduled arrival',
          );
        },
      },
    },
  ],
};
