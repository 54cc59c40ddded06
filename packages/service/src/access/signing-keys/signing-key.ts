// The life of a signing key: published before it signs, and until the last token signed with it has ended.

/** The purpose of a set of keys. Each purpose has a separate file. */
export type KeyPurpose = 'customs-token' | 'identity-provider';

/** A private key as a JWK (RFC 7517): elliptic curve P-256. */
export type PrivateJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string };

/** One key of a set. Times are ISO 8601. */
export type SigningKey = {
  kid: string;
  madeAt: string;
  /** It signs from this time on, until a later key does. It is published from the beginning. */
  signsFrom: string;
  /** When it is no longer published; missing while no other key follows. */
  endsAt?: string;
  privateKey: PrivateJwk;
};

/** The state of a key. */
export type KeyState = 'upcoming' | 'signing' | 'retired' | 'ended';

/** The overlap of the old and the new key, in seconds. */
export type Overlap = {
  /** How long the new key is published before it signs. */
  lead: number;
  /** How long the old key stays published after it last signed: the maximum lifetime of a token. */
  keep: number;
};

/** The keys that are published, and whose signatures are accepted. */
export function publishedKeys(keys: readonly SigningKey[], now: Date): SigningKey[] {
  return keys.filter(({ endsAt }) => endsAt === undefined || new Date(endsAt) > now);
}

/**
 * The key that signs: the latest whose time has come. If no time has come, it is the earliest key. This happens on a
 * server whose clock is behind that of the server which created the first key.
 */
export function signingKey(keys: readonly SigningKey[], now: Date): SigningKey | undefined {
  const published = publishedKeys(keys, now).sort((one, other) =>
    one.signsFrom.localeCompare(other.signsFrom),
  );
  return published.filter(({ signsFrom }) => new Date(signsFrom) <= now).at(-1) ?? published[0];
}

/** The state of a key among all keys of the set. */
export function keyState(key: SigningKey, keys: readonly SigningKey[], now: Date): KeyState {
  if (key.endsAt !== undefined && new Date(key.endsAt) <= now) return 'ended';
  if (signingKey(keys, now) === key) return 'signing';
  return new Date(key.signsFrom) > now ? 'upcoming' : 'retired';
}

/**
 * Adds a new key after the others. Keys that would sign later than it are removed. The others get an end, which a later
 * rotation never delays.
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
