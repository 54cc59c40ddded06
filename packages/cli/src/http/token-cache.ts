// Caches customs tokens on disk, so that one token serves many commands.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from './credentials.js';

/** A token is renewed this long before it expires. Specification, section 5, step 2. */
const RENEWAL_MARGIN_MS = 60_000;

type CachedToken = {
  access_token: string;
  /** The service that issued it. */
  base_url: string;
  /** When it expires, in milliseconds since 1970. */
  ends_at: number;
};

/** The cached token of this identity for this service, unless it expires within a minute. */
export async function readCachedToken(session: Session, now: number): Promise<string | undefined> {
  try {
    const cached: unknown = JSON.parse(await readFile(fileOf(session), 'utf8'));
    if (!isCachedToken(cached) || cached.base_url !== session.baseUrl) return undefined;
    return now < cached.ends_at - RENEWAL_MARGIN_MS ? cached.access_token : undefined;
  } catch {
    return undefined;
  }
}

/** Caches a token, readable by its owner only. Failures are ignored, because the cache is only a convenience. */
export async function cacheToken(session: Session, token: string, endsAt: number): Promise<void> {
  const cached: CachedToken = { access_token: token, base_url: session.baseUrl, ends_at: endsAt };
  const file = fileOf(session);
  // Written to a temporary file and renamed, so that a concurrent command never reads an incomplete file.
  const temporary = `${file}.${process.pid}`;
  try {
    await mkdir(join(session.dataFolder, 'tokens'), { recursive: true, mode: 0o700 });
    await writeFile(temporary, `${JSON.stringify(cached, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, file);
  } catch {
    // Without a cached token the next command requests a new one.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** Deletes a token that the service refuses. */
export async function dropToken(session: Session): Promise<void> {
  // A token that cannot be deleted is refused and replaced again by the next command.
  await rm(fileOf(session), { force: true }).catch(() => undefined);
}

function fileOf({ dataFolder, credentials }: Session): string {
  return join(dataFolder, 'tokens', `${credentials.name}.json`);
}

function isCachedToken(value: unknown): value is CachedToken {
  return (
    typeof value === 'object' &&
    value !== null &&
    'access_token' in value &&
    typeof value.access_token === 'string' &&
    'base_url' in value &&
    typeof value.base_url === 'string' &&
    'ends_at' in value &&
    typeof value.ends_at === 'number'
  );
}
