// `landfall codelist import`: replaces the list of customs offices (CL141).
import {
  ApiError,
  type CodeListImported,
  type CustomsOfficeChanges,
  type ImportCustomsOfficesQuery,
} from '@landfall/client';
import { Argument, type Command, Option } from 'commander';
import { canAsk, confirm } from '../../input/confirm.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { readFileOrInput } from '../../input/read-file.js';
import { print, printable, printJson, report } from '../../output/output.js';
import { CommandFailedError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';

type ImportOptions = IdentityOptions & { json?: true; preview?: true; expectedRemovals?: number };

/** How many offices of each kind are shown; `--json` has more. */
const SHOWN = 10;

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
  addServiceOptions(command, 'authority')
    .option('--preview', 'show what would be added, changed and removed, and change nothing')
    .addOption(
      new Option(
        '--expected-removals <number>',
        'replace the list only if this number of offices is removed, as a preview has shown',
      ).argParser(wholeNumber(0, 1_000_000)),
    );
  addJsonOption(command).addHelpText('after', examples).action(importCustomsOffices);
}

const examples = `
The list is replaced as a whole or not at all. If more than one and more than a tenth of the offices would be removed, or
end today, it is replaced only after you have confirmed it on the terminal, or with --expected-removals. CL754 is built
in and cannot be imported.

Examples:
  $ landfall codelist import cl141 customs-offices.csv --preview
  $ landfall codelist import cl141 customs-offices.csv
  $ curl -s https://example.org/offices.csv | landfall codelist import cl141 - --expected-removals 3`;

async function importCustomsOffices(
  _list: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { json, preview, expectedRemovals } = options;
  const { client } = await openService(options);
  const offices = await readFileOrInput(file);
  const send = (query: ImportCustomsOfficesQuery) => client.importCustomsOffices(offices, query);
  if (preview) return showPreview(await send({ preview }), options);
  let imported: CodeListImported;
  try {
    imported = await send(expectedRemovals === undefined ? {} : { expectedRemovals });
  } catch (error) {
    if (!needsConfirmation(error)) throw error;
    imported = await send({
      expectedRemovals: await confirmRemovals(await send({ preview: true })),
    });
  }
  if (json) return printJson(imported);
  const { entries, replaced, importedAt } = imported;
  print(
    `CL141 now has ${entries} customs offices; it had ${replaced} (${countsOf(imported)}). In force since ${importedAt}.`,
  );
}

/** Whether an import was refused because it would remove many offices. */
function needsConfirmation(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.validationErrors.some(
      ({ field, code }) => field === 'expectedRemovals' && code === 'REQUIRED',
    )
  );
}

/**
 * Asks whether so many offices are to be removed.
 *
 * @returns how many that are
 * @throws CommandFailedError if it was not confirmed
 */
async function confirmRemovals(preview: CodeListImported): Promise<number> {
  const { removed, replaced } = preview;
  const what = `the import would remove ${removed.count} of the ${replaced} customs offices`;
  if (!canAsk()) {
    throw new CommandFailedError(
      `${what}: nothing was changed. To see which, add --preview; to replace the list, add --expected-removals ${removed.count}`,
    );
  }
  showChanges(preview, report);
  if (
    await confirm(
      `${removed.count} of the ${replaced} customs offices would be removed. Replace the list?`,
    )
  ) {
    return removed.count;
  }
  throw new CommandFailedError(`${what}, which was not confirmed: nothing was changed`);
}

function showPreview(preview: CodeListImported, { json }: ImportOptions): void {
  if (json) {
    printJson(preview);
    return;
  }
  showChanges(preview, print);
  print(
    `Nothing was changed. To replace the list: the same without --preview, with --expected-removals ${preview.removed.count}`,
  );
}

/** Writes how many offices would be changed how, and the first of each. */
function showChanges(preview: CodeListImported, write: (line: string) => void): void {
  const { entries, replaced, added, changed, removed } = preview;
  write(`CL141 would have ${entries} customs offices; it has ${replaced}: ${countsOf(preview)}`);
  for (const [kind, changes] of Object.entries({ added, changed, removed })) {
    for (const line of linesOf(kind, changes)) write(line);
  }
}

function countsOf({ added, changed, removed }: CodeListImported): string {
  return `${added.count} added, ${changed.count} changed, ${removed.count} removed`;
}

function linesOf(kind: string, { count, first }: CustomsOfficeChanges): string[] {
  const shown = first.slice(0, SHOWN);
  return [
    ...shown.map(({ referenceNumber, name, validFrom, validTo }) => {
      const days = validFrom || validTo ? `  ${validFrom ?? ''}..${validTo ?? ''}` : '';
      return `  ${kind.padEnd('removed'.length)}  ${referenceNumber}  ${printable(name)}${days}`;
    }),
    ...(count > shown.length ? [`  and ${count - shown.length} more ${kind}`] : []),
  ];
}
