// `landfall codelist import`: replaces the list of customs offices (CL141).
import { CodeListImported, compileCheck, operations } from '@landfall/contract';
import { Argument, type Command } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession } from '../../http/credentials.js';
import { readText } from '../../http/reach-service.js';
import { readMessage } from '../../http/read-message.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from '../../input/options.js';
import { readFileOrInput } from '../../input/read-file.js';
import { print } from '../../output/output.js';

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
  addIdentityOptions(command, { defaultName: 'authority' });
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
