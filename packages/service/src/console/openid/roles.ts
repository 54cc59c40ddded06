// Which scopes each role of a person gives, as the operator writes it: `officer=authority/registry,authority/routing`,
// several roles separated by semicolons.
import { type Operation, operations, parseScope, type ScopeName } from '@landfall/contract';
import type { RoleAssignment } from '../sessions.js';

/** The scopes of each role. */
export type Roles = ReadonlyMap<string, readonly ScopeName[]>;

/** The text breaks a rule, which the message says. */
export class RolesError extends Error {
  readonly code = 'ROLES';
  override name = 'RolesError';
}

/**
 * Reads the roles.
 *
 * @throws RolesError
 */
export function readRoles(text: string): Roles {
  const roles = new Map<string, readonly ScopeName[]>();
  for (const entry of splitList(text, ';')) {
    // The name of a role may contain equals signs, a scope does not.
    const end = entry.lastIndexOf('=');
    const role = entry.slice(0, Math.max(end, 0)).trim();
    const names = splitList(entry.slice(end + 1), ',');
    if (role === '' || names.length === 0) {
      throw new RolesError(`must have the form role=scope,scope; role=scope, not ${entry}`);
    }
    if (roles.has(role)) throw new RolesError(`has the role ${role} twice`);
    roles.set(
      role,
      names.map((name) => {
        const scope = parseScope(name, '');
        if (scope !== undefined && !scope.foreign) return scope.name;
        throw new RolesError(`gives the role ${role} the scope ${name}, which does not exist`);
      }),
    );
  }
  return roles;
}

/** The maximum number of role assignments of a person: more are ignored, the widest first. */
const MAX_ASSIGNMENTS = 50;

/** A role that somebody has for an organisation, as the provider names it. */
export type HeldRole = Pick<RoleAssignment, 'organisation'> & { role: string };

/**
 * What somebody with these roles may act as, and nothing else: an unknown role gives nothing. The narrowest is the first:
 * the one with the fewest scopes that permit changes, of these the one with the fewest scopes, of these the one that the
 * provider names first.
 */
export function assignRoles(roles: Roles, held: readonly HeldRole[]): RoleAssignment[] {
  const different = new Map(held.map((one) => [`${one.organisation}\n${one.role}`, one]));
  return [...different.values()]
    .flatMap(({ organisation, role }) => {
      const scopes = roles.get(role) ?? [];
      return scopes.length === 0 ? [] : [{ organisation, role, scopes }];
    })
    .toSorted((one, other) => compareWidth(one.scopes, other.scopes))
    .slice(0, MAX_ASSIGNMENTS);
}

function compareWidth(one: readonly ScopeName[], other: readonly ScopeName[]): number {
  return changingOf(one) - changingOf(other) || one.length - other.length;
}

/** How many of the scopes permit changes. */
function changingOf(scopes: readonly ScopeName[]): number {
  return scopes.filter((scope) => changingScopes.has(scope)).length;
}

/**
 * The scopes with which an operation can be called that changes something. Subscriptions do not count: whoever may read a
 * feed may subscribe to it, and nobody else's data change.
 */
const changingScopes: ReadonlySet<ScopeName> = new Set(
  Object.values<Operation>(operations).flatMap(({ method, tag, access }) =>
    method === 'GET' || tag === 'Push' || typeof access === 'string' ? [] : access,
  ),
);

function splitList(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
