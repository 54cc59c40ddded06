// The life of a signing key: published before it signs, and until the last token signed with it has ended.

/** What a set of keys signs. Each has a file of its own. */
export type KeyPurpose = 'customs-token' | 'identity-provider';

/** A private key as a JWK (RFC 7517): elliptic curve P-256. */
export type PrivateJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string };

/** One key of a set. Times are ISO 8601. */
export type SigningKey = {
  kid: string;
  madeAt: string;
  /** From then on it signs, until a later key does. Published from the beginning. */
  signsFrom: string;
  /** When it is no longer published; not there while no other key follows. */
  endsAt?: string;
  privateKey: PrivateJwk;
};

/** Where a key is in its life. */
export type KeyState = 'upcoming' | 'signing' | 'retired' | 'ended';

/** How a rotation overlaps, in seconds. */
export type Overlap = {
  /** How long the new key is published before it signs. */
  lead: number;
  /** How long the old key stays published after it last signed: the longest life of a token. */
  keep: number;
};

/** The keys that signatures are accepted from, and that are published. */
export function publishedKeys(keys: readonly SigningKey[], now: Date): SigningKey[] {
  return keys.filter(({ endsAt }) => endsAt === undefined || new Date(endsAt) > now);
}

/**
 * The key that signs: of those whose time has come, the latest. Where none's has, as on a server whose clock is behind
 * that of the one which made the first key, it is the earliest: nobody can hold an older one.
 */
export function signingKey(keys: readonly SigningKey[], now: Date): SigningKey | undefined {
  const published = publishedKeys(keys, now).sort((one, other) =>
    one.signsFrom.localeCompare(other.signsFrom),
  );
  return published.filter(({ signsFrom }) => new Date(signsFrom) <= now).at(-1) ?? published[0];
}

/** Where each key is in its life. */
export function keyState(key: SigningKey, keys: readonly SigningKey[], now: Date): KeyState {
  if (key.endsAt !== undefined && new Date(key.endsAt) <= now) return 'ended';
  if (signingKey(keys, now) === key) return 'signing';
  return new Date(key.signsFrom) > now ? 'upcoming' : 'retired';
}

/**
 * Puts a fresh key behind the others. Keys that were still to come are dropped: they never signed. Those that
 * signed get an end, which a later rotation never moves back.
 */
export function addKey(
  keys: readonly SigningKey[],
  fresh: Pick<SigningKey, 'kid' | 'privateKey'>,
  { lead, keep }: Overlap,
  now: Date,
): SigningKey[] {
  const signsFrom = after(now, lead);
  const end = after(new Date(signsFrom), keep);
  const before = publishedKeys(keys, now)
    .filter((key) => key.signsFrom < signsFrom)
    .map((key) => ({
      ...key,
      endsAt: key.endsAt !== undefined && key.endsAt < end ? key.endsAt : end,
    }));
  return [...before, { ...fresh, madeAt: now.toISOString(), signsFrom }];
}

function after(time: Date, seconds: number): string {
  return new Date(time.getTime() + seconds * 1000).toISOString();
}
