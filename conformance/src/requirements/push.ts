// Requirements on subscriptions: what a receiver gets, in which order, and who may subscribe to what.
import {
  SubscriptionDelivery,
  SubscriptionTest,
  SubscriptionVerification,
} from '@landfall/contract';
import { readEntries } from '../data/read-feed.js';
import { issueSignals, signalId } from '../data/signalled-goods.js';
import {
  confirmWebhook,
  expectPublicKey,
  expectSignature,
  isSignedWith,
  readSubscription,
  untilState,
  type WebhookReceiver,
  withReceiver,
  withSubscription,
} from '../data/webhook-receiver.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  expectValid,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision, standard } from '../suite/requirement.js';

const CREATE = 'createSubscription';
const CHANGE = 'changeSubscription';
const ROTATE = 'rotateSubscriptionSecret';
const ATTEMPTS = 'listSubscriptionAttempts';
const READ = 'readRoutingSignals';
const WEBHOOKS = standard('Standard Webhooks');
const NEEDS = ['presenter', 'authority'] as const;

/** How long nothing may come that must not come, in milliseconds. */
const NOTHING_MS = 1500;

/** The signals of a declaration that have come, in the order in which they came. */
function signalsOf({ deliveries }: WebhookReceiver, mrn: string): unknown[] {
  return deliveries.flatMap(({ entries }) => entries).filter((entry) => isOf(entry, mrn));
}

function isOf(entry: unknown, mrn: string): boolean {
  return JSON.stringify(entry).includes(mrn);
}

/** The ids of what has come, once each, compared with what reading returns between the first and the last of them. */
async function expectOrder(context: CaseContext, receiver: WebhookReceiver): Promise<void> {
  const came = receiver.deliveries.flatMap(({ entries }) => entries.map(signalId));
  const marker = await context.start('presenter', READ);
  const read: string[] = [];
  for (let after = marker; ; after = read.at(-1)) {
    const query = { marker: after, limit: 1000 };
    const page = readEntries(await context.as('presenter').call(READ, { query }));
    if (page.length === 0) break;
    read.push(...page.map(signalId));
  }
  const once = came.filter((id, index) => came.indexOf(id) === index);
  const begin = read.indexOf(once[0] ?? '');
  expectEqual(once, read.slice(begin, begin + once.length), 'the order of what came');
}

const change = (context: CaseContext, id: string, members: object) =>
  context.as('presenter').call(CHANGE, {
    path: { id },
    raw: JSON.stringify(members),
    type: 'application/merge-patch+json',
  });

