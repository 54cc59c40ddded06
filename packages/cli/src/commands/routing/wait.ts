// `landfall routing wait`: waits until each of many house consignments has its routing.
import { type HouseReference, RoutingPendingError } from '@landfall/client';
import { keysOf, transportDocumentTypes } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { beginWithin, withinOption } from '../../input/within.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printText, report } from '../../output/output.js';
import { grouped, withProgress } from '../../output/progress.js';
import { openTable, reportCut } from '../../output/table.js';
import { CallFailedError, CommandFailedError, UsageError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { openMarkerFile } from '../../service/marker-file.js';
import { openService } from '../../service/open-service.js';
import { type RoutedReference, routedColumns } from './routed-table.js';

type WaitOptions = IdentityOptions & {
  document?: string;
  type?: DocumentType;
  mrn?: string;
  file?: string;
  store?: string;
  within?: number;
  json?: true;
};

type DocumentType = HouseReference['transportDocumentHouseLevel']['type'];

/** Adds the command. */
export function addRoutingWait(group: Command): void {
  const command = onlyReads(group.command('wait')).description(
    'wait until house consignments have their routing; each is printed once',
  );
  addServiceOptions(command, 'carrier')
    .option('--document <number>', 'number of the transport document')
    .addOption(
      new Option('--type <code>', 'type of the document, code list CL754').choices(
        keysOf(transportDocumentTypes),
      ),
    )
    .option('--mrn <mrn>', 'MRN, if several declarations have the document')
    .option(
      '--file <file>',
      'wait for each line of a list of house consignments, as of "landfall present"; - reads stdin',
    )
    .option('--store <file>', 'keep the position in this file and resume from it')
    .addOption(withinOption('end after this long, with an error if some have none'));
  addJsonLinesOption(command).addHelpText('after', help).action(wait);
}

const help = `
It reads the feed of signals once for all documents: after the position of --store, else from the beginning. Documents
without a signal after the position are looked up once each. It ends with 0 when all have their routing.

Examples:
  $ landfall routing wait --document HC001 --type N740 --within 60
  $ landfall routing wait --file parcels.csv --store wait.position --json`;

async function wait(options: WaitOptions): Promise<void> {
  const { file, document, type, mrn, store, within, json } = options;
  const items = await readItems(file, { document, type, mrn });
  const { client } = await openService(options);
  const { signal } = abortOnStop();
  const table = openTable(routedColumns);
  const waiting = client.waitForRouting(items, {
    signal,
    store: store === undefined ? undefined : openMarkerFile(store, async () => undefined),
    withinMs: beginWithin(within, json),
  });
  const describe = () =>
    `${grouped(items.length - waiting.pending.length)} of ${grouped(items.length)} have their routing`;
  if (!json) print(table.heading());
  try {
    await withProgress(describe, async (progress) => {
      for await (const routed of waiting) {
        progress.clear();
        await printText(`${json ? JSON.stringify(toJson(routed)) : table.row(routed)}\n`);
      }
    });
  } catch (error) {
    if (error instanceof RoutingPendingError) {
      const command = nextCommand(['routing', 'wait', ...repeated(options)], options);
      const { code, pending, notLookedUp } = error;
      const details = { code, pending: pending.length, notLookedUp };
      const unknown =
        notLookedUp === 0
          ? ''
          : ` There was no time to look up ${grouped(notLookedUp)} of the others, which may have one: give --within more seconds, or a list without those that have their routing.`;
      const message = `${describe()}.${unknown}\nTo wait for the others: ${command}`;
      throw new CallFailedError(message, 'PENDING', { details, cause: error });
    }
    throw error;
  }
  reportCut(table);
  report(`${describe()}.`);
}

/** A document as it was given, with its routing. */
function toJson({ item, routing, routingControlLocation, signal }: RoutedReference): object {
  const { transportDocumentHouseLevel, mrn } = item;
  return { transportDocumentHouseLevel, mrn, routing, routingControlLocation, signal };
}

async function readItems(
  file: string | undefined,
  one: { document: string | undefined; type: DocumentType | undefined; mrn: string | undefined },
): Promise<HouseReference[]> {
  const { document, type, mrn } = one;
  if (file === undefined) {
    if (document === undefined || type === undefined) {
      throw new UsageError('routing wait needs --file, or --document and --type');
    }
    return [toReference({ transportDocumentHouseLevel: { documentNumber: document, type }, mrn })];
  }
  const other = Object.entries(one).find(([, value]) => value !== undefined);
  if (other !== undefined) throw new UsageError(`--file does not go with --${other[0]}`);
  // Loaded here so that other commands start without the parser of CSV.
  const { readList } = await import('../present/read-list.js');
  const { presentations, invalid } = await readList(file, 'house-consignment', 'NO351001');
  const [first] = invalid;
  if (first !== undefined) {
    const [problem] = first.errors;
    throw new CommandFailedError(
      `line ${first.line} of ${file} is no house consignment: ${problem?.field} ${problem?.error}`,
    );
  }
  return presentations.map(toReference);
}

/** What identifies a house consignment. */
function toReference(presentation: object): HouseReference {
  if (!('transportDocumentHouseLevel' in presentation)) throw new Error('no house consignment');
  // The cast is true because the list, or the options, are of house consignments.
  const { transportDocumentHouseLevel, mrn } = presentation as HouseReference;
  return mrn === undefined ? { transportDocumentHouseLevel } : { transportDocumentHouseLevel, mrn };
}

function repeated({ document, type, mrn, file, store }: WaitOptions): string[] {
  const options = { document, type, mrn, file, store };
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}
