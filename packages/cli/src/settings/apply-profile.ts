// Settings of a command: by option, else by environment variable, else by profile, else the default.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../process/exit.js';
import { type Profile, readConfig, settingNames, unknownProfile } from './config.js';
import { findRunning } from './running-playground.js';

/** Sources of a value, the weakest first, as commander names them. */
const SOURCES = ['default', 'config', 'env', 'cli'];

/**
 * Completes the options of a command that calls the service, and decides between `--credentials` and the identities of
 * a playground.
 *
 * @throws CommandFailedError when the profile does not exist, UsageError when options contradict each other
 */
export async function applyProfile(command: Command): Promise<void> {
  if (!command.options.some((option) => option.attributeName() === 'profile')) return;
  const profile = await findProfile(command.getOptionValue('profile'));
  for (const name of settingNames) {
    const value = profile[name];
    if (value !== undefined && isSetting(command, name) && strengthOf(command, name) === 0) {
      command.setOptionValueWithSource(name, value, 'config');
    }
  }
  chooseIdentity(command);
  await useRunning(command);
  command.setOptionValue('repeated', repeatedOptions(command));
}

/** A setting has an environment variable: the filter `consignment list --office` has none. */
function isSetting(command: Command, name: string): boolean {
  return command.options.some(
    (option) => option.attributeName() === name && option.envVar !== undefined,
  );
}

async function findProfile(name: unknown): Promise<Profile> {
  const config = await readConfig();
  const chosen = typeof name === 'string' ? name : config.current;
  if (chosen === undefined) return {};
  const profile = Object.hasOwn(config.profiles, chosen) ? config.profiles[chosen] : undefined;
  if (profile === undefined) throw unknownProfile(chosen, config);
  return profile;
}

/** Credentials and an identity of a playground exclude each other: the one from the stronger source is used. */
function chooseIdentity(command: Command): void {
  const credentials = strengthOf(command, 'credentials');
  const playground = Math.max(strengthOf(command, 'as'), strengthOf(command, 'data'));
  if (credentials > 0 && credentials === playground) {
    throw new UsageError(
      'credentials are either a file (--credentials) or an identity of a playground (--as, --data): give one of them',
    );
  }
  if (credentials > playground) {
    command.setOptionValue('as', basename(String(command.getOptionValue('credentials')), '.json'));
  } else command.setOptionValue('credentials', undefined);
}

/** Without a data folder, credentials or an address, the playground that was started last in this folder is meant. */
async function useRunning(command: Command): Promise<void> {
  if (strengthOf(command, 'data') > 0 || strengthOf(command, 'url') > 0) return;
  if (command.getOptionValue('credentials') !== undefined) return;
  const data = await findRunning();
  if (data !== undefined) command.setOptionValueWithSource('data', data, 'default');
}

/** Options by which a command reaches the same service, with the same rights. */
const REPEATED = ['profile', 'credentials', 'as', 'data', 'url', 'allowHttp', 'controlSecretFile'];

/** The options that the next command needs to do the same for the same service. */
function repeatedOptions(command: Command): string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    const value = command.getOptionValue(name);
    const isGiven = command.getOptionValueSource(name) === 'cli' && value !== undefined;
    if (!isGiven || !REPEATED.includes(name)) return [];
    return option.isBoolean() ? [option.long ?? ''] : [option.long ?? '', String(value)];
  });
}

/** 0 for a default; the stronger the source, the larger. */
function strengthOf(command: Command, name: string): number {
  return Math.max(0, SOURCES.indexOf(command.getOptionValueSource(name) ?? 'default'));
}