export const push: Area = {
  name: 'Subscriptions',
  requirements: [
    {
      id: 'PUSH-001',
      sentence: 'A receiver gets no entry before it has repeated a challenge.',
      sources: [api(CREATE), decision(302)],
      needs: NEEDS,
      cases: {
        'a receiver that answers something else': (context) =>
          withReceiver(
            context,
            (_, response) => response.writeHead(200).end('yes'),
            (receiver) =>
              withSubscription(context, receiver, {}, async ({ id }) => {
                await issueSignals(context, 1);
                await receiver.until(() => receiver.received.length > 0);
                await new Promise((resolve) => setTimeout(resolve, NOTHING_MS));
                const [first] = receiver.received;
                expectValid(SubscriptionVerification, first?.body, 'the challenge');
                expectEqual(receiver.deliveries, [], 'what came without a repeated challenge');
                expectEqual((await readSubscription(context, id)).state, 'VERIFYING', 'state');
                const tested = await context
                  .as('presenter')
                  .call('testSubscription', { path: { id } });
                expectProblem(tested, 400, { code: 'SUBSCRIPTION_STATE' });
              }),
          ),
      },
    },
    {
      id: 'PUSH-002',
      sentence:
        'Everything that a receiver gets is signed, with the secret or the key of its subscription.',
      sources: [api(CREATE), WEBHOOKS],
      needs: NEEDS,
      cases: {
        'HMAC-SHA256': (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, {}, async ({ secret }) => {
              const mrn = await issueSignals(context, 1);
              await receiver.until(() => signalsOf(receiver, mrn).length > 0);
              for (const webhook of receiver.received) expectSignature(webhook, secret);
            }),
          ),
        Ed25519: (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, { signature: 'v1a' }, async ({ publicKeys }) => {
              const mrn = await issueSignals(context, 1);
              await receiver.until(() => signalsOf(receiver, mrn).length > 0);
              for (const webhook of receiver.received)
                expectPublicKey(webhook, publicKeys[0] ?? '');
            }),
          ),
      },
    },
    {
      id: 'PUSH-003',
      sentence:
        'A receiver gets every entry as reading returns it, in the order of the feed, with the marker of the last one.',
      sources: [api(CREATE, READ)],
      needs: NEEDS,
      cases: {
        'signals of several presentations': (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, {}, async ({ id }) => {
              await untilState(context, receiver, id, 'ACTIVE');
              const first = await issueSignals(context, 5);
              const second = await issueSignals(context, 3);
              await receiver.until(
                () =>
                  signalsOf(receiver, first).length === 5 &&
                  signalsOf(receiver, second).length === 3,
              );
              for (const { body, entries } of receiver.deliveries) {
                expectValid(SubscriptionDelivery, body, 'a delivery');
                expectEqual(body.type, 'routing.signals', 'type');
                expectEqual(body.marker, signalId(entries.at(-1)), 'marker');
              }
              await expectOrder(context, receiver);
            }),
          ),
      },
    },
    {
      id: 'PUSH-004',
      sentence:
        'What was not confirmed comes again as it was, and nothing that follows comes before it is confirmed.',
      sources: [api(CREATE), WEBHOOKS],
      needs: NEEDS,
      cases: {
        'a receiver that fails once': async (context) => {
          let failed = false;
          await withReceiver(
            context,
            (webhook, response) => {
              if (webhook.entries.length === 0 || failed) return confirmWebhook(webhook, response);
              failed = true;
              response.writeHead(503).end();
            },
            (receiver) =>
              withSubscription(context, receiver, {}, async ({ id }) => {
                await untilState(context, receiver, id, 'ACTIVE');
                await issueSignals(context, 1);
                await receiver.until(() => receiver.deliveries.length > 0);
                const second = await issueSignals(context, 1);
                await receiver.until(() => signalsOf(receiver, second).length > 0);
                const [one, again] = receiver.deliveries;
                expectEqual(
                  [again?.headers['webhook-id'], again?.text],
                  [one?.headers['webhook-id'], one?.text],
                  'what came again',
                );
                const ids = receiver.deliveries.map(({ headers }) => headers['webhook-id']);
                expectEqual(new Set(ids).size, ids.length - 1, 'different deliveries');
                await expectOrder(context, receiver);
              }),
          );
        },
      },
    },
    {
      id: 'PUSH-005',
      sentence: 'Deliveries begin after the marker, and one that was never received is refused.',
      sources: [api(CREATE)],
      needs: NEEDS,
      cases: {
        'after an earlier signal': async (context) => {
          const mrn = await issueSignals(context, 3);
          const read = await context.as('presenter').call(READ, {
            query: { marker: await context.start('presenter', READ), limit: 1000 },
          });
          const own = readEntries(read).filter((entry) => isOf(entry, mrn));
          const marker = signalId(own[0]);
          await withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, { marker }, async () => {
              await receiver.until(() => signalsOf(receiver, mrn).length >= 2);
              expectEqual(signalsOf(receiver, mrn), own.slice(1), 'the signals after the marker');
            }),
          );
        },
        'a marker of nobody': async (context) => {
          const json = {
            feed: 'routing',
            url: 'https://receiver.example/',
            marker: '00000000-0000-4000-8000-000000000000',
          };
          const response = await context.as('presenter').call(CREATE, { json });
          expectProblem(response, 400, { code: 'UNKNOWN_MARKER', field: 'marker' });
        },
      },
    },
    {
      id: 'PUSH-006',
      sentence: 'While a subscription is paused nothing comes, and then it continues where it was.',
      sources: [api(CHANGE)],
      needs: NEEDS,
      cases: {
        'paused and resumed': (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, {}, async ({ id }) => {
              await untilState(context, receiver, id, 'ACTIVE');
              const paused = await change(context, id, { state: 'PAUSED' });
              expectStatus(paused, 200);
              expectSchema(CHANGE, paused);
              const mrn = await issueSignals(context, 2);
              await new Promise((resolve) => setTimeout(resolve, NOTHING_MS));
              expectEqual(signalsOf(receiver, mrn), [], 'what came while it was paused');
              expectStatus(await change(context, id, { state: 'ACTIVE' }), 200);
              await receiver.until(() => signalsOf(receiver, mrn).length === 2);
            }),
          ),
      },
    },
    {
      id: 'PUSH-007',
      sentence:
        'After a secret is replaced, what comes is signed with the old one and the new one.',
      sources: [api(ROTATE), WEBHOOKS],
      needs: NEEDS,
      cases: {
        'both secrets': (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, {}, async ({ id, secret }) => {
              await untilState(context, receiver, id, 'ACTIVE');
              const rotated = await context.as('presenter').call(ROTATE, { path: { id } });
              expectStatus(rotated, 200);
              expectSchema(ROTATE, rotated);
              const { secret: next } = readObject(rotated);
              expect(next !== secret, 'the new secret is the old one');
              // What a server has begun to send for the subscription may have the secrets of before.
              for (let count = 1; ; count++) {
                const mrn = await issueSignals(context, 1);
                await receiver.until(() => signalsOf(receiver, mrn).length > 0);
                const last = receiver.deliveries.at(-1);
                expect(last !== undefined, 'nothing came');
                if (count < 5 && !isSignedWith(last, String(next))) continue;
                for (const one of [secret, String(next)]) expectSignature(last, one);
                break;
              }
              expect(
                (await readSubscription(context, id)).secret === undefined,
                'the secret is shown again',
              );
            }),
          ),
      },
    },
    {
      id: 'PUSH-008',
      sentence: 'A subscription of another organisation is as one that does not exist.',
      sources: [api('getSubscription', 'listSubscriptions', 'deleteSubscription')],
      needs: [...NEEDS, 'other'],
      cases: {
        'reading and ending it': (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, {}, async ({ id }) => {
              const other = context.as('other');
              for (const operation of [
                'getSubscription',
                'deleteSubscription',
                ROTATE,
                ATTEMPTS,
              ] as const) {
                expectProblem(await other.call(operation, { path: { id } }), 404);
              }
              const listed = await other.call('listSubscriptions');
              expectStatus(listed, 200);
              expectSchema('listSubscriptions', listed);
              expect(!listed.text.includes(id), 'the list has a subscription of somebody else');
              expectEqual((await readSubscription(context, id)).id, id, 'id');
            }),
          ),
      },
    },
    {
      id: 'PUSH-009',
      sentence: 'Who may not read a feed may not subscribe to it.',
      sources: [api(CREATE)],
      needs: ['presenter'],
      cases: {
        'the goods-item stream': async (context) => {
          const json = { feed: 'goods-items', url: 'https://receiver.example/' };
          const response = await context.as('presenter').call(CREATE, { json });
          expectProblem(response, 403);
          expect(
            /declaration\.feed/.test(response.headers.get('www-authenticate') ?? ''),
            'WWW-Authenticate does not name the scope of the feed',
          );
        },
      },
    },
    {
      id: 'PUSH-010',
      sentence: 'A bad subscription names the member and the rule, and is not created.',
      sources: [api(CREATE)],
      needs: ['presenter'],
      cases: {
        'an unknown feed': async (context) => {
          const json = { feed: 'prices', url: 'https://receiver.example/' };
          const response = await context.as('presenter').call(CREATE, { json });
          expectProblem(response, 400, { code: 'UNKNOWN_CODE', field: 'feed' });
        },
        'an address with a user': async (context) => {
          const json = { feed: 'routing', url: 'https://user:word@receiver.example/' };
          const response = await context.as('presenter').call(CREATE, { json });
          expectProblem(response, 400, { code: 'FORMAT', field: 'url' });
        },
        'a misspelt member': async (context) => {
          const json = { feed: 'routing', url: 'https://receiver.example/', markre: 'x' };
          const response = await context.as('presenter').call(CREATE, { json });
          expectProblem(response, 400, { code: 'UNKNOWN_MEMBER', field: 'markre' });
        },
      },
    },
    {
      id: 'PUSH-011',
      sentence:
        'A test event comes at once and is listed among the attempts, and confirms nothing.',
      sources: [api('testSubscription', ATTEMPTS)],
      needs: NEEDS,
      cases: {
        'a test event': (context) =>
          withReceiver(context, confirmWebhook, (receiver) =>
            withSubscription(context, receiver, {}, async ({ id, secret }) => {
              await untilState(context, receiver, id, 'ACTIVE');
              const tested = await context
                .as('presenter')
                .call('testSubscription', { path: { id } });
              expectStatus(tested, 200);
              expectSchema('testSubscription', tested);
              const event = receiver.received.find(({ body }) => body.type === 'subscription.test');
              expect(event !== undefined, 'no event of the type subscription.test came');
              expectValid(SubscriptionTest, event.body, 'the test event');
              expectSignature(event, secret);
              const attempts = await context.as('presenter').call(ATTEMPTS, { path: { id } });
              expectStatus(attempts, 200);
              expectSchema(ATTEMPTS, attempts);
              expect(
                attempts.text.includes(String(event.headers['webhook-id'])),
                'the attempts do not have the test event',
              );
            }),
          ),
      },
    },
    {
      id: 'PUSH-012',
      sentence: 'A receiver that answers 410 gets nothing more.',
      sources: [api(CREATE), WEBHOOKS],
      needs: NEEDS,
      cases: {
        'a receiver that is gone': (context) =>
          withReceiver(
            context,
            (webhook, response) => {
              if (webhook.entries.length === 0) confirmWebhook(webhook, response);
              else response.writeHead(410).end();
            },
            (receiver) =>
              withSubscription(context, receiver, {}, async ({ id }) => {
                await untilState(context, receiver, id, 'ACTIVE');
                await issueSignals(context, 1);
                await untilState(context, receiver, id, 'SUSPENDED');
                expectEqual(
                  (await readSubscription(context, id)).reason,
                  'RECEIVER_GONE',
                  'reason',
                );
                expectEqual(receiver.deliveries.length, 1, 'deliveries');
              }),
          ),
      },
    },
  ],
};
