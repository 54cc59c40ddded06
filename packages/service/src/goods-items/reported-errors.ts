// The broken rules of a publication: the first ones, and how many there are.
import { MAX_REPORTED_ERRORS, type ValidationError } from '@landfall/contract';

/** Gathers broken rules, and keeps no more of them than are reported. */
export class ReportedErrors {
  readonly reported: ValidationError[] = [];
  count = 0;

  add(errors: readonly ValidationError[]): void {
    this.count += errors.length;
    this.reported.push(...errors.slice(0, MAX_REPORTED_ERRORS - this.reported.length));
  }
}
