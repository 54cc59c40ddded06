// Requirements on organisations.
import { randomUUID } from 'node:crypto';
import { newOrganisation } from '../data/identifiers.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

/** The media type of a change of some members (RFC 7396). */
export const MERGE_PATCH = 'application/merge-patch+json';

export const organisations: Area = {
  name: 'Organisations',
  requirements: [
    {
      id: 'REGI-009',
      sentence:
        'An organisation is stored and read back; the same data again changes nothing; private keys are refused.',
      sources: [api('putOrganisation', 'getOrganisation')],
      needs: ['authority'],
      cases: {
        'a new organisation with one client': async (context) => {
          const authority = context.as('authority');
          const id = newOrganisation();
          const json = {
            name: 'Conformance suite',
            kind: 'domestic',
            grantedScopes: ['movement/entry'],
            clients: [{ client_id: `conformance-${randomUUID()}` }],
          };
          const stored = await authority.call('putOrganisation', { path: { id }, json });
          expectStatus(stored, 200);
          expectSchema('putOrganisation', stored);
          const again = await authority.call('putOrganisation', { path: { id }, json });
          const read = await authority.call('getOrganisation', { path: { id } });
          expectStatus(read, 200);
          expectEqual(readObject(read), readObject(stored), 'the organisation');
          expectEqual(
            readObject(again),
            readObject(stored),
            'the organisation after the second request',
          );
          expectEqual(readObject(read).grantedScopes, ['movement/entry'], 'grantedScopes');
          expectEqual(readObject(read).blocked, false, 'blocked');
        },
        'a client with a private key': async (context) => {
          const keys = [{ kty: 'EC', crv: 'P-256', kid: 'k', x: 'AA', y: 'AA', d: 'AA' }];
          const response = await context.as('authority').call('putOrganisation', {
            path: { id: newOrganisation() },
            json: {
              name: 'Conformance suite',
              kind: 'domestic',
              clients: [{ client_id: `conformance-${randomUUID()}`, keys }],
            },
          });
          expectProblem(response, 400);
        },
        'a client of another organisation': async (context) => {
          const { clientId } = context.identity('authority');
          const response = await context.as('authority').call('putOrganisation', {
            path: { id: newOrganisation() },
            json: {
              name: 'Conformance suite',
              kind: 'domestic',
              clients: [{ client_id: clientId }],
            },
          });
          expectProblem(response, 400, { code: 'TAKEN' });
        },
        'an organisation that does not exist': async (context) => {
          const path = { id: newOrganisation() };
          expectProblem(await context.as('authority').call('getOrganisation', { path }), 404);
        },
      },
    },
    {
      id: 'REGI-040',
      sentence:
        'Identification numbers of an organisation are read back whatever their spelling was, and each belongs to one organisation.',
      sources: [api('putOrganisation', 'patchOrganisation'), decision(234)],
      needs: ['authority'],
      cases: {
        'a number in another spelling, and for another organisation': async (context) => {
          const authority = context.as('authority');
          const path = { id: newOrganisation() };
          const number = `DE${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`;
          const identificationNumbers = [number.toLowerCase()];
          const json = { name: 'Conformance suite', kind: 'domestic', identificationNumbers };
          const stored = await authority.call('putOrganisation', { path, json });
          expectStatus(stored, 200);
          const read = readObject(await authority.call('getOrganisation', { path }));
          expectEqual(read.identificationNumbers, [number], 'identificationNumbers');
          const other = { id: newOrganisation() };
          const taken = await authority.call('putOrganisation', { path: other, json });
          expectProblem(taken, 400, { field: 'identificationNumbers.0', code: 'TAKEN' });
          const raw = JSON.stringify({ identificationNumbers: [] });
          const change = { path, raw, type: MERGE_PATCH };
          expectStatus(await authority.call('patchOrganisation', change), 200);
          expectStatus(await authority.call('putOrganisation', { path: other, json }), 200);
        },
        'a number that names an organisation by itself': async (context) => {
          const id = newOrganisation();
          const identificationNumbers = [id.replace('0192:', 'NO')];
          const json = { name: 'Conformance suite', kind: 'domestic', identificationNumbers };
          const response = await context
            .as('authority')
            .call('putOrganisation', { path: { id }, json });
          expectProblem(response, 400, { field: 'identificationNumbers.0', code: 'FORMAT' });
        },
      },
    },
    {
      id: 'REGI-016',
      sentence: 'Organisations are listed in the order of their ids, after the marker.',
      sources: [api('listOrganisations')],
      needs: ['authority'],
      cases: {
        'an organisation that was just stored': async (context) => {
          const authority = context.as('authority');
          const id = newOrganisation();
          const json = { name: 'Conformance suite', kind: 'domestic' };
          await authority.call('putOrganisation', { path: { id }, json });
          const readFirst = async (marker: string) => {
            const query = { marker, limit: '1' };
            const response = await authority.call('listOrganisations', { query });
            expectStatus(response, 200);
            expectSchema('listOrganisations', response);
            const page = readJson(response);
            const [first] = Array.isArray(page) ? page : [];
            return String(first?.id ?? '');
          };
          // The last text before the identifier: the digit before its last one, or without it.
          const before = id.replace(/\d$/, (digit) =>
            digit === '0' ? '' : `${Number(digit) - 1}`,
          );
          expectEqual(await readFirst(before), id, 'the first organisation after the marker');
          const next = await readFirst(id);
          expect(next === '' || next > id, `${next} is after the marker ${id}`);
        },
      },
    },
    {
      id: 'REGI-043',
      sentence:
        'Officers read the names of the organisations whose ids they name, and of no others.',
      sources: [api('listOrganisationNames'), decision(269)],
      needs: ['authority'],
      cases: {
        'two that were just stored, one that was not, and one that is not named': async (
          context,
        ) => {
          const authority = context.as('authority');
          const [one, other, unnamed] = [newOrganisation(), newOrganisation(), newOrganisation()];
          for (const id of [one, other, unnamed]) {
            const json = { name: `Conformance suite ${id}`, kind: 'domestic' };
            await authority.call('putOrganisation', { path: { id }, json });
          }
          const ids = [one, newOrganisation(), other].join(',');
          const response = await authority.call('listOrganisationNames', { query: { ids } });
          expectStatus(response, 200);
          expectSchema('listOrganisationNames', response);
          expectEqual(
            readJson(response),
            [one, other].sort().map((id) => ({ id, name: `Conformance suite ${id}` })),
            'the names',
          );
        },
        'more than 50 ids': async (context) => {
          const ids = Array.from({ length: 51 }, newOrganisation).join(',');
          const response = await context
            .as('authority')
            .call('listOrganisationNames', { query: { ids } });
          expectProblem(response, 400, { field: 'ids', code: 'FORMAT' });
        },
      },
    },
    {
      id: 'REGI-014',
      sentence:
        'A request with If-Match replaces the organisation as it was read, and none that was changed since then.',
      sources: [api('putOrganisation'), decision(129)],
      needs: ['authority'],
      cases: {
        'two changes of the same state': async (context) => {
          const authority = context.as('authority');
          const path = { id: newOrganisation() };
          const json = { name: 'Conformance suite', kind: 'domestic' };
          await authority.call('putOrganisation', { path, json });
          const read = readObject(await authority.call('getOrganisation', { path }));
          const headers = { 'if-match': String(read.etag) };
          const change = (name: string) =>
            authority.call('putOrganisation', { path, headers, json: { ...json, name } });
          expectStatus(await change('First'), 200);
          expectProblem(await change('Second'), 412);
          const { name } = readObject(await authority.call('getOrganisation', { path }));
          expectEqual(name, 'First', 'the name');
        },
      },
    },
    {
      id: 'REGI-015',
      sentence:
        'A request with If-None-Match creates an organisation, and replaces none that exists; repeating it is not refused.',
      sources: [api('putOrganisation'), decision(129)],
      needs: ['authority'],
      cases: {
        'two creations at the same moment': async (context) => {
          const authority = context.as('authority');
          const path = { id: newOrganisation() };
          const headers = { 'if-none-match': '*' };
          const create = (name: string) =>
            authority.call('putOrganisation', { path, headers, json: { name, kind: 'domestic' } });
          const [first, second] = await Promise.all([create('First'), create('Second')]);
          const [created, refused] = first.status === 200 ? [first, second] : [second, first];
          expectStatus(created, 200);
          expectProblem(refused, 412);
          const again = await create(String(readObject(created).name));
          expectStatus(again, 200);
          expectEqual(readObject(again), readObject(created), 'the organisation after repeating');
          const read = await authority.call('getOrganisation', { path });
          expectEqual(readObject(read), readObject(created), 'the organisation');
        },
        'another value than *': async (context) => {
          const response = await context.as('authority').call('putOrganisation', {
            path: { id: newOrganisation() },
            headers: { 'if-none-match': '"etag"' },
            json: { name: 'Conformance suite', kind: 'domestic' },
          });
          expectProblem(response, 400, { code: 'FORMAT', field: 'If-None-Match' });
        },
      },
    },
    {
      id: 'REGI-025',
      sentence:
        'A registered organisation is replaced only by a request that names the state that was read: others are 428.',
      sources: [api('putOrganisation'), decision(256)],
      needs: ['authority'],
      cases: {
        'another entry without a precondition, then with its etag as a member': async (context) => {
          const authority = context.as('authority');
          const path = { id: newOrganisation() };
          const json = { name: 'Conformance suite', kind: 'domestic' };
          const stored = await authority.call('putOrganisation', { path, json });
          const change = { ...json, name: 'Changed' };
          expectProblem(await authority.call('putOrganisation', { path, json: change }), 428);
          const read = readObject(await authority.call('getOrganisation', { path }));
          expectEqual(read, readObject(stored), 'the organisation after the refusal');
          const asRead = { ...change, etag: read.etag };
          expectStatus(await authority.call('putOrganisation', { path, json: asRead }), 200);
          const late = { ...json, name: 'Late', etag: read.etag };
          expectProblem(await authority.call('putOrganisation', { path, json: late }), 412);
        },
      },
    },
    {
      id: 'REGI-026',
      sentence: 'A change of some members leaves the others of the organisation as they are.',
      sources: [api('patchOrganisation'), decision(256)],
      needs: ['authority'],
      cases: {
        'a block': async (context) => {
          const authority = context.as('authority');
          const path = { id: newOrganisation() };
          const json = {
            name: 'Conformance suite',
            kind: 'domestic',
            grantedScopes: ['movement/entry'],
            clients: [{ client_id: `conformance-${randomUUID()}` }],
          };
          const stored = readObject(await authority.call('putOrganisation', { path, json }));
          const block = { path, json: { blocked: true }, type: MERGE_PATCH };
          const blocked = await authority.call('patchOrganisation', block);
          expectStatus(blocked, 200);
          expectSchema('patchOrganisation', blocked);
          const { etag, ...after } = readObject(blocked);
          const { etag: before, ...unchanged } = stored;
          expectEqual(after, { ...unchanged, blocked: true }, 'the organisation');
          expect(etag !== before, 'the etag is that of the organisation before');
        },
        'a member that does not exist': async (context) => {
          const authority = context.as('authority');
          const path = { id: newOrganisation() };
          const json = { name: 'Conformance suite', kind: 'domestic' };
          await authority.call('putOrganisation', { path, json });
          const misspelt = { path, json: { block: true }, type: MERGE_PATCH };
          const response = await authority.call('patchOrganisation', misspelt);
          expectProblem(response, 400, { code: 'UNKNOWN_MEMBER', field: 'block' });
        },
        'an organisation that does not exist': async (context) => {
          const path = { id: newOrganisation() };
          const block = { path, json: { blocked: true }, type: MERGE_PATCH };
          expectProblem(await context.as('authority').call('patchOrganisation', block), 404);
        },
      },
    },
  ],
};
