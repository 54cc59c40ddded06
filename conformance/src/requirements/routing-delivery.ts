// Requirements on waiting for routing signals, and on lines and events.

import { randomUUID } from 'node:crypto';
import { decide, register } from '../data/goods.js';
import { present } from '../data/presentations.js';
import { type Entry, endOfFeed, readAll, readEntries } from '../data/read-feed.js';
import { issueSignals, signalId } from '../data/signalled-goods.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectMediaType, expectStatus } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, architecture, rfc } from '../suite/requirement.js';

const READ = 'readRoutingSignals';

/** How long a signal may take to reach a reader that waits for it, in milliseconds. */
const DELIVERY_MS = 10_000;

/** How long a case looks for a second without a new signal, in milliseconds: other cases cause many, and end. */
const QUIET_WITHIN_MS = 45_000;

const idsOf = (entries: readonly Entry[], mrn: string) =>
  entries.filter((entry) => entry.entrySummaryDeclarationMRN === mrn).map(signalId);

const endOf = (context: CaseContext) => endOfFeed(context, 'presenter', READ);

export const routingDelivery: Area = {
  name: 'Delivery of routing signals',
  requirements: [
    {
      id: 'ROUT-015',
      sentence: 'A waiting read responds as soon as there is a signal.',
      sources: [api(READ), rfc(7240, '4.3'), architecture('Waiting for entries')],
      needs: ['presenter', 'authority'],
      cases: {
        'the decision comes during the wait': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const presenter = context.as('presenter');
          await present(presenter, 'entry-summary-declaration', { mrn: declaration.mrn });
          let marker = await endOf(context);
          const decided = new Promise<void>((resolve, reject) => {
            setTimeout(
              () => void decide(context, declaration, 'TO_ENTRY').then(resolve, reject),
              300,
            );
          });
          const startedAt = performance.now();
          const elapsedMs = () => performance.now() - startedAt;
          let found: string[] = [];
          // Signals of other cases may end a wait first.
          while (found.length === 0 && elapsedMs() < DELIVERY_MS) {
            const response = await presenter.call(READ, {
              query: { marker },
              headers: { prefer: 'wait=12' },
            });
            const entries = readEntries(response);
            found = idsOf(entries, declaration.mrn);
            marker = entries.length > 0 ? signalId(entries.at(-1)) : marker;
          }
          expect(elapsedMs() < DELIVERY_MS, `the read took ${Math.round(elapsedMs())} ms`);
          await decided;
          expectEqual(found.length, 1, `the number of signals within ${DELIVERY_MS / 1000} s`);
        },
      },
    },
    {
      id: 'ROUT-016',
      sentence:
        'A waiting read without a new signal is an empty array after the preferred time, which Preference-Applied names.',
      sources: [api(READ), rfc(7240, '3')],
      needs: ['presenter'],
      cases: {
        'wait=1': async (context) => {
          const presenter = context.as('presenter');
          // Signals of other cases end a wait early; only a read that waited to its end is checked.
          const end = performance.now() + QUIET_WITHIN_MS;
          while (performance.now() < end) {
            const marker = await endOf(context);
            const startedAt = performance.now();
            const response = await presenter.call(READ, {
              query: { marker },
              headers: { prefer: 'wait=1' },
            });
            const waitedMs = performance.now() - startedAt;
            if (readEntries(response).length > 0) continue;
            expect(waitedMs > 900, `the empty response came after ${Math.round(waitedMs)} ms`);
            expectEqual(response.headers.get('preference-applied'), 'wait=1', 'Preference-Applied');
            return;
          }
          throw new NotTestedError('signals of other requests ended every wait');
        },
      },
    },
    {
      id: 'ROUT-017',
      sentence: 'application/x-ndjson has one signal a line, the same signals as the JSON array.',
      sources: [api(READ)],
      needs: ['presenter', 'authority'],
      cases: {
        'both forms of one page': async (context) => {
          const end = await endOf(context);
          await issueSignals(context, 3);
          const presenter = context.as('presenter');
          const query = { marker: end, limit: 3 };
          const array = readEntries(await presenter.call(READ, { query }));
          const response = await presenter.call(READ, {
            query,
            headers: { accept: 'application/x-ndjson' },
          });
          expectStatus(response, 200);
          expectMediaType(response, 'application/x-ndjson');
          const lines = response.text.split('\n');
          expectEqual(lines.pop(), '', 'the text after the last line break');
          expectEqual(
            lines.map((line) => JSON.parse(line)),
            array,
            'the lines',
          );
        },
      },
    },
    {
      id: 'ROUT-018',
      sentence:
        'text/event-stream sends each signal once as an event with its marker as id, as soon as it is issued.',
      sources: [api(READ), architecture('Waiting for entries')],
      needs: ['presenter', 'authority'],
      cases: {
        'two signals before and two while the stream is open': async (context) => {
          const end = await endOf(context);
          const first = await issueSignals(context, 2);
          const presenter = context.as('presenter');
          const stream = await presenter.openEvents(READ, { query: { marker: end } });
          expectStatus(stream, 200);
          expectMediaType(
            { ...stream, text: '', headers: stream.headers, status: 200 },
            'text/event-stream',
          );
          const second = await issueSignals(context, 2);
          const own = () =>
            stream.events.filter(({ data }) => data.includes(first) || data.includes(second));
          await stream.until(() => own().length >= 4, DELIVERY_MS);
          const events = own();
          expectEqual(events.length, 4, `the number of events within ${DELIVERY_MS / 1000} s`);
          for (const { id, data } of events)
            expectEqual(id, signalId(JSON.parse(data)), 'id of an event');
          const ids = events.map(({ id }) => id);
          const read = await readAll(presenter, READ, end);
          expectEqual(
            ids,
            [...idsOf(read, first), ...idsOf(read, second)],
            'the order of the events',
          );
          stream.close();
        },
      },
    },
    {
      id: 'ROUT-019',
      sentence:
        'A stream of events resumes after Last-Event-ID, and refuses one that is not of this feed.',
      sources: [api(READ), { text: 'HTML standard: server-sent events, Last-Event-ID' }],
      needs: ['presenter', 'authority'],
      cases: {
        'after the first of three': async (context) => {
          const end = await endOf(context);
          const mrn = await issueSignals(context, 3);
          const presenter = context.as('presenter');
          const [first = '', ...rest] = idsOf(await readAll(presenter, READ, end), mrn);
          const headers = { 'last-event-id': first };
          const stream = await presenter.openEvents(READ, { headers });
          expectStatus(stream, 200);
          const own = () =>
            stream.events.filter(({ data }) => data.includes(mrn)).map(({ id }) => id);
          await stream.until(() => own().length >= rest.length, DELIVERY_MS);
          expectEqual(own(), rest, 'the events');
          stream.close();
        },
        'an id that was never sent': async (context) => {
          const headers = { 'last-event-id': randomUUID() };
          const stream = await context.as('presenter').openEvents(READ, { headers });
          stream.close();
          expectStatus(stream, 400);
        },
      },
    },
  ],
};
