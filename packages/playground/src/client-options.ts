// The options with which the client library acts as an identity.
import type { PlaygroundCredentials } from '@landfall/contract';

/** What `new Landfall(...)` of @landfall/client takes. */
export type ClientOptions = {
  baseUrl: string;
  headers?: { prefer: string };
  credentials: {
    kind: 'domestic' | 'foreign';
    clientId: string;
    /** PKCS#8 PEM. */
    key: string;
    /** Base64 DER, leaf first. */
    certificates: string[];
    scopes: string[];
    identityProvider: { url: string };
  };
};

/** The options of an identity. */
export function clientOptions(identity: PlaygroundCredentials): ClientOptions {
  return {
    baseUrl: identity.base_url,
    ...(identity.strict === true && { headers: { prefer: 'handling=strict' } }),
    credentials: {
      kind: identity.kind,
      clientId: identity.client_id,
      key: identity.private_key,
      certificates: [...identity.x5c],
      scopes: [...identity.scopes],
      identityProvider: { url: identity.idp_url },
    },
  };
}
