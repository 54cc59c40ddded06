// The configuration file: profiles, and which of them is used. It has paths of credentials, never a key.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError } from '@landfall/client';
import { type FileLock, lockFile } from '@landfall/client/node';
import { CommandFailedError, codeOf } from '../process/exit.js';
import { configFile } from './folders.js';

/** Settings that a profile can have, by the names of their options. */
export const settingNames = ['credentials', 'as', 'data', 'url', 'office'] as const;

/** A setting of a profile. */
export type SettingName = (typeof settingNames)[number];

/** The settings of a profile. */
export type Profile = { [Name in SettingName]?: string };

/** The contents of the file. */
export type Config = { current?: string; profiles: Record<string, Profile> };

/**
 * Reads the file. A missing file has no profiles.
 *
 * @throws CommandFailedError when it cannot be read or has other contents
 */
export async function readConfig(file = configFile()): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { profiles: {} };
    throw new CommandFailedError(`cannot read ${file} (${code})`);
  }
  const config = parseConfig(text);
  if (config !== undefined) return config;
  throw new CommandFailedError(
    `${file} is not a configuration of landfall: fix it, or delete it and add the profiles again`,
  );
}

/** How long a command waits for others that change the file, each in milliseconds; in milliseconds. */
const LOCKED_WITHIN_MS = 10_000;

/**
 * Replaces the file by what `change` makes of it; its owner alone can read it. Other commands wait meanwhile, so that nothing
 * is lost that one of them adds.
 *
 * @returns the changed contents
 * @throws CommandFailedError when it cannot be read or written, and the errors of `change`, which leave it as it is
 */
export async function changeConfig(
  change: (config: Config) => Config,
  file = configFile(),
): Promise<Config> {
  let lock: FileLock;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    lock = await takeLock(file);
  } catch (error) {
    throw error instanceof ConfigurationError ? error : cannotWrite(file, error);
  }
  const temporary = `${lock.path}.${randomUUID()}`;
  try {
    const config = change(await readConfig(file));
    try {
      await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
      await rename(temporary, lock.path);
    } catch (error) {
      throw cannotWrite(file, error);
    }
    return config;
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
    lock.release();
  }
}

async function takeLock(file: string): Promise<FileLock> {
  const deadline = performance.now() + LOCKED_WITHIN_MS;
  for (;;) {
    try {
      return await lockFile(file);
    } catch (error) {
      if (!(error instanceof ConfigurationError) || performance.now() > deadline) throw error;
    }
    // Random, so that those who wait do not all come back at once.
    await delay(10 + Math.random() * 30);
  }
}

function cannotWrite(file: string, error: unknown): CommandFailedError {
  return new CommandFailedError(`cannot write ${file} (${codeOf(error)})`);
}

/** The error for a profile that does not exist. */
export function unknownProfile(name: string, { profiles }: Config): CommandFailedError {
  const names = Object.keys(profiles).sort();
  const known = names.length === 0 ? 'there are no profiles' : `profiles: ${names.join(', ')}`;
  return new CommandFailedError(`no profile "${name}" in ${configFile()}; ${known}`);
}

function parseConfig(text: string): Config | undefined {
  try {
    const config: unknown = JSON.parse(text);
    return isConfig(config) ? config : undefined;
  } catch {
    return undefined;
  }
}

function isConfig(value: unknown): value is Config {
  if (!isRecord(value) || !isRecord(value.profiles)) return false;
  const isCurrent = value.current === undefined || typeof value.current === 'string';
  return isCurrent && Object.values(value.profiles).every(isProfile);
}

function isProfile(value: unknown): value is Profile {
  return (
    isRecord(value) &&
    settingNames.every((name) => value[name] === undefined || typeof value[name] === 'string')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
