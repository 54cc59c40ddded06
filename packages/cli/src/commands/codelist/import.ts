// `landfall codelist import`: replaces the list of customs offices (CL141).
import { Argument, type Command } from 'commander';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { readFileOrInput } from '../../input/read-file.js';
import { print, printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';

type ImportOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addCodelistImport(codelist: Command): void {
  const command = codelist
    .command('import')
    .description('replace the list of customs offices (CL141) with the contents of a file')
    .addArgument(new Argument('<list>', 'code list').choices(['cl141']))
    .argument(
      '<file>',
      'CSV with the columns reference_number,name[,valid_from,valid_to]; - reads stdin',
    );
  addServiceOptions(command, 'authority');
  addJsonOption(command).addHelpText('after', examples).action(importCustomsOffices);
}

const examples = `
The list is replaced as a whole or not at all. CL754 is built in and cannot be imported.

Examples:
  $ landfall codelist import cl141 customs-offices.csv
  $ curl -s https://example.org/offices.csv | landfall codelist import cl141 -`;

async function importCustomsOffices(
  _list: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { client } = await openService(options);
  const imported = await client.importCustomsOffices(await readFileOrInput(file));
  if (options.json) return printJson(imported);
  print(
    `CL141 now has ${imported.entries} customs offices; it had ${imported.replaced}. In force since ${imported.importedAt}.`,
  );
}
