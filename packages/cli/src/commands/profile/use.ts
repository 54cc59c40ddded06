// `landfall profile use`: chooses the profile that commands use.
import type { Command } from 'commander';
import { print } from '../../output/output.js';
import { readConfig, unknownProfile, writeConfig } from '../../settings/config.js';

/** Adds the command. */
export function addProfileUse(group: Command): void {
  group
    .command('use')
    .description('use a profile from now on')
    .argument('<name>', 'name of the profile')
    .addHelpText('after', examples)
    .action(use);
}

const examples = `
Examples:
  $ landfall profile use trial`;

async function use(name: string): Promise<void> {
  const config = await readConfig();
  if (!Object.hasOwn(config.profiles, name)) throw unknownProfile(name, config);
  await writeConfig({ ...config, current: name });
  print(`Profile ${name} is used from now on.`);
}
