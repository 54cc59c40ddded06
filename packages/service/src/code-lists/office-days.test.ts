// The days of customs offices are those of their time zone, also where clocks change.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { CustomsOffices } from './customs-offices.js';
import { importCustomsOffices } from './import-customs-offices.js';

/** Of each, one office has it as its first day and one as its last. */
const DAYS = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26'];

/** The moments at which a day begins in a zone: one millisecond before, it is the day before. */
const beginnings = [
  ['UTC', '2026-03-29', '2026-03-29T00:00:00Z'],
  // Clocks go forward at 01:00Z, and back at 01:00Z.
  ['Europe/Oslo', '2026-03-29', '2026-03-28T23:00:00Z'],
  ['Europe/Oslo', '2026-03-30', '2026-03-29T22:00:00Z'],
  ['Europe/Oslo', '2026-10-25', '2026-10-24T22:00:00Z'],
  ['Europe/Oslo', '2026-10-26', '2026-10-25T23:00:00Z'],
  ['America/New_York', '2026-03-29', '2026-03-29T04:00:00Z'],
  ['Pacific/Kiritimati', '2026-03-29', '2026-03-28T10:00:00Z'],
  ['Pacific/Pago_Pago', '2026-03-29', '2026-03-29T11:00:00Z'],
  ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00Z'],
  // There, the clocks of this day went forward at midnight: it began at 01:00.
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
] as const;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the days of customs offices on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
      const days = [...DAYS, '2026-03-08'];
      const list = days.flatMap((day, index) => [
        { referenceNumber: `NO1${String(index).padStart(5, '0')}`, name: day, validFrom: day },
        { referenceNumber: `NO2${String(index).padStart(5, '0')}`, name: day, validTo: day },
      ]);
      const offices = new CustomsOffices(database, 'UTC');
      await importCustomsOffices(
        { database, offices, audit: new AuditTrail() },
        list,
        { expectedRemovals: 49 },
        { at: new Date('2026-01-01'), actor: undefined, requestId: undefined },
      );
    });
    after(() => database.close());

    for (const [zone, day, begins] of beginnings) {
      test(`${day} begins at ${begins} in ${zone}`, async () => {
        const offices = new CustomsOffices(database, zone);
        await offices.refresh();
        const index = String([...DAYS, '2026-03-08'].indexOf(day)).padStart(5, '0');
        const begin = Date.parse(begins);
        const isValid = (kind: 1 | 2, at: number) =>
          offices.isValid(`NO${kind}${index}`, new Date(at));
        assert.equal(isValid(1, begin - 1), false, 'before its first day');
        assert.equal(isValid(1, begin), true, 'on its first day');
        // The last day of the office ends with the day: it is valid now, and 26 hours later it is not.
        assert.equal(isValid(2, begin), true, 'on its last day');
        assert.equal(isValid(2, begin + 26 * 3600_000), false, 'after its last day');
      });
    }

    test('the last day has 23 hours when clocks go forward, and 25 when they go back', async () => {
      const offices = new CustomsOffices(database, 'Europe/Oslo');
      await offices.refresh();
      const lastDay = (office: string, at: string) => offices.isValid(office, new Date(at));
      assert.equal(lastDay('NO200001', '2026-03-29T21:59:59.999Z'), true);
      assert.equal(lastDay('NO200001', '2026-03-29T22:00:00.000Z'), false);
      assert.equal(lastDay('NO200003', '2026-10-25T22:59:59.999Z'), true);
      assert.equal(lastDay('NO200003', '2026-10-25T23:00:00.000Z'), false);
    });
  });
}
