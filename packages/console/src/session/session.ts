// The session of the console: what the service says of it, and signing out.

/** What the service says before anybody has signed in. */
export type Configuration = {
  /**
   * `identity`: the service is a playground, whose identities stand in for people; `space`: it is a hosted one, where
   * everybody opens a space of their own first.
   */
  signIn: 'identity' | 'space' | 'openid-connect';
  /** The space of a hosted playground that this browser has opened. */
  space?: string;
  /** The time zone of the customs offices, such as `Europe/Oslo`. */
  timeZone: string;
  /** Which decisions officers can make: two, or also `ENTRY_PENDING` and `ENTRY_DENIED`. */
  routingResults: 'standard' | 'extended';
  /** The data folder of a playground, as it was given; absent if it keeps none. */
  dataFolder?: string;
};

/** Who has signed in, for which organisation, and what they may do. */
export type Session = {
  kind: 'identity' | 'person';
  /** Identifies who has signed in, in the audit trail too. */
  subject: string;
  name: string;
  organisation: string;
  /** The role that a person acts in. */
  role?: string;
  /** What a person may act as, the narrowest first; empty for an identity. */
  assignments: readonly RoleAssignment[];
  /** Plain scopes, such as `movement/entry`. */
  scopes: readonly string[];
  csrfToken: string;
  endsAt: string;
};

/** What somebody may act as. */
export type RoleAssignment = { organisation: string; role: string };

/** Identifies who acts, and as what: another caller sees other pages and other data. */
export function callerOf({ subject, organisation, role = '' }: Session): string {
  return [subject, organisation, role].join(' ');
}

/** The header that proves that a request comes from a page of the console. */
export const CSRF_HEADER = 'Landfall-CSRF-Token';

/** Reads the configuration. Throws TypeError when the service cannot be reached. */
export async function readConfiguration(): Promise<Configuration> {
  const response = await fetch('/console/configuration');
  if (!response.ok) throw new Error(`the configuration cannot be read (${response.status})`);
  return response.json();
}

/** Reads the session; `undefined` if nobody has signed in, or the session has ended. */
export async function readSession(): Promise<Session | undefined> {
  const response = await fetch('/console/session');
  if (response.status === 204) return undefined;
  if (!response.ok) throw new Error(`the session cannot be read (${response.status})`);
  return response.json();
}

/** Acts as something else from now on: it is another session, with another `csrfToken`. */
export async function chooseAssignment(
  { csrfToken }: Session,
  assignment: RoleAssignment,
): Promise<void> {
  const response = await fetch('/console/session', {
    method: 'PUT',
    headers: { [CSRF_HEADER]: csrfToken, 'content-type': 'application/json' },
    body: JSON.stringify(assignment),
  });
  if (!response.ok) throw new Error(`the role cannot be chosen (${response.status})`);
}

/**
 * Ends the session of this browser; one that has ended already is no error.
 *
 * @returns where the browser continues: at the provider of the sign-in, which ends its own session, or at the console
 */
export async function endSession({ csrfToken }: Session): Promise<string> {
  const response = await fetch('/console/session', {
    method: 'DELETE',
    headers: { [CSRF_HEADER]: csrfToken },
  });
  if (response.status === 200) {
    const { continueAt } = await response.json();
    return continueAt;
  }
  if (response.status === 403) {
    // The browser has another session than this page, such as of another role: that one ends.
    const current = await readSession();
    if (current !== undefined && current.csrfToken !== csrfToken) return endSession(current);
  }
  if (!response.ok && response.status !== 401) {
    throw new Error(`the session cannot be ended (${response.status})`);
  }
  return '/console/';
}
