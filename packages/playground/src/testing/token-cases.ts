// The client library meets the scenarios of tokens.
import assert from 'node:assert/strict';
import { type Landfall, TokenError, type TokenStep } from '../../../client/dist/index.js';
import type { Playground } from '../playground.js';
import { type ClientCases, clientOf, countRequests, parcel } from './client-case.js';

const EXCHANGE_PATH = '/api/access/external/oauth/token';
const IDP_PATH = '/idp/token';

const exchanges = (playground: Playground) => countRequests(playground, 'POST', EXCHANGE_PATH);
const grants = (playground: Playground) => countRequests(playground, 'POST', IDP_PATH);

const refusedTokens = (playground: Playground) =>
  playground.requests().filter(({ response }) => response?.status === 401).length;

/** A call fails because there is no token, for this reason. */
async function assertNoToken(
  carrier: Landfall,
  step: TokenStep,
  { error, providerCode }: { error: string; providerCode?: string },
): Promise<void> {
  await assert.rejects(carrier.readRoutingSignals(), (thrown) => {
    assert(thrown instanceof TokenError);
    assert.deepEqual([thrown.step, thrown.error], [step, error]);
    assert.equal(thrown.providerCode, providerCode);
    return true;
  });
}

export const tokenCases = {
  'short-lived-token': {
    'it is renewed before it ends': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'short-lived-token', lifetime: 2 });
      const end = performance.now() + 2500;
      while (performance.now() < end) {
        await carrier.readRoutingSignals();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert(exchanges(playground) >= 2);
      assert.equal(refusedTokens(playground), 0);
    },
    'if it has ended by the clock of the service, it is replaced once': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'short-lived-token', lifetime: 100 });
      await carrier.readRoutingSignals();
      await playground.setClock({ advance: 200 });
      await carrier.readRoutingSignals();
      assert.deepEqual([refusedTokens(playground), exchanges(playground)], [1, 2]);
    },
    'a follower connects again with a new token': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'short-lived-token', lifetime: 2, times: 1 });
      const stop = new AbortController();
      const present = (documentNumber: string) =>
        carrier.presentHouseConsignment({
          ...parcel,
          transportDocumentHouseLevel: { documentNumber, type: 'N714' },
        });
      await present('HC003');
      const followed: string[] = [];
      for await (const signal of carrier.followRouting({ signal: stop.signal })) {
        followed.push(signal.transportDocumentHouseLevel.documentNumber);
        // After the token of the stream has ended.
        if (followed.length === 1) setTimeout(() => void present('HC004'), 2500);
        else stop.abort();
      }
      assert.deepEqual(followed, ['HC003', 'HC004']);
      assert(exchanges(playground) >= 2);
    },
  },
  'revoked-access': {
    'one new token is requested, and the refusal is reported': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      await carrier.readRoutingSignals();
      playground.scenarios.add({ kind: 'revoked-access', identity: 'carrier' });
      await assertNoToken(carrier, 'exchange', { error: 'invalid_scope' });
      assert.deepEqual([refusedTokens(playground), exchanges(playground)], [1, 2]);
      await clientOf(playground, 'forwarder').readRoutingSignals();
    },
    'a follower ends with the refusal': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentHouseConsignment(parcel);
      const isOpen = () => playground.requests().some(({ durationMs }) => durationMs === undefined);
      const revoke = async () => {
        while (!isOpen()) await new Promise((resolve) => setTimeout(resolve, 20));
        playground.scenarios.add({ kind: 'revoked-access' });
      };
      let followed = 0;
      await assert.rejects(async () => {
        for await (const _signal of carrier.followRouting({ modes: ['events'] })) {
          followed += 1;
          void revoke();
        }
      }, TokenError);
      assert.equal(followed, 1);
    },
  },
  'refused-grant': {
    'the code is reported, and no other grant is sent': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'refused-grant', code: 'MP-250' });
      const refusal = { error: 'invalid_scope', providerCode: 'MP-250' };
      await assertNoToken(carrier, 'identity-provider', refusal);
      assert.equal(grants(playground), 1);
    },
  },
  'wrong-audience': {
    'another token is exchanged once, then the refusal is reported': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'wrong-audience' });
      await assertNoToken(carrier, 'exchange', { error: 'invalid_request' });
      assert.deepEqual([grants(playground), exchanges(playground)], [2, 2]);
    },
  },
  'clock-skew': {
    'a token that has ended when it is issued is replaced': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'clock-skew', skew: -300, times: 1 });
      await carrier.readRoutingSignals();
      assert.equal(grants(playground), 2);
    },
    'while the clock is behind, the refusal is reported': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'clock-skew', skew: -300 });
      await assertNoToken(carrier, 'exchange', { error: 'invalid_request' });
      assert.equal(grants(playground), 2);
    },
  },
  'rotated-key': {
    'a token of the new key is exchanged': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'rotated-key', times: 1 });
      await carrier.readRoutingSignals();
      assert.deepEqual([grants(playground), exchanges(playground)], [2, 2]);
    },
  },
} satisfies Partial<ClientCases>;
