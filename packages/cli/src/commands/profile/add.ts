// `landfall profile add`: stores the settings of a service under a name.
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { addJsonOption, readAddress, readName } from '../../input/options.js';
import { print, report } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { readIdentity } from '../../service/identity.js';
import { changeConfig, type Profile } from '../../settings/config.js';
import { configFile } from '../../settings/folders.js';
import { list } from './list.js';

/** Adds the command. */
export function addProfileAdd(group: Command): void {
  const command = group
    .command('add')
    .description('store the settings of a service under a name')
    .argument('<name>', 'letters, digits and hyphens', readName)
    .option(
      '--credentials <file>',
      'file of credentials; the profile has its path, not its contents',
    )
    .addOption(
      new Option('--as <name>', 'identity of a playground')
        .argParser(readName)
        .conflicts('credentials'),
    )
    .addOption(
      new Option('--data <folder>', 'data folder of a playground').conflicts('credentials'),
    )
    .addOption(
      new Option('--url <address>', 'base address, if it is not that of the credentials').argParser(
        readAddress,
      ),
    )
    .option('--office <code>', 'customs office of presentation, for landfall present');
  addJsonOption(command).addHelpText('after', examples).action(add);
}

const examples = `
The first profile is used from then on; change that with landfall profile use. An option of a command takes
precedence over an environment variable, and that over the profile: --credentials, LANDFALL_CREDENTIALS; --as,
LANDFALL_AS; --data, LANDFALL_DATA; --url, LANDFALL_URL; --office, LANDFALL_OFFICE. --profile and LANDFALL_PROFILE
choose another profile.

Examples:
  $ landfall profile add production --credentials ~/customs/carrier.json
  $ landfall profile add trial --as forwarder --data /tmp/landfall`;

async function add(
  name: string,
  { json, credentials, as, data, url, office }: Profile & { json?: true },
): Promise<void> {
  if ([credentials, as, data, url, office].every((setting) => setting === undefined)) {
    throw new UsageError(
      'a profile needs --credentials, or some of --as, --data, --url and --office',
    );
  }
  const profile: Profile = {
    // Paths are absolute, because later commands run in other folders.
    ...(credentials !== undefined && { credentials: resolve(credentials) }),
    ...(as !== undefined && { as }),
    ...(data !== undefined && { data: resolve(data) }),
    ...(url !== undefined && { url }),
    ...(office !== undefined && { office }),
  };
  // Reports at once what is wrong with the credentials.
  if (profile.credentials !== undefined) await readIdentity({ as: name, data: '', ...profile });
  const { current } = await changeConfig(({ current = name, profiles }) => {
    if (Object.hasOwn(profiles, name)) {
      throw new CommandFailedError(
        `profile "${name}" exists already; remove it first: landfall profile remove ${name}`,
      );
    }
    return { current, profiles: { ...profiles, [name]: profile } };
  });
  if (json) return list({ json });
  print(`Added profile ${name}${current === name ? '; it is used from now on' : ''}.`);
  report(`stored in ${configFile()}`);
}
