// What an import would change of the list in force, and whether that is what its caller expects. No database.
import {
  type CodeListImportQuery,
  type CustomsOffice,
  type CustomsOfficeChanges,
  LISTED_CHANGES,
  type ValidationError,
} from '@landfall/contract';
import { addDays, isValidOn } from './calendar-day.js';

/** The share of a list that is removed only if the caller expects it. */
const UNEXPECTED_SHARE = 1 / 10;

/** How many days from today on are looked at: a list in which every office ends tomorrow is found before it is in force. */
const DAYS = 30;

/** The difference of two lists. */
export type ListChanges = {
  /** As the new list has them. */
  added: readonly CustomsOffice[];
  /** As the new list has them. */
  changed: readonly CustomsOffice[];
  /** As they were: they are not in the new list, or their days there end what is valid now or within 30 days. */
  removed: readonly CustomsOffice[];
};

/** @param today the day in the time zone of the customs offices */
export function compareLists(
  current: readonly CustomsOffice[],
  list: readonly CustomsOffice[],
  today: string,
): ListChanges {
  const before = new Map(current.map((office) => [office.referenceNumber, office]));
  const after = new Map(list.map((office) => [office.referenceNumber, office]));
  const days = Array.from({ length: DAYS + 1 }, (_, index) => addDays(today, index));
  const isRemoved = (office: CustomsOffice) => {
    const next = after.get(office.referenceNumber);
    if (next === undefined) return true;
    if (next.validFrom === office.validFrom && next.validTo === office.validTo) return false;
    return days.some((day) => isValidOn(office, day) && !isValidOn(next, day));
  };
  const isChanged = (office: CustomsOffice) => {
    const previous = before.get(office.referenceNumber);
    return previous !== undefined && differs(previous, office) && !isRemoved(previous);
  };
  return {
    added: list.filter(({ referenceNumber }) => !before.has(referenceNumber)),
    changed: list.filter(isChanged),
    removed: current.filter(isRemoved),
  };
}

function differs(one: CustomsOffice, other: CustomsOffice): boolean {
  return (
    one.name !== other.name || one.validFrom !== other.validFrom || one.validTo !== other.validTo
  );
}

/** How many entries an import adds, changes and removes. */
export type ChangeCounts = { added: number; changed: number; removed: number };

/**
 * The error of an import that would not remove as many entries as expected, or many without an expectation.
 *
 * @param entries how many entries the current list has
 * @param plural what they are called
 */
export function checkRemovals(
  { added, changed, removed }: ChangeCounts,
  entries: number,
  plural: string,
  expectedRemovals: CodeListImportQuery['expectedRemovals'],
): ValidationError[] {
  const field = 'expectedRemovals';
  // A request that is sent again because its response was lost finds its own list.
  if (added + changed + removed === 0) return [];
  if (expectedRemovals !== undefined) {
    if (expectedRemovals === removed) return [];
    const error = `is not ${removed}, as many ${plural} as the import would remove now: nothing was changed`;
    return [{ field, error, code: 'COUNT_DIFFERS' }];
  }
  if (removed <= 1 || removed <= entries * UNEXPECTED_SHARE) return [];
  const error = `is required, because the import would remove ${removed} of the ${entries} ${plural}, more than a tenth: nothing was changed. Send the list with preview=true to see which, then with expectedRemovals=${removed}`;
  return [{ field, error, code: 'REQUIRED' }];
}

/** How many there are, and the first of them. */
export function showChanges(offices: readonly CustomsOffice[]): CustomsOfficeChanges {
  return { count: offices.length, first: offices.slice(0, LISTED_CHANGES) };
}
