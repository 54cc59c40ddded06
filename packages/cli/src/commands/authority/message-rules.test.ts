// Each operation that takes a message with a rule beyond its schema refuses what breaks the rule, with the errors of the
// contract: over HTTP, and through the command that sends such messages.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ApiError, type Landfall } from '@landfall/client';
import {
  compileCheck,
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  GoodsItemView,
  messagesWithRules,
  NewRoutingRun,
  type Operation,
  operations,
  RoutingDecision,
  RoutingProfile,
  TransportArrival,
  type ValidationError,
} from '@landfall/contract';
import type { Playground } from '@landfall/playground';
import { openService } from '../../service/open-service.js';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
let playground: Playground;
let client: Landfall;

before(async () => {
  playground = await startPlayground(data);
  ({ client } = await openService({ data, as: 'authority' }));
});
after(() => playground.close());

/** What a client reports of a message that it sends. */
type Sent = Promise<readonly ValidationError[]>;

type Case = {
  schema: Parameters<typeof compileCheck>[0];
  /** Breaks every rule that the schema does not express. */
  message: object;
  send(): Sent;
  /** The command that sends it from standard input, where there is one. */
  command?: string;
};

const misplaced = { routing: 'TO_ENTRY', routingControlLocation: 'ON_ENTRY' } as const;
const house = {
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  ...misplaced,
} as const;
const declaration = {
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000019',
  houseConsignments: [house, house],
};
const mrn = '26NO00000000000077';
const profile = { salt: 's', rules: [{ name: 'x', ...misplaced }] };

const arrival = {
  mrn,
  mode: 'road',
  dateAndTimeOfArrival: '2026-05-04T09:30:00Z',
  customsOfficeOfArrival: { referenceNumber: 'NO371001' },
} as const;

const view = { from: '2026-05-04', to: '2026-05-03' };

const run = { select: {}, reason: 'r', ...misplaced };

const cases: Record<string, Case> = {
  postRoutingDecisions: {
    schema: RoutingDecision,
    message: house,
    send: () => errorsOfFirst(client.postRoutingDecisions([house])),
    command: 'authority decide -',
  },
  putRoutingProfile: {
    schema: RoutingProfile,
    message: profile,
    send: () => errorsOf(client.putRoutingProfile('trial', profile)),
    command: 'routing-profile create trial -',
  },
  putGoodsItemView: {
    schema: GoodsItemView,
    message: view,
    send: () => errorsOf(client.putGoodsItemView('0192:310000051', view)),
    command: 'goods-item view set 0192:310000051 --from 2026-05-04 --to 2026-05-03',
  },
  tryGoodsItemView: {
    schema: GoodsItemView,
    message: view,
    send: () => errorsOf(client.tryGoodsItemView(view)),
    command: 'goods-item view try --from 2026-05-04 --to 2026-05-03',
  },
  createRoutingRun: {
    schema: NewRoutingRun,
    message: run,
    send: () => errorsOf(client.createRoutingRun(run)),
  },
  putEntrySummaryDeclaration: {
    schema: EntrySummaryDeclarationEntry,
    message: declaration,
    send: () => errorsOf(client.putEntrySummaryDeclaration(mrn, declaration)),
  },
  postEntrySummaryDeclarations: {
    schema: EntrySummaryDeclaration,
    message: { mrn, ...declaration },
    send: () => errorsOfFirst(client.postEntrySummaryDeclarations([{ mrn, ...declaration }])),
    command: 'authority import -',
  },
  postTransportArrivals: {
    schema: TransportArrival,
    message: arrival,
    send: () => errorsOfFirst(client.postTransportArrivals([arrival])),
    command: 'authority arrive -',
  },
};

/** The errors of a request that is refused as a whole. */
async function errorsOf(request: Promise<unknown>): Sent {
  try {
    await request;
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.validationErrors;
  }
}

/** The errors of the first line of an upload. */
async function errorsOfFirst(
  results: ReturnType<
    Landfall['postRoutingDecisions' | 'postEntrySummaryDeclarations' | 'postTransportArrivals']
  >,
): Sent {
  for await (const { validationErrors = [] } of await results) return validationErrors;
  return [];
}

const withRules = Object.values<Operation>(operations)
  .filter(({ body = {} }) => Object.values(body).some((schema) => messagesWithRules(schema).length))
  .map(({ operationId }) => operationId);

test('every operation that takes a message with a rule has a case', () => {
  assert.deepEqual(Object.keys(cases).sort(), withRules.sort());
});

for (const [operationId, { schema, message, send, command }] of Object.entries(cases)) {
  test(`${operationId} reports the rules of the contract`, async () => {
    const checked = compileCheck(schema)(message);
    assert.ok(!checked.valid && checked.errors.length >= messagesWithRules(schema).length);
    assert.deepEqual(await send(), checked.errors);
    if (command === undefined) return;
    const input = `${JSON.stringify(message)}\n`;
    const { code, stderr } = await runCommand([...command.split(' '), '--data', data], { input });
    assert.equal(code, 1);
    for (const { field, error } of checked.errors) {
      assert.ok(stderr.includes(`${field}: ${error}`), stderr);
    }
  });
}
