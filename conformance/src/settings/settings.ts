// What the suite is given: the addresses of the tested service, and an identity for each role.
import type { KeyObject } from 'node:crypto';

/** What an identity is used for. A case whose role has no identity is not tested. */
export const roles = {
  presenter:
    'an organisation with the scope movement/entry and those of the modes of transport, which lodges and presents goods',
  other: 'a second organisation with the same scopes',
  foreign:
    'a foreign business with an eSeal and the scopes eu/movement/entry, eu/movement/road/v2 and eu/movement/air',
  authority: 'the customs authority: authority/registry and authority/routing',
  publisher: 'a client with the scope declaration.publish',
  reader: 'a client with the scope declaration.feed',
  uploader: 'an organisation with the scope goodsdeclaration/document.write',
  newcomer: 'an organisation to which the scope movement/entry is not granted yet',
} as const;

export type Role = keyof typeof roles;

/** One client, with what it needs to sign grants. */
export type Identity = {
  kind: 'domestic' | 'foreign';
  /** The identifier of its organisation, as tokens and declarations name it. */
  organisation: string;
  clientId: string;
  /** The scopes that it requests from the identity provider. */
  scopes: readonly string[];
  privateKey: KeyObject;
  /** The algorithm that signs grants; default: that of the key, RS256 of an RSA key. */
  algorithm?: string | undefined;
  /** The certificates that grants carry, leaf first, base64 DER; without any, grants name the key by `keyId`. */
  certificates: readonly string[];
  keyId?: string | undefined;
};

/** The settings of a run. */
export type Settings = {
  /** Address of the service, without a slash at the end. */
  baseUrl: string;
  identityProvider: {
    /** Its address, without a slash at the end. */
    url: string;
    /** The `aud` of grants. */
    audience: string;
  };
  scopePrefix: string;
  identities: Partial<Record<Role, Identity>>;
  /** A customs token whose time is over. */
  expiredToken?: string | undefined;
  /** An eventId of the goods-item stream after which messages are no longer retained. */
  expiredMarker?: string | undefined;
  /** The list of customs offices that the service has, as CSV. Cases replace it, and put it back. */
  customsOffices?: string | undefined;
};

/** The settings cannot be used. The message names the file and the member. */
export class SettingsError extends Error {
  readonly code = 'SETTINGS';
  override name = 'SettingsError';
}
