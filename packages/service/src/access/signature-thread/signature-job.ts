// What the signature thread is asked and answers, and how it does it: by OpenSSL directly.
import { type KeyObject, sign, verify } from 'node:crypto';

/** How OpenSSL is told of an algorithm. */
export type Signing = {
  /** `null`: the algorithm has its own. */
  hash: string | null;
  use: { dsaEncoding?: 'ieee-p1363'; padding?: number; saltLength?: number };
};

/** To sign a text, or to verify the signature of one. Texts of a JWS are ASCII; signatures are base64url. */
export type SignatureJob = Signing & { key: KeyObject; text: string; signature?: string };

/** The signature, or whether the one that was given holds; `error` where OpenSSL cannot do it at all. */
export type SignatureOutcome = { signature: string } | { holds: boolean } | { error: unknown };

/** Jobs as they go to the thread, and their outcomes as they come back: the id says which belong together. */
export type JobsMessage = { id: number; jobs: readonly SignatureJob[] };
export type OutcomesMessage = { id: number; outcomes: readonly SignatureOutcome[] };

/** Does one job. */
export function doSignatureJob({
  hash,
  use,
  key,
  text,
  signature,
}: SignatureJob): SignatureOutcome {
  const bytes = Buffer.from(text, 'latin1');
  try {
    return signature === undefined
      ? { signature: sign(hash, bytes, { key, ...use }).toString('base64url') }
      : { holds: verify(hash, bytes, { key, ...use }, Buffer.from(signature, 'base64url')) };
  } catch (error) {
    // An error of OpenSSL can be sent between threads; what is thrown otherwise might not be.
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
