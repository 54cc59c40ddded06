// Keeps customs tokens between runs: a token is used for its lifetime, not fetched for each command.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from './credentials.js';

/** How long before its end a token is no longer used, in milliseconds. Specification, section 5, step 2. */
const MARGIN = 60_000;

type KeptToken = {
  access_token: string;
  /** The service that gave it; another one would refuse it. */
  base_url: string;
  /** When it ends, in milliseconds since 1970. */
  ends_at: number;
};

/** The kept token of this identity for this service, unless it ends within a minute. */
export async function readKeptToken(session: Session, now: number): Promise<string | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(fileOf(session), 'utf8'));
    if (!isKeptToken(kept) || kept.base_url !== session.baseUrl) return undefined;
    return now < kept.ends_at - MARGIN ? kept.access_token : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a token, readable by its owner alone. It is a convenience: where it cannot be kept, nothing is said. */
export async function keepToken(session: Session, token: string, endsAt: number): Promise<void> {
  const kept: KeptToken = { access_token: token, base_url: session.baseUrl, ends_at: endsAt };
  const file = fileOf(session);
  // Written beside and renamed, so that a command that runs at the same time never reads half a file.
  const unfinished = `${file}.${process.pid}`;
  try {
    await mkdir(join(session.dataFolder, 'tokens'), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    await rename(unfinished, file);
  } catch {
    // A token that could not be kept is only requested again; so is one whose remains stay.
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** Forgets a token that the service no longer takes. */
export async function dropToken(session: Session): Promise<void> {
  // A token that cannot be removed is refused again and replaced again.
  await rm(fileOf(session), { force: true }).catch(() => undefined);
}

function fileOf({ dataFolder, credentials }: Session): string {
  return join(dataFolder, 'tokens', `${credentials.name}.json`);
}

function isKeptToken(value: unknown): value is KeptToken {
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
