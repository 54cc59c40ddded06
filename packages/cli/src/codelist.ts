// `landfall codelist`: reference data that changes; the list of customs offices (CL141) is replaced as a whole.
import { CodeListImported, compileCheck, operations } from '@landfall/contract';
import { Argument, type Command } from 'commander';
import { callService } from './call-service.js';
import { openSession } from './credentials.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from './identity-options.js';
import { print } from './output.js';
import { readText } from './reach-service.js';
import { readFileOrInput } from './read-file.js';
import { readMessage } from './read-message.js';

type ImportOptions = IdentityOptions & { json?: true };

/** Adds the verb. */
export function addCodelist(program: Command): void {
  const command = program
    .command('codelist')
    .description('replace a code list')
    .command('import')
    .description('replace the list of customs offices (CL141) with the one in a file')
    .addArgument(new Argument('<list>', 'which code list').choices(['cl141']))
    .argument(
      '<file>',
      'CSV with the columns reference_number,name[,valid_from,valid_to]; - is stdin',
    );
  addIdentityOptions(command, { defaultName: 'authority' });
  addJsonOption(command).addHelpText('after', examples).action(importCustomsOffices);
}

const examples = `
The whole list is replaced, or nothing. CL754 is built in and is not imported.

Examples:
  $ landfall codelist import cl141 customs-offices.csv
  $ curl -s https://example.org/offices.csv | landfall codelist import cl141 -`;

async function importCustomsOffices(
  _list: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const session = await openSession(options);
  const { operationId, ...operation } = operations.importCustomsOffices;
  const response = await callService(session, operation, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
    body: await readFileOrInput(file),
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const imported = readMessage(text, compileCheck<CodeListImported>(CodeListImported), operationId);
  print(
    `CL141 now has ${imported.entries} customs offices; it had ${imported.replaced}. In force since ${imported.importedAt}.`,
  );
}
