// `landfall present`: presents goods to customs at any of the five levels, one by one or as a list.
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import { Argument, type Command, Option } from 'commander';
import { addServiceOptions, officeOption, wholeNumber } from '../../input/options.js';
import { checkListFiles } from '../../lists/check-files.js';
import { UsageError } from '../../process/exit.js';
import type { PresentListOptions } from './present-list.js';
import { type PresentOneOptions, presentOne } from './present-one.js';
import { flagOf } from './presentation-members.js';

type PresentOptions = PresentOneOptions & Partial<PresentListOptions>;

/** Adds the command. */
export function addPresent(program: Command): void {
  const command = program
    .command('present')
    .description('present goods to customs')
    .addArgument(
      new Argument('<level>', 'level of the presentation').choices(Object.keys(presentationLevels)),
    );
  addServiceOptions(command, 'carrier')
    .option('--document <number>', 'house-consignment: number of the transport document')
    .option('--master-document <number>', 'master-consignment: number of the master document')
    .option('--type <code>', 'type of the document, code list CL754, such as N740')
    .option('--container <id>', 'container: identifier (ISO 6346)')
    .option('--receptacle <id>', 'receptacle: identifier (UPU S9)')
    .option(
      '--mrn <mrn>',
      'entry-summary-declaration: MRN; other levels: if several declarations match',
    )
    .addOption(officeOption())
    .option('--request-id <uuid>', 'id of the request (default: a new UUID)')
    .option('--file <file>', 'present each line of a list, CSV or NDJSON; - reads stdin')
    .option(
      '--journal <file>',
      'list: what has been presented, to resume from (default: the list with ".journal" added)',
    )
    .option('--failed <file>', 'list: write the lines that failed to this file, in the same form')
    .option(
      '--corrected',
      'list: it was changed since its journal began, and what is presented is not presented again',
    )
    .option('--skip-invalid', 'list: present the valid lines although others are invalid')
    .addOption(
      new Option(
        '--concurrency <number>',
        'list: present one by one, so many at a time (1 to 256; default: house consignments in batches, others 16)',
      ).argParser(wholeNumber(1, 256)),
    )
    .option('--json', 'print the result as one JSON document; list: one line for each outcome')
    .addHelpText('after', help)
    .action(present);
}

const help = `
If a response is lost, the outcome is found out by the requestId: the goods end as presented or not presented.

Lists (--file) have up to 1,000,000 lines. CSV needs a header row with these columns, separated by comma, semicolon or
tab; the last two are optional everywhere:
  house-consignment, master-consignment: documentNumber, type, mrn (optional)
  container: containerId    receptacle: receptacleId    entry-summary-declaration: mrn
  customsOfficeOfPresentation (default: --office), error (ignored; --failed writes it)
A line of NDJSON is the body of a presentation without requestId, such as
  {"transportDocumentHouseLevel":{"documentNumber":"HC001","type":"N740"}}
All lines are checked before the first is sent. After Ctrl-C or a crash, run the same command again: it resumes from the
journal and presents nothing twice. Lines that were refused are tried again, and equal lines are presented once. House
consignments are sent in batches of up to 1,000, unless --concurrency is given.

Examples, with the sample data of the playground:
  $ landfall present house-consignment --document HC001 --type N740
  $ landfall present master-consignment --master-document MAWB0003 --type N741
  $ landfall present container --container JARU0000010
  $ landfall present receptacle --receptacle GBASFZMLBKONAUN30001001019999
  $ landfall present entry-summary-declaration --mrn 23NO00000000000005
  $ landfall present house-consignment --file parcels.csv --failed failed.csv`;

/** The options of a list, and those of a single presentation, with their flags. */
const LIST_FLAGS = {
  journal: '--journal',
  failed: '--failed',
  corrected: '--corrected',
  skipInvalid: '--skip-invalid',
  concurrency: '--concurrency',
} as const;
const SINGLE_FLAGS = { ...flagOf, requestId: '--request-id' } as const;

async function present(level: PresentationPath, options: PresentOptions): Promise<void> {
  const { file } = options;
  const [foreign] = Object.entries(file === undefined ? LIST_FLAGS : SINGLE_FLAGS)
    // The cast is true because the tables have names of options.
    .filter(([name]) => options[name as keyof PresentOptions] !== undefined)
    .map(([, flag]) => flag);
  if (file === undefined) {
    if (foreign !== undefined) throw new UsageError(`${foreign} needs --file`);
    return presentOne(level, options);
  }
  if (foreign !== undefined) throw new UsageError(`present --file does not take ${foreign}`);
  checkListFiles({ ...options, file });
  // Loaded here so that other commands start without the parser of CSV.
  const { presentList } = await import('./present-list.js');
  return presentList(level, { ...options, file });
}
