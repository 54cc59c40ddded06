// The addresses of a hosted playground: signing up for a space, opening it with its access code, and what its owner does.
import { ApiError, Connection, type OperationInput } from '@landfall/client';
import { link } from '../session/link.js';
import { control } from './control.js';

/** The limits of every space. */
export type Limits = {
  resetHour: number;
  timeZone: string;
  spacesPerAddress: number;
  requestsPerMinute: number;
  /** Megabytes. */
  spaceSize: number;
  unusedDays: number;
  /** Whether all spaces are taken. */
  isFull: boolean;
};

/** A space, as its owner sees it. Times are ISO 8601. */
export type Space = {
  name: string;
  organisation: string;
  baseUrl: string;
  idpUrl: string;
  createdAt: string;
  nextReset: string;
  deletedAt: string;
  limits: Limits;
};

/** A client's credentials, as programs read them from a file. */
export type Credentials = { name: string } & Record<string, unknown>;

/** A space that was just made: its access code is not shown again. */
export type NewSpace = Space & { accessCode: string; credentials: Credentials };

export const readLimits = control<OperationInput, { limits: Limits }>('GET', '/playground/hosting');

export const signUp = control<{ body: { organisation: string } }, NewSpace>(
  'POST',
  '/playground/hosting/spaces',
);

export const openSpace = control<{ body: { accessCode: string } }, Space>(
  'POST',
  '/playground/hosting/session',
);

export const leaveSpace = control<OperationInput, void>('DELETE', '/playground/hosting/session');

export const readSpace = control<OperationInput, Space>('GET', '/playground/hosting/space');

export const deleteSpace = control<OperationInput, void>('DELETE', '/playground/hosting/space');

export const readCredentials = control<OperationInput, { identities: Credentials[] }>(
  'GET',
  '/playground/credentials',
);

/** The connection to them: nothing is repeated, because a sign-up that was carried out would make a second space. */
export const hosting = new Connection({
  baseUrl: location.origin,
  retry: false,
  fetch: link.fetch,
});

/** Why the service refused something, in its own words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  const [first] = error.validationErrors;
  return first === undefined ? (error.detail ?? error.title) : `${first.field} ${first.error}`;
}
