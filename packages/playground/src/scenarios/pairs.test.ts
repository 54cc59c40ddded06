// Every two kinds of scenarios that apply to the same operation: both do what their texts say, or the oldest alone where
// both decide the same. What takes no effect is not counted.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  type DeliveryScenarioKind,
  type MovementLevel,
  type OperationId,
  type Scenario,
  type ScenarioKind,
  scenarioKind,
  scenarioKindNames,
} from '@landfall/contract';
import { decodeJwt } from 'jose';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import {
  citing,
  houseMessage,
  inHours,
  transportMessage,
} from '../../../service/dist/testing/movement-client.js';
import { type Playground, startPlayground } from '../index.js';
import { makeGrant } from '../inspection/make-grant.js';
import { PRESENT_PATH, parcel } from '../testing/client-case.js';

/** What a request led to. */
type Outcome = {
  /** `undefined` if the connection was lost. */
  status: number | undefined;
  retryAfter: string | null;
  body: string;
  ms: number;
  /** Signals at once, after half a minute, and after a minute. */
  signals: readonly number[];
};

/** Kinds that apply to requests. */
type RequestKind = Exclude<ScenarioKind, DeliveryScenarioKind>;

const example: Record<RequestKind, Scenario> = {
  delay: { kind: 'delay', milliseconds: 40 },
  'lost-response': { kind: 'lost-response' },
  'too-many-requests': { kind: 'too-many-requests', retryAfter: 7 },
  'service-unavailable': { kind: 'service-unavailable', retryAfter: 8 },
  'internal-error': { kind: 'internal-error' },
  refusal: { kind: 'refusal', code: 'UNKNOWN_CODE' },
  'broken-stream': { kind: 'broken-stream' },
  'late-decision': { kind: 'late-decision', afterSeconds: 20 },
  'changed-decision': { kind: 'changed-decision', afterSeconds: 50 },
  'no-decision': { kind: 'no-decision' },
  'signal-bursts': { kind: 'signal-bursts', size: 1 },
  'late-status': { kind: 'late-status', foundAfter: 60 },
  'silent-register': { kind: 'silent-register', answersAfter: 60 },
  'seen-arrival': { kind: 'seen-arrival', afterEstimated: 60 },
  'short-lived-token': { kind: 'short-lived-token', lifetime: 9 },
  'revoked-access': { kind: 'revoked-access' },
  'refused-grant': { kind: 'refused-grant', code: 'MP-110' },
  'wrong-audience': { kind: 'wrong-audience' },
  'clock-skew': { kind: 'clock-skew', skew: 3000 },
  'rotated-key': { kind: 'rotated-key' },
};

const claims = ({ body }: Outcome) =>
  decodeJwt<{ exp: number; iat: number }>(JSON.parse(body).access_token);

/** Whether a kind did what its text says; what needs a response that another one decides is not to be seen then. */
const holds: Record<RequestKind, (outcome: Outcome) => boolean> = {
  delay: ({ ms }) => ms >= 39,
  'lost-response': ({ status }) => status === undefined,
  'too-many-requests': ({ status, retryAfter }) => status === 429 && retryAfter === '7',
  'service-unavailable': ({ status, retryAfter }) => status === 503 && retryAfter === '8',
  'internal-error': ({ status }) => status === 500,
  refusal: ({ status, body }) => status === 400 && body.includes('UNKNOWN_CODE'),
  'broken-stream': ({ status, body }) => status === 200 && !body.endsWith('\n\n'),
  'late-decision': ({ signals }) => signals.join() === '0,1,1',
  'changed-decision': ({ signals }) => signals.join() === '1,1,2',
  'no-decision': ({ signals }) => signals.join() === '0,0,0',
  'signal-bursts': ({ signals }) => signals.join() === '1,1,1',
  'late-status': ({ status }) => status === 404,
  'seen-arrival': ({ body }) => body.includes('"arrivedAt"'),
  'silent-register': ({ body }) => body.includes('INCOMPLETE_CUDE_VALIDATION'),
  'short-lived-token': (outcome) => JSON.parse(outcome.body).expires_in === 9,
  'revoked-access': ({ status, body }) => status === 401 || body.includes('invalid_scope'),
  'refused-grant': ({ status, body }) => status === 400 && body.includes('MP-110'),
  'wrong-audience': (outcome) => claims(outcome).aud === 'https://other.example',
  'clock-skew': (outcome) => Math.abs(claims(outcome).iat - Date.now() / 1000 - 3000) < 60,
  'rotated-key': ({ status, body }) => status === 200 && body.includes('access_token'),
};

