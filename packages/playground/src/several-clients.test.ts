// Several clients of one organisation: each has credentials of its own, and scenarios tell them apart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playgroundIdentities } from '@landfall/contract';
import { startPlayground } from './index.js';
import { clientOf, parcel } from './testing/client-case.js';

for (const { name, kind, organisation, organisationName } of playgroundIdentities) {
  // They present; others have other scopes.
  if (!['carrier', 'express'].includes(name)) continue;
  test(`a further client of ${organisation}, which is ${kind}`, async () => {
    const second = {
      name: 'second',
      kind,
      organisation,
      organisationName,
      scopes: ['movement/entry', 'movement/air'] as const,
      granted: ['movement/air'] as const,
    };
    await using playground = await startPlayground({
      identities: [{ ...second, scopes: [...second.scopes], granted: [...second.granted] }],
    });
    const [first, other] = [clientOf(playground, name), clientOf(playground, 'second')];
    const keys = playground.identities
      .filter((identity) => identity.organisation === organisation)
      .map(({ private_key: key }) => key);
    assert.equal(new Set(keys).size, 2);
    await first.presentHouseConsignment(parcel);
    const { entries } = await other.routingSignals();
    assert.equal(entries.length, 1, 'the signals are those of the organisation');
    // A scenario for one of them leaves the other alone, with the token and without it.
    playground.scenarios.add({ kind: 'internal-error', identity: 'second' });
    playground.scenarios.add({ kind: 'refused-grant', identity: 'second', code: 'MP-100' });
    await first.routingSignals();
    await assert.rejects(other.routingSignals({}, { retry: false }), { status: 500 });
    await clientOf(playground, name).testAuth();
    await assert.rejects(clientOf(playground, 'second').testAuth());
    await playground.reset();
    await first.testAuth();
    await other.testAuth();
  });
}
