// What a playground says of a token that was inspected.

/** What a token is for. */
export type TokenKind = 'grant' | 'access-token' | 'customs-token';

/** Whether a member of a token must be there; `unused`: nobody reads it. */
export type Presence = 'required' | 'recommended' | 'optional' | 'unused' | 'forbidden';

/** Whom a value names. */
export type Party = { kind: 'identity'; name: string } | { kind: 'identity-provider' | 'service' };

/** A member of the header, or a claim. What it means is in English. */
export type TokenMember = {
  name: string;
  presence: Presence;
  meaning: string;
  /** Absent if the token lacks this member. */
  value?: unknown;
  /** The time that it is, ISO 8601. */
  at?: string;
  /** Empty if they are unknown to the playground. */
  parties?: Party[];
  /** Without a name, it is not in the scope table. */
  scopes?: { scope: string; name?: string; api?: string }[];
  /** `null` for one that cannot be read. */
  certificates?: (TokenCertificate | null)[];
};

/** A certificate of the header. */
export type TokenCertificate = {
  subject: string;
  issuer: string;
  notBefore: string;
  notAfter: string;
};

/** One rule. The detail and the advice are in English. */
export type TokenFinding = {
  rule: string;
  /** `null`: not checked, because something is missing or another rule is broken. */
  holds: boolean | null;
  code: string | null;
  detail: string;
  advice: string | null;
};

/** What a token is, and which rules it keeps. */
export type Inspection = {
  kind: TokenKind;
  /** The time that its times were compared with, ISO 8601. */
  comparedAt: string;
  header: TokenMember[];
  claims: TokenMember[];
  findings: TokenFinding[];
};
