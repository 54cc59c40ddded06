// What an address lists, and what the service is asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeAddress, queryOf, readFilter } from './transport-filter.js';

const ZONE = 'Europe/Oslo';
const now = Date.parse('2026-11-29T10:25:00Z');
const read = (query: string) => readFilter(new URLSearchParams(query), now, ZONE);

test('without anything, what is expected from a day ago on is listed, and says so in its field', () => {
  assert.deepEqual(read(''), {
    state: 'expected',
    mode: '',
    office: '',
    id: '',
    from: '2026-11-28T11:00',
    to: '',
  });
  assert.deepEqual(queryOf(read(''), ZONE), {
    state: 'CURRENT',
    arrived: false,
    from: '2026-11-28T10:00:00.000Z',
  });
});

test('a time that was removed stays removed, and a plate is looked for at all times', () => {
  assert.equal(read('from=').from, '');
  assert.equal(read('id=AB12345').from, '');
  assert.equal(read('id=AB12345&from=2026-05-04T08:00').from, '2026-05-04T08:00');
  assert.deepEqual(changeAddress(new URLSearchParams('mode=air&id=A'), { from: '', id: '' }), {
    mode: 'air',
    from: '',
  });
});

test('each filter is one of the service, and what is none is left out', () => {
  const query = 'state=arrived&mode=air&office=NO351001&id=%2ALN-RKA%2A&from=&to=2026-11-30T00:00';
  assert.deepEqual(queryOf(read(query), ZONE), {
    arrived: true,
    mode: 'air',
    office: 'NO351001',
    identificationNumber: 'LN-RKA',
    to: '2026-11-29T23:00:00.000Z',
  });
  assert.deepEqual(queryOf(read('state=all&from='), ZONE), {});
  assert.deepEqual(queryOf(read('state=EXPIRED&from=never&mode=moon'), ZONE), { state: 'EXPIRED' });
});
