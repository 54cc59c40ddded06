// `landfall codelist import`: replaces the list of customs offices (CL141) or of places (CL144).
import {
  ApiError,
  type CodeListImported,
  type ImportCustomsOfficesQuery,
  type Landfall,
  type UnloCodesImported,
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

type ListName = 'cl141' | 'cl144';
type Imported = CodeListImported | UnloCodesImported;

/** What the entries of each list are called, and how it is sent. */
const lists = {
  cl141: {
    title: 'CL141',
    plural: 'customs offices',
    send: (client: Landfall, csv: string, query: ImportCustomsOfficesQuery) =>
      client.importCustomsOffices(csv, query),
  },
  cl144: {
    title: 'CL144',
    plural: 'places',
    send: (client: Landfall, csv: string, query: ImportCustomsOfficesQuery) =>
      client.importUnloCodes(csv, query),
  },
} as const satisfies Record<
  ListName,
  {
    title: string;
    plural: string;
    send: (client: Landfall, csv: string, query: ImportCustomsOfficesQuery) => Promise<Imported>;
  }
>;

/** How many entries of each kind are shown; `--json` has more. */
const SHOWN = 10;

/** Adds the command. */
export function addCodelistImport(codelist: Command): void {
  const command = codelist
    .command('import')
    .description(
      'replace the list of customs offices (CL141) or places (CL144) with the contents of a file',
    )
    .addArgument(new Argument('<list>', 'code list').choices(Object.keys(lists)))
    .argument(
      '<file>',
      'CSV: reference_number,name[,valid_from,valid_to] of cl141, code[,name] of cl144; - reads stdin',
    );
  addServiceOptions(command, 'authority')
    .option('--preview', 'show what would be added, changed and removed, and change nothing')
    .addOption(
      new Option(
        '--expected-removals <number>',
        'replace the list only if this number of entries is removed, as a preview has shown',
      ).argParser(wholeNumber(0, 1_000_000)),
    );
  addJsonOption(command).addHelpText('after', examples).action(importList);
}

const examples = `
The list is replaced as a whole or not at all. If more than one and more than a tenth of its entries would be removed, or
offices end within 30 days, it is replaced only after you have confirmed it on the terminal, or with --expected-removals. Other lists are
built in and cannot be imported.

Examples:
  $ landfall codelist import cl141 customs-offices.csv --preview
  $ landfall codelist import cl141 customs-offices.csv
  $ landfall codelist import cl144 places.csv
  $ curl -s https://example.org/offices.csv | landfall codelist import cl141 - --expected-removals 3`;

async function importList(list: ListName, file: string, options: ImportOptions): Promise<void> {
  const { json, preview, expectedRemovals } = options;
  const { client } = await openService(options);
  const csv = await readFileOrInput(file);
  const { title, plural } = lists[list];
  const send = (query: ImportCustomsOfficesQuery): Promise<Imported> =>
    lists[list].send(client, csv, query);
  if (preview) return showPreview(await send({ preview }), options);
  let imported: Imported;
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
    `${title} now has ${entries} ${plural}; it had ${replaced} (${countsOf(imported)}). In force since ${importedAt}.`,
  );
}

/** Whether an import was refused because it would remove many entries. */
function needsConfirmation(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.validationErrors.some(
      ({ field, code }) => field === 'expectedRemovals' && code === 'REQUIRED',
    )
  );
}

/**
 * Asks whether so many entries are to be removed.
 *
 * @returns how many that are
 * @throws CommandFailedError if it was not confirmed
 */
async function confirmRemovals(preview: Imported): Promise<number> {
  const { removed, replaced, codeList } = preview;
  const { plural } = lists[codeList];
  const what = `the import would remove ${removed.count} of the ${replaced} ${plural}`;
  if (!canAsk()) {
    throw new CommandFailedError(
      `${what}: nothing was changed. To see which, add --preview; to replace the list, add --expected-removals ${removed.count}`,
    );
  }
  showChanges(preview, report);
  if (
    await confirm(
      `${removed.count} of the ${replaced} ${plural} would be removed. Replace the list?`,
    )
  ) {
    return removed.count;
  }
  throw new CommandFailedError(`${what}, which was not confirmed: nothing was changed`);
}

function showPreview(preview: Imported, { json }: ImportOptions): void {
  if (json) {
    printJson(preview);
    return;
  }
  showChanges(preview, print);
  print(
    `Nothing was changed. To replace the list: the same without --preview, with --expected-removals ${preview.removed.count}`,
  );
}

/** Writes how many entries would be changed how, and the first of each. */
function showChanges(preview: Imported, write: (line: string) => void): void {
  const { codeList, entries, replaced, added, changed, removed } = preview;
  const { title, plural } = lists[codeList];
  write(`${title} would have ${entries} ${plural}; it has ${replaced}: ${countsOf(preview)}`);
  for (const [kind, changes] of Object.entries({ added, changed, removed })) {
    for (const line of linesOf(kind, changes)) write(line);
  }
}

function countsOf({ added, changed, removed }: Imported): string {
  return `${added.count} added, ${changed.count} changed, ${removed.count} removed`;
}

function linesOf(kind: string, { count, first }: Imported['added']): string[] {
  const shown = first.slice(0, SHOWN);
  return [
    ...shown.map((entry) => `  ${kind.padEnd('removed'.length)}  ${describe(entry)}`),
    ...(count > shown.length ? [`  and ${count - shown.length} more ${kind}`] : []),
  ];
}

function describe(entry: Imported['added']['first'][number]): string {
  if ('code' in entry) return [entry.code, printable(entry.name ?? '')].join('  ').trimEnd();
  const { referenceNumber, name, validFrom, validTo } = entry;
  const days = validFrom || validTo ? `  ${validFrom ?? ''}..${validTo ?? ''}` : '';
  return `${referenceNumber}  ${printable(name)}${days}`;
}
