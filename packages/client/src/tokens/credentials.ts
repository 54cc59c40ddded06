// Who a client is, and with which identity provider it is registered.
import type { GrantAlgorithm } from './algorithms.js';
import type { SigningKey } from './signing-key.js';

/** The scopes that scope texts begin with unless configured otherwise. */
export const DEFAULT_SCOPE_PREFIX = 'customs:';

/** An identity provider that takes signed grants (RFC 7523). */
export type IdentityProvider = {
  /** Its address, such as `https://customs.example/idp`. */
  url: string;
  /** Where grants are posted; default `<url>/token`. */
  tokenUrl?: string | undefined;
  /** The `aud` of grants; default `url` as it is written. */
  audience?: string | undefined;
  /** More claims of each grant, such as `resource`. */
  claims?: Readonly<Record<string, unknown>> | undefined;
};

type CommonCredentials = {
  /** The private key that signs grants. */
  key: SigningKey;
  /** The algorithm that an RSA key signs with; default RS256. The algorithms of other keys follow from the key. */
  algorithm?: GrantAlgorithm | undefined;
  identityProvider: IdentityProvider;
  /**
   * The scopes that customs has granted, as they are written in tokens, such as `customs:movement/entry`. No other is
   * requested. Default: whatever a called operation needs.
   */
  scopes?: readonly string[] | undefined;
  /** What scopes begin with; default `customs:`. */
  scopePrefix?: string | undefined;
  /** Where tokens are exchanged; default the address in the contract, below the address of the service. */
  exchangeUrl?: string | undefined;
};

/** A domestic business: a registered client with a registered key, or with its business certificate. */
export type DomesticCredentials = CommonCredentials & {
  kind: 'domestic';
  /** The registered client id: `iss` of grants. */
  clientId: string;
  /** The `kid` under which the key is registered; default that of the JWK. Without one, grants carry the certificates. */
  keyId?: string | undefined;
  /** The business certificate, and its chain if the identity provider needs it: PEM or base64 DER, leaf first. */
  certificates?: string | readonly string[] | undefined;
};

/** A foreign business: its eSeal says who it is. */
export type ForeignCredentials = CommonCredentials & {
  kind: 'foreign';
  /** The name of the business or system: `iss` of grants, which is required and not evaluated. */
  clientId: string;
  /** The eSeal and its entire chain: PEM or base64 DER, leaf first. */
  certificates: string | readonly string[];
};

/**
 * Credentials of a client.
 *
 * @example
 * const credentials: Credentials = {
 *   kind: 'domestic',
 *   clientId: 'carrier-1',
 *   keyId: '2026-1',
 *   key: await readFile('key.pem', 'utf8'),
 *   identityProvider: { url: 'https://idp.example' },
 * };
 */
export type Credentials = DomesticCredentials | ForeignCredentials;