let playground: Playground;
/** A token of the carrier, which stays valid. */
let given: string;
before(async () => {
  playground = await startPlayground({ rateLimit: 0 });
  given = await token();
});
after(() => playground.close());
beforeEach(() => playground.reset());

async function token(): Promise<string> {
  const { access_token: exchanged } = JSON.parse(
    (await exchange(JSON.parse((await grant()).body).access_token)).body,
  );
  return exchanged;
}

async function grant(): Promise<Outcome> {
  const identity = playground.identities.find(({ name }) => name === 'carrier');
  assert(identity !== undefined);
  const assertion = await makeGrant(identity, new Date(), crypto.randomUUID());
  return send(`${playground.idpUrl}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    }),
  });
}

function exchange(subjectToken: string): Promise<Outcome> {
  return send(`${playground.baseUrl}/api/access/external/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: subjectToken,
    }),
  });
}

async function send(url: string, init: RequestInit, timeoutMs = 10_000): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome: Outcome = { status: undefined, retryAfter: null, body: '', ms: 0, signals: [] };
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    outcome.status = response.status;
    outcome.retryAfter = response.headers.get('retry-after');
    // What was sent before a connection broke is part of the outcome.
    for await (const chunk of response.body ?? []) outcome.body += new TextDecoder().decode(chunk);
  } catch {
    // The connection was lost; what came before is kept.
  }
  return { ...outcome, ms: performance.now() - startedAt };
}

const authorized = () => ({ authorization: `Bearer ${given}` });

function readSignals(headers: Record<string, string>, timeoutMs?: number) {
  const url = `${playground.baseUrl}/api/movement/routing/v1/house-consignment`;
  return send(url, { headers: { ...authorized(), ...headers } }, timeoutMs);
}

function read(path: string): Promise<Outcome> {
  return send(`${playground.baseUrl}${path}`, { headers: authorized() });
}

