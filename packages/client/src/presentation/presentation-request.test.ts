// The status that decides an outcome is that of the request, and no other.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PresentationUnknownError } from '../errors/outcome-unknown-error.js';
import { Landfall } from '../landfall.js';
import { startPeer } from '../testing/hostile-peer.js';

const peer = await startPeer();
const landfall = new Landfall({
  baseUrl: peer.url,
  tokens: { getToken: async () => 'token', discard: () => undefined },
  retry: { baseDelayMs: 1, maxDelayMs: 2 },
});
const parcel = { customsOfficeOfPresentation: 'NO351001', containerId: 'JARU0000010' };
const notificationDate = new Date().toISOString();

/** Loses the response to a presentation, and responds to the question for its status. */
function answerStatus(statusOf: (requestId: string) => unknown): void {
  peer.respond = (request, response, body) => {
    if (request.method === 'POST') return void (body && request.socket.destroy());
    const requestId = request.url?.split('/').at(-1) ?? '';
    response.end(JSON.stringify(statusOf(requestId)));
  };
}

const wrong: Record<string, (requestId: string) => unknown> = {
  'of another request': () => ({ requestId: randomUUID(), status: 'SUCCESS', notificationDate }),
  'a refusal of another request': () => ({
    requestId: randomUUID(),
    status: 'FAILURE',
    notificationDate,
  }),
  'without a requestId': () => ({ status: 'SUCCESS', notificationDate }),
  'of another kind': (requestId) => ({ requestId, status: 'PENDING', notificationDate }),
  'no object': () => 'SUCCESS',
  null: () => null,
};
for (const [what, statusOf] of Object.entries(wrong)) {
  test(`a status ${what} leaves the outcome unknown`, async () => {
    answerStatus(statusOf);
    await assert.rejects(landfall.presentContainer(parcel, { settleWithinMs: 300 }), (error) => {
      assert(error instanceof PresentationUnknownError, String(error));
      assert.match(String(error.cause), /is no status of|has no object/);
      return true;
    });
  });
}

test('the status of the request decides', async () => {
  answerStatus((requestId) => ({
    requestId: requestId.toUpperCase(),
    status: 'SUCCESS',
    notificationDate,
  }));
  assert(await landfall.presentContainer(parcel));
});
