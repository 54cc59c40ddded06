// Changes of an organisation, and how two states of one differ.
import type { Organisation, OrganisationClient, PublicKey, Scope } from '@landfall/client';

/** A change, which is made to the organisation as it was read. */
export type Change = (organisation: Organisation) => Organisation;

/** Every scope; `isForeign`: whether a foreign organisation may have it. */
const SCOPES: Record<Scope, { isForeign: boolean }> = {
  'movement/entry': { isForeign: true },
  'movement/road/v2': { isForeign: true },
  'movement/air': { isForeign: true },
  'movement/rail': { isForeign: true },
  'movement/maritime': { isForeign: true },
  'movement/transportarrival': { isForeign: false },
  'goodsdeclaration/document.write': { isForeign: true },
  'declaration.feed': { isForeign: false },
  'declaration.publish': { isForeign: false },
  'authority/registry': { isForeign: false },
  'authority/routing': { isForeign: false },
  'authority/operations': { isForeign: false },
};

/** The scopes that an organisation of a kind may have. */
export function scopesFor(kind: Organisation['kind']): Scope[] {
  // The cast is true because the table has exactly the scopes.
  return (Object.keys(SCOPES) as Scope[]).filter(
    (scope) => kind === 'domestic' || SCOPES[scope].isForeign,
  );
}

/** Grants exactly these scopes. */
export function grant(scopes: readonly Scope[]): Change {
  return (organisation) => ({ ...organisation, grantedScopes: [...scopes].sort() });
}

/** The numbers in a text that separates them by commas or line ends, as they are stored: in capitals and without blanks. */
export function numbersIn(text: string): string[] {
  const numbers = text.split(/[,;\n]/).map((number) => number.replace(/\s/g, '').toUpperCase());
  return [...new Set(numbers.filter((number) => number !== ''))].sort();
}

/** Gives it exactly these identification numbers. */
export function setNumbers(numbers: readonly string[]): Change {
  return (organisation) => ({ ...organisation, identificationNumbers: [...numbers] });
}

export function setBlocked(blocked: boolean): Change {
  return (organisation) => ({ ...organisation, blocked });
}

/** Changes a client, which is added if there is none. */
function changeClient(
  clientId: string,
  change: (client: OrganisationClient) => Partial<OrganisationClient>,
): Change {
  return (organisation) => {
    const { clients } = organisation;
    const existing = clients.find(({ client_id: id }) => id === clientId);
    const before = existing ?? { client_id: clientId };
    const after = { ...before, ...change(before) };
    return {
      ...organisation,
      clients:
        existing === undefined
          ? [...clients, after]
          : clients.map((client) => (client === existing ? after : client)),
    };
  };
}

export function setClientBlocked(clientId: string, blocked: boolean): Change {
  return changeClient(clientId, () => ({ blocked }));
}

/** Registers a key; one with the same `kid` is replaced. */
export function addKey(clientId: string, key: PublicKey): Change {
  return changeClient(clientId, ({ keys = [] }) => ({
    keys: [...keys.filter(({ kid }) => kid !== key.kid), key],
  }));
}

export function removeKey(clientId: string, kid: string | undefined): Change {
  return changeClient(clientId, ({ keys = [] }) => ({
    keys: keys.filter((key) => key.kid !== kid),
  }));
}

/** Registers a certificate: base64 DER. */
export function addCertificate(clientId: string, certificate: string): Change {
  return changeClient(clientId, ({ certificates = [] }) => ({
    certificates: [...certificates.filter((other) => other !== certificate), certificate],
  }));
}

export function removeCertificate(clientId: string, certificate: string): Change {
  return changeClient(clientId, ({ certificates = [] }) => ({
    certificates: certificates.filter((other) => other !== certificate),
  }));
}

/** A part of an organisation that differs, and its values in both states. */
export type Difference = {
  part: 'name' | 'grantedScopes' | 'identificationNumbers' | 'blocked' | 'clients';
  /** Of clients: those that differ, by their names. */
  before: string;
  after: string;
};

/** How two states of an organisation differ; empty if they do not. */
export function differences(before: Organisation, after: Organisation): Difference[] {
  const found: Difference[] = [];
  const compare = (part: Difference['part'], one: string, other: string) => {
    if (one !== other) found.push({ part, before: one, after: other });
  };
  compare('name', before.name, after.name);
  compare('grantedScopes', listOf(before.grantedScopes), listOf(after.grantedScopes));
  compare(
    'identificationNumbers',
    listOf(before.identificationNumbers),
    listOf(after.identificationNumbers),
  );
  compare('blocked', String(before.blocked), String(after.blocked));
  const differing = (
    clients: readonly OrganisationClient[],
    others: readonly OrganisationClient[],
  ) =>
    clients
      .filter((client) => !others.some((other) => canonical(other) === canonical(client)))
      .map(({ client_id: id }) => id);
  const [removed, added] = [
    differing(before.clients, after.clients),
    differing(after.clients, before.clients),
  ];
  if (removed.length + added.length > 0) {
    found.push({ part: 'clients', before: listOf(removed), after: listOf(added) });
  }
  return found;
}

function listOf(names: readonly string[]): string {
  return [...names].sort().join(', ');
}

/** A text that does not depend on the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
