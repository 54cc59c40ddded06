// Where the audit trail is broken.

/** The end of a chain, as a seal names it: `digest` in hexadecimal. */
export type NamedEnd = { chain: number; position: number; digest: string };

/** Where the trail is broken. */
export type AuditBreak = {
  chain: number;
  position: number;
  /** What is wrong, for programs. */
  code: 'RECORD_MISSING' | 'DIGEST_MISMATCH' | 'MALFORMED' | 'SEAL_MISMATCH' | 'CONTENT_CHANGED';
  /** What is wrong, in words. */
  problem: string;
};
