// What whoever has signed in may do, by their scopes.
import { type ModeName, modes } from '@landfall/client';
import type { Session } from './session.js';

/** Whether they work for the authority, and so see all goods. */
export function isOfficer({ scopes }: Session): boolean {
  return scopes.includes('authority/registry') || scopes.includes('authority/routing');
}

/** Whether they see and change organisations. */
export function isRegistrar({ scopes }: Session): boolean {
  return scopes.includes('authority/registry');
}

/** Whether they decide. */
export function isDecider({ scopes }: Session): boolean {
  return scopes.includes('authority/routing');
}

/** Whether they present goods, and see their own. */
export function isPresenter({ scopes }: Session): boolean {
  return scopes.includes('movement/entry');
}

/** Whether they operate the service: they see its figures, and requests of everybody that failed. */
export function isOperator({ scopes }: Session): boolean {
  return scopes.includes('authority/operations');
}

/** The modes of transport by which they lodge. */
export function modesOf({ scopes }: Session): ModeName[] {
  // Safe cast: these are the keys of the object.
  return (Object.keys(modes) as ModeName[]).filter((name) => scopes.includes(modes[name].scope));
}

/** Whether they lodge transports and consignments, by any mode. */
export function isLodger(session: Session): boolean {
  return modesOf(session).length > 0;
}
