// A private key as JSON.

/** A private key (RFC 7517). */
export type PrivateJwk = {
  kty: string;
  kid?: string;
  alg?: string;
  crv?: string;
  [member: string]: unknown;
};