/** Lodges a message by road. */
function lodge(level: MovementLevel, message: object): Promise<Outcome> {
  return send(`${playground.baseUrl}/api/movement/road/v2/${level}`, {
    method: 'POST',
    headers: { ...authorized(), 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
}

async function countSignals(): Promise<number> {
  return JSON.parse((await readSignals({})).body).length;
}

function present(): Promise<Outcome> {
  return send(`${playground.baseUrl}${PRESENT_PATH}`, {
    method: 'POST',
    headers: { ...authorized(), 'content-type': 'application/json' },
    body: JSON.stringify({ ...parcel, requestId: crypto.randomUUID() }),
  });
}

/** Prepares a request of an operation, and returns what sends it. */
const operations = {
  presentHouseConsignment: async () => {
    await playground.setClock({ running: false });
    return async () => {
      const outcome = await present();
      const signals = [await countSignals()];
      for (let half = 0; half < 2; half++) {
        await playground.setClock({ advance: 30 });
        signals.push(await countSignals());
      }
      return { ...outcome, signals };
    };
  },
  readRoutingSignals: async () => {
    await present();
    return () => readSignals({ accept: 'text/event-stream' }, 400);
  },
  getMovementStatus: async () => {
    const { requestId } = JSON.parse((await lodge('house-consignment', houseMessage('P1'))).body);
    return () =>
      read(`/api/movement/road/status/v2/house-consignment/validation-status/${requestId}`);
  },
  lodgeHouseConsignment: async () => async () => {
    const outcome = await lodge('house-consignment', houseMessage('P1', citing('1')));
    const { body } = await read('/api/movement/status/v1/validation-status');
    return { ...outcome, body: outcome.body + body };
  },
  lodgeTransport: async () => async () => {
    // While the token is valid.
    const estimatedDateAndTimeOfArrival = inHours(1 / 60);
    const outcome = await lodge(
      'transport',
      transportMessage('PAIR1', { estimatedDateAndTimeOfArrival }),
    );
    await playground.setClock({ advance: 150 });
    const { body } = await read('/api/movement/road/v2/transport');
    return { ...outcome, body: outcome.body + body };
  },
  requestAccessToken: async () => grant,
  exchangeToken: async () => {
    const subjectToken = JSON.parse((await grant()).body).access_token;
    return () => exchange(subjectToken);
  },
} satisfies Partial<Record<OperationId, () => Promise<() => Promise<Outcome>>>>;

const kindsOf = (operation: OperationId) =>
  scenarioKindNames.filter((kind): kind is RequestKind =>
    scenarioKind(kind).operations.includes(operation),
  );

/** Only then it matters which one is older. */
function decideTheSame(one: ScenarioKind, other: ScenarioKind): boolean {
  const { decides } = scenarioKind(one);
  return decides !== undefined && decides === scenarioKind(other).decides;
}

/** Those that take effect, by the texts. */
function effective(pair: readonly [RequestKind, RequestKind]): RequestKind[] {
  const [older, younger] = pair;
  if (decideTheSame(older, younger)) return [older];
  // A request that is not carried out has no goods that wait, and no token.
  const isRefused = pair.some(
    (kind) =>
      scenarioKind(kind).decides === 'outcome' &&
      kind !== 'lost-response' &&
      kind !== 'broken-stream',
  );
  return pair.filter(
    (kind) => !isRefused || kind === 'delay' || scenarioKind(kind).decides === 'outcome',
  );
}

/** A stream of events has no status of one request. */
const neverTogether = ['broken-stream', 'late-status'];

test('every two kinds that apply to the same operation are tested', () => {
  const tested = Object.keys(operations) as (keyof typeof operations)[];
  for (const one of scenarioKindNames) {
    for (const other of scenarioKindNames) {
      const shared = scenarioKind(one).operations.filter((operation) =>
        scenarioKind(other).operations.includes(operation),
      );
      assert.ok(
        shared.length === 0 ||
          (neverTogether.includes(one) && neverTogether.includes(other)) ||
          tested.some((operation) => shared.includes(operation)),
        `${one} and ${other}`,
      );
    }
  }
});

for (const [operation, prepare] of drawCases('pairs', Object.entries(operations), 3)) {
  // The cast is true because the names of the table are those of operations.
  const kinds = kindsOf(operation as OperationId);
  test(`each two of ${kinds.length} kinds on ${operation}`, async () => {
    for (const older of kinds) {
      for (const younger of kinds) {
        if (older === younger || (!decideTheSame(older, younger) && older > younger)) continue;
        await playground.reset();
        const request = await prepare();
        const add = (kind: RequestKind) =>
          playground.scenarios.add({ ...example[kind], operation, times: 1 } as Scenario);
        add(older);
        add(younger);
        const outcome = await request();
        const expected = effective([older, younger]);
        const what = `${operation}: ${older}, then ${younger}: ${JSON.stringify(outcome)}`;
        for (const { kind, applied } of playground.scenarios.list()) {
          assert.equal(
            applied,
            expected.some((each) => each === kind) ? 1 : 0,
            `${kind} applied; ${what}`,
          );
        }
        for (const kind of expected) {
          const isSeen = !expected.includes('lost-response') || hasNoBody(kind);
          if (isSeen) assert.ok(holds[kind](outcome), `${kind}; ${what}`);
        }
      }
    }
  });
}

test('a broken stream is not used up by a request for one that is refused, or answered with a page', async () => {
  playground.scenarios.add({ kind: 'broken-stream', times: 1 });
  const url = `${playground.baseUrl}/api/movement/routing/v1/house-consignment?marker=${crypto.randomUUID()}`;
  const headers = { ...authorized(), accept: 'text/event-stream' };
  assert.equal((await send(url, { headers })).status, 400);
  const page = await readSignals({ accept: 'application/json, text/event-stream;q=0' });
  assert.deepEqual([page.status, page.body], [200, '[]']);
  assert.equal(playground.scenarios.list()[0]?.applied, 0);
});

/** Whether what a kind does is seen without a response. */
function hasNoBody(kind: ScenarioKind): boolean {
  return kind === 'lost-response' || kind === 'delay' || scenarioKind(kind).decides === 'decision';
}
