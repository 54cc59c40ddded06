// The checker finds each broken promise in a history that has it, and nothing in one that has none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkHistory, measure } from './check-history.js';

/** Three requests of organisation 0, of which the second was repeated after a lost response; all are read. */
function makeRun() {
  const present = (requestId, house, attempt, start, outcome) => ({
    kind: 'present',
    client: 'writer 0',
    requestId,
    house,
    attempt,
    start,
    end: start + 10,
    outcome,
  });
  const read = (marker, ids, start) => ({
    kind: 'read',
    client: 'reader 0',
    marker,
    ids,
    start,
    end: start + 10,
    outcome: 'page',
  });
  const status = { kind: 'status', client: 'writer 0', requestId: 'b', house: 1, attempt: 2 };
  return {
    history: [
      present('a', 0, 1, 1000, 'accepted'),
      present('b', 1, 1, 2000, 'lost'),
      present('b', 1, 2, 3000, 'reused'),
      { ...status, start: 3020, end: 3030, outcome: 'found' },
      present('c', 2, 1, 4000, 'accepted'),
      read(undefined, ['m1'], 1500),
      read('m1', ['m2', 'm3'], 4500),
    ],
    final: {
      statuses: new Map(['a', 'b', 'c'].map((id) => [id, { failed: false }])),
      feeds: new Map([[0, ['m1', 'm2', 'm3'].map((id, house) => ({ id, house }))]]),
    },
    disturbances: [{ name: 'switch over', planned: true, at: 1900, until: 5000 }],
    readers: [{ organisation: 0, ids: ['m1', 'm2', 'm3'] }],
  };
}

/** What the checker says of a run after a change. */
function check(change = () => undefined) {
  const run = makeRun();
  change(run);
  return checkHistory(run.history, run.final, run.disturbances, run.readers);
}

describe('a run in which every promise was kept', () => {
  test('has nothing broken', () => {
    assert.deepEqual(check(), []);
  });
});

describe('a broken promise is found:', () => {
  const cases = {
    'an acknowledged request that the database does not have': [
      ({ final }) => final.statuses.delete('a'),
      /acknowledged and lost: a/,
    ],
    'an acknowledged request that failed in the database': [
      ({ final }) => final.statuses.set('c', { failed: true }),
      /acknowledged and lost: c/,
    ],
    'a request that was found once and lost later': [
      ({ final }) => final.statuses.delete('b'),
      /acknowledged and lost: b/,
    ],
    'a requestId that was acknowledged twice': [
      ({ history }) => history.push({ ...history[0], kind: 'repeat', start: 4600, end: 4610 }),
      /acknowledged twice: a/,
    ],
    'a status that is missing after the request was acknowledged': [
      ({ history }) => history.push({ ...history[3], start: 3100, end: 3110, outcome: 'missing' }),
      /not found later: b/,
    ],
    'goods that were signalled twice': [
      ({ final, readers }) => {
        final.feeds.get(0).push({ id: 'm4', house: 0 });
        readers[0].ids.push('m4');
      },
      /signalled other than once: house consignment 0: 2 signals/,
    ],
    'goods that were presented and not signalled': [
      ({ final, readers }) => {
        final.feeds.get(0).pop();
        readers[0].ids.pop();
      },
      /signalled other than once: house consignment 2: 0 signals/,
    ],
    'a signal that nobody presented': [
      ({ final, readers }) => {
        final.feeds.get(0).push({ id: 'm4', house: 9 });
        readers[0].ids.push('m4');
      },
      /house consignment 9: 1 signals/,
    ],
    'a page with a signal that is not in the feed': [
      ({ history }) => {
        history[5] = { ...history[5], ids: ['gone'] };
      },
      /a page does not continue after its marker: reader 0/,
    ],
    'a page that skips a signal': [
      ({ history }) => {
        history[6] = { ...history[6], ids: ['m3'] };
      },
      /a page does not continue after its marker: reader 0 after m1/,
    ],
    'a reader who has less than the feed': [
      ({ readers }) => readers[0].ids.pop(),
      /another sequence than the feed: reader 0 has 2, the feed 3/,
    ],
    'a reader who has the signals in another order': [
      ({ readers }) => readers[0].ids.reverse(),
      /another sequence than the feed/,
    ],
    'a response that no client expects': [
      ({ history }) => history.push({ ...history[0], outcome: 'wrong', response: '500 Oops' }),
      /a response that no client expects: present by writer 0: 500 Oops/,
    ],
    'a request that fails again when it is retried once in a planned switchover': [
      ({ history }) => {
        history[2] = { ...history[2], outcome: 'unavailable' };
      },
      /failed again when retried once, in a planned switchover: switch over: b/,
    ],
    'a recovery that takes longer than 30 s': [
      ({ history, disturbances }) => {
        disturbances[0].until = 40_000;
        history.push({ ...history[1], requestId: 'c', house: 2, start: 33_000, end: 33_010 });
        history.push({
          ...history[0],
          kind: 'repeat',
          outcome: 'reused',
          start: 34_000,
          end: 34_010,
        });
      },
      /no recovery within 30 s: switch over/,
    ],
  };
  for (const [title, [change, expected]] of Object.entries(cases)) {
    test(title, () => assert.match(check(change).join('\n'), expected));
  }

  test('of many violations of one kind the first are described, and all are counted', () => {
    const broken = check(({ history }) => {
      for (let number = 0; number < 9; number++) {
        history.push({ ...history[0], requestId: `lost ${number}`, house: 0 });
      }
    });
    const lost = broken.filter((line) => line.startsWith('acknowledged and lost'));
    assert.equal(lost.length, 6);
    assert.equal(lost.at(-1), 'acknowledged and lost: 9 in all');
  });
});

describe('the recovery from a fault', () => {
  const call = (start, end, outcome) => ({
    kind: 'present',
    requestId: `${start}`,
    attempt: 1,
    start,
    end,
    outcome,
  });
  const fault = { name: 'kill the primary', at: 1000, undoneAt: 21_000, until: 30_000 };
  const recovery = (...history) => measure(history, [fault])[0];

  test('is zero if no call failed', () => {
    const { recovery: duration, undoRecovery } = recovery(call(2000, 2010, 'accepted'));
    assert.deepEqual([duration, undoRecovery], [0, 0]);
  });

  test('ends with the first acknowledgement after the last failure', () => {
    const result = recovery(
      call(990, 1200, 'lost'),
      call(2000, 2010, 'accepted'),
      call(5000, 5010, 'unavailable'),
      call(6000, 6010, 'accepted'),
      call(7000, 7010, 'accepted'),
    );
    assert.equal(result.recovery, 5010);
    assert.equal(result.failed, 1);
  });

  test('has not ended while calls take longer than 5 s', () => {
    const slow = call(1500, 9000, 'accepted');
    assert.equal(recovery(slow, call(9100, 9110, 'accepted')).recovery, 8110);
    assert.equal(recovery(slow).recovery, Number.POSITIVE_INFINITY);
  });

  test('is not affected by a call that the next disturbance interrupts', () => {
    const { recovery: duration, undoRecovery } = recovery(
      call(20_900, 40_000, 'lost'),
      call(29_900, 40_000, 'accepted'),
    );
    assert.deepEqual([duration, undoRecovery], [0, 0]);
  });

  test('is measured again from the moment when the fault is undone', () => {
    const result = recovery(call(22_000, 22_010, 'unavailable'), call(23_000, 23_010, 'accepted'));
    assert.deepEqual([result.recovery, result.undoRecovery], [0, 2010]);
  });
});
