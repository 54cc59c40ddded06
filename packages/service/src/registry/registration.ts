// A registration: who tells what is pre-notified, and what became of it.
import type { HouseConsignmentCounts, ValidationError } from '@landfall/contract';

/** Who registers, by which request, and when. */
export type Registration = {
  at: Date;
  /** Left out where it is Landfall itself. */
  actor?: { organisationId: number; organisation: string; client: string };
  /** The request's own id. */
  requestId: string;
};

/** What has become of what was told. */
export type Registered = {
  status: 'REGISTERED' | 'CHANGED' | 'UNCHANGED';
  /** Members of the ENS itself that changed. */
  changed: readonly string[];
  houses: HouseConsignmentCounts;
};

/** Registered, or every rule that it breaks, having changed nothing. */
export type RegistrationOutcome = Registered | { errors: readonly ValidationError[] };
