// `landfall profile use`: chooses the profile that commands use.
import type { Command } from 'commander';
import { addJsonOption } from '../../input/options.js';
import { print } from '../../output/output.js';
import { changeConfig, unknownProfile } from '../../settings/config.js';
import { list } from './list.js';

/** Adds the command. */
export function addProfileUse(group: Command): void {
  const command = group
    .command('use')
    .description('use a profile from now on')
    .argument('<name>', 'name of the profile');
  addJsonOption(command).addHelpText('after', examples).action(use);
}

const examples = `
Examples:
  $ landfall profile use trial`;

async function use(name: string, { json }: { json?: true }): Promise<void> {
  await changeConfig((config) => {
    if (!Object.hasOwn(config.profiles, name)) throw unknownProfile(name, config);
    return { ...config, current: name };
  });
  if (json) return list({ json });
  print(`Profile ${name} is used from now on.`);
}
