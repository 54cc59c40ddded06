// `landfall profile remove`: removes a profile.
import type { Command } from 'commander';
import { addJsonOption } from '../../input/options.js';
import { print } from '../../output/output.js';
import { changeConfig, unknownProfile } from '../../settings/config.js';
import { list } from './list.js';

/** Adds the command. */
export function addProfileRemove(group: Command): void {
  const command = group
    .command('remove')
    .description('remove a profile; its credentials file remains')
    .argument('<name>', 'name of the profile');
  addJsonOption(command).addHelpText('after', examples).action(remove);
}

const examples = `
Examples:
  $ landfall profile remove trial`;

async function remove(name: string, { json }: { json?: true }): Promise<void> {
  let wasUsed = false;
  await changeConfig((config) => {
    if (!Object.hasOwn(config.profiles, name)) throw unknownProfile(name, config);
    const { [name]: _, ...profiles } = config.profiles;
    const { current } = config;
    wasUsed = current === name;
    return { profiles, ...(current !== undefined && !wasUsed && { current }) };
  });
  if (json) return list({ json });
  print(`Removed profile ${name}${wasUsed ? '; no profile is used now' : ''}.`);
}
