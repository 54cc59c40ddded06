// Which settings apply, and where each comes from.
import type { Command } from 'commander';
import { readConfig } from '../../settings/config.js';
import { configFile } from '../../settings/folders.js';
import { type Check, ok } from './check.js';

/** How commander names the sources, and how they are shown. */
const sources: Record<string, (command: Command, name: string) => string> = {
  cli: (_, name) => `option --${name}`,
  env: (_, name) => `LANDFALL_${name.toUpperCase()}`,
  config: () => 'the profile',
  default: () => 'default',
};

/** One check for each setting that applies. */
export async function checkSettings(command: Command): Promise<Check[]> {
  const used =
    command.getOptionValue('credentials') === undefined ? ['as', 'data'] : ['credentials'];
  const settings = [...used, 'url'].flatMap((name) => {
    const value: unknown = command.getOptionValue(name);
    if (value === undefined) return [];
    const source = sources[command.getOptionValueSource(name) ?? 'default'];
    return ok('settings', `--${name} ${value} (${source?.(command, name) ?? 'default'})`);
  });
  return [ok('settings', await describeProfile(command)), ...settings];
}

async function describeProfile(command: Command): Promise<string> {
  const { current } = await readConfig();
  const named = command.getOptionValue('profile');
  const source = command.getOptionValueSource('profile');
  if (typeof named === 'string') {
    return `profile ${named} (${source === 'env' ? 'LANDFALL_PROFILE' : 'option --profile'})`;
  }
  return current === undefined
    ? `no profile in ${configFile()}`
    : `profile ${current} (chosen with landfall profile use)`;
}
