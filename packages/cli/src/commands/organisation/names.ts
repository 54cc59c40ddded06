// `landfall organisation names`: the names of organisations, which officers may read too.
import { MAX_NAMED_ORGANISATIONS } from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';

type NamesOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addOrganisationNames(group: Command): void {
  const command = onlyReads(group.command('names'))
    .description('show the names of organisations by their ids: officers may read them too')
    .argument('<id...>', `ids of organisations, at most ${MAX_NAMED_ORGANISATIONS}`);
  addServiceOptions(command, 'authority');
  addJsonOption(command).addHelpText('after', examples).action(names);
}

const examples = `
Examples:
  $ landfall organisation names 0192:310000019 0192:310000027`;

async function names(ids: readonly string[], options: NamesOptions): Promise<void> {
  if (ids.length > MAX_NAMED_ORGANISATIONS || ids.some((id) => id === '' || id.includes(','))) {
    throw new UsageError(
      `name 1 to ${MAX_NAMED_ORGANISATIONS} organisations, with ids that have no comma`,
    );
  }
  const { client } = await openService(options);
  const found = await client.listOrganisationNames({ ids: ids.join(',') });
  if (options.json) printJson(found);
  else if (found.length === 0) print('None of them has a name.');
  else {
    printTable(
      [
        { heading: 'id', value: ({ id }) => id },
        { heading: 'name', value: ({ name }) => name },
      ],
      found,
    );
  }
}
