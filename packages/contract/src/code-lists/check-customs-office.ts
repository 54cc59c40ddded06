// The rule that a customs office must be in force.
import type { ValidationError } from '../errors.js';
import { isObject } from '../is-object.js';
import type { Checked } from '../validation.js';

/**
 * The error of a customs office that is not in CL141 today. The list changes weekly, so no schema has it.
 *
 * @param checked the message, checked by its schema
 * @param member the member with the office
 * @param isCustomsOffice whether a reference number is in force
 * @returns nothing if the schema already reports the member
 */
export function checkCustomsOffice(
  checked: Checked<unknown>,
  member: string,
  isCustomsOffice: (referenceNumber: string) => boolean,
): ValidationError[] {
  const office = isObject(checked.value) ? checked.value[member] : undefined;
  const isReported = !checked.valid && checked.errors.some(({ field }) => field === member);
  if (isReported || typeof office !== 'string' || isCustomsOffice(office)) return [];
  const error = 'must be a customs office in force (code list CL141)';
  return [{ field: member, error, code: 'UNKNOWN_CODE' }];
}
