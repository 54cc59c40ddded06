// Requirements on who reads the statuses of requests about movement messages, and on their feed.
import { randomUUID } from 'node:crypto';
import { modes } from '@landfall/contract';
import { HOUSE, type Message, makeMovement } from '../data/movement-messages.js';
import {
  mover,
  readOutcome,
  requestIdOf,
  tokenFor,
  tryLodge,
  tryReadStatus,
} from '../data/movements.js';
import { endOfFeed, readAll } from '../data/read-feed.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { type Area, api, architecture } from '../suite/requirement.js';

const level = 'house-consignment';
const place = { mode: 'road', level } as const;
const FEED = 'listMovementStatuses';
const reading = api('getMovementStatus');
const _codes = {
  transport: 'TRANSPORT',
  'master-consignment': 'MASTER_CONSIGNMENT',
  'house-consignment': 'HOUSE_CONSIGNMENT',
};

/** A house consignment that breaks a rule that only a status shows. */
const broken = (): Message => makeMovement(level, 'road', { [`${HOUSE}.containerIndicator`]: '7' });

export const movementStatusReaders: Area = {
  name: 'Readers of statuses of movement messages',
  requirements: [
    {
      id: 'MSTA-004',
      sentence:
        'The status of a requestId that is unknown, of another organisation, or of another mode or level is 404 in the same words.',
      sources: [reading],
      needs: ['presenter', 'other'],
      cases: {
        'each of them': async (context) => {
          const caller = mover(context);
          const send = async (by: typeof caller) =>
            requestIdOf(await tryLodge(by, 'road', level, makeMovement(level, 'road')));
          const own = await send(caller);
          const foreign = await send(mover(context, 'other'));
          const unknown = randomUUID();
          const responses = [
            await tryReadStatus(caller, place, unknown),
            await tryReadStatus(caller, place, foreign),
            await tryReadStatus(caller, { ...place, mode: 'air' }, own),
            await tryReadStatus(caller, { ...place, level: 'transport' }, own),
          ];
          const words = new Set<string>();
          for (const response of responses) {
            expectProblem(response, 404);
            const { instance: _, ...problem } = JSON.parse(response.text);
            let text = JSON.stringify(problem);
            for (const id of [unknown, foreign, own]) text = text.replaceAll(id, 'ID');
            words.add(text);
          }
          expectEqual(words.size, 1, `the number of different words: ${[...words].join(' ')}`);
          expectEqual((await readOutcome(caller, place, own)).status, 'SUCCESS', 'its own status');
        },
      },
    },
    {
      id: 'MSTA-005',
      sentence:
        'A status is read by who sent the request alone, not by the representative of the message.',
      sources: [reading, api(FEED)],
      needs: ['presenter', 'other'],
      cases: {
        'by requestId and in the feed': async (context) => {
          const caller = mover(context);
          const other = mover(context, 'other');
          const end = await endOfFeed(context, 'other', FEED);
          const identificationNumber = other.organisation.replace(/^0192:/, 'NO');
          const message = makeMovement(level, 'road', {
            'representative.identificationNumber': identificationNumber,
          });
          const requestId = requestIdOf(await tryLodge(caller, 'road', level, message));
          expectProblem(await tryReadStatus(other, place, requestId), 404);
          const statuses = await readAll(other, FEED, end);
          const found = statuses.some((status) => status.requestId === requestId);
          expect(!found, 'the feed of the representative has the status');
        },
      },
    },
    {
      id: 'MSTA-006',
      sentence:
        'The feed has the statuses of all modes, successes and failures, once each in the order of the requests, and nothing that was refused at once.',
      sources: [api(FEED), architecture('The feed')],
      needs: ['presenter'],
      cases: {
        'each mode': async (context) => {
          const caller = mover(context);
          const end = await endOfFeed(context, 'presenter', FEED);
          const sent: string[] = [];
          for (const mode of ['road', 'air', 'rail', 'maritime'] as const) {
            const response = await tryLodge(caller, mode, level, makeMovement(level, mode));
            sent.push(requestIdOf(response));
          }
          sent.push(requestIdOf(await tryLodge(caller, 'road', level, broken())));
          const requestId = randomUUID();
          expectProblem(await tryLodge(caller, 'road', level, { requestId }), 400);
          const statuses = await readAll(caller, FEED, end);
          const ids = statuses.map((status) => String(status.requestId));
          expectEqual(
            ids.filter((id) => sent.includes(id)),
            sent,
            'the requests',
          );
          expect(!ids.includes(requestId), 'what was refused at once has a status');
          for (const id of sent) {
            const entry = statuses.find((status) => status.requestId === id);
            const { mode } = Object(entry);
            expectEqual(entry, await readOutcome(caller, { mode, level }, id), 'the status');
          }
        },
        'with the scope of one mode': async (context) => {
          mover(context);
          const end = await endOfFeed(context, 'presenter', FEED);
          const requestId = requestIdOf(
            await tryLodge(mover(context), 'road', level, makeMovement(level, 'road')),
          );
          const token = await tokenFor(context, 'presenter', modes.maritime.scope);
          const statuses = await readAll(context.as('presenter'), FEED, end, { token });
          const found = statuses.some((status) => status.requestId === requestId);
          expect(found, 'the status of a request in another mode is not there');
        },
      },
    },
    {
      id: 'MSTA-007',
      sentence: 'A marker that is unknown or of another organisation is UNKNOWN_MARKER.',
      sources: [api(FEED), architecture('The feed')],
      needs: ['presenter', 'other'],
      cases: {
        both: async (context) => {
          const caller = mover(context);
          const foreign = requestIdOf(
            await tryLodge(mover(context, 'other'), 'road', level, makeMovement(level, 'road')),
          );
          for (const marker of [randomUUID(), foreign]) {
            const response = await caller.call(FEED, { query: { marker } });
            expectProblem(response, 400, { code: 'UNKNOWN_MARKER', field: 'marker' });
          }
        },
      },
    },
  ],
};
