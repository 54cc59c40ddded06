// What the code lists add to a service: the import, and the list of customs offices that others check against.
import type { ServiceContext } from '../service-context.js';
import { CustomsOffices } from './customs-offices.js';
import { addCodeListRoutes } from './routes.js';

/** Adds them, and returns whether a customs office is in the list and valid at a moment. */
export function addCodeLists({ config, database, audit, jobs, http }: ServiceContext) {
  const offices = jobs.add('customs-offices', {
    sentence: 'the list of customs offices is not refreshed; the last one stays in use',
    work: () => new CustomsOffices(database, config.timeZone),
    start: (list, report) => list.load(report),
    close: (list) => list.stop(),
  });
  addCodeListRoutes(http, { database, audit, offices });
  return (referenceNumber: string, on: Date) => offices.isValid(referenceNumber, on);
}
