// `landfall movement lodge`: lodges one movement message, or many from a list.
import { levelOfMovement, type MovementMessage } from '@landfall/client';
import { isUuid, type ModeName, type MovementLevel } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addServiceOptions, wholeNumber } from '../../input/options.js';
import { checkListFiles } from '../../lists/check-files.js';
import type { SentList } from '../../lists/list.js';
import { type RunListOptions, runList } from '../../lists/run-list.js';
import { UsageError } from '../../process/exit.js';
import { levelArgument, modeOption } from './mode-option.js';
import { readMessages, refuseInvalid } from './read-messages.js';
import { sendMessage } from './send-message.js';

type LodgeOptions = RunListOptions & { mode: ModeName; requestId?: string };

/** Adds the command. */
export function addMovementLodge(group: Command): void {
  const command = group
    .command('lodge')
    .description('lodge a transport, a master or a house consignment, or many')
    .addArgument(
      levelArgument('[level]', 'level of the messages (default: as the members of each show)'),
    );
  addServiceOptions(command, 'carrier')
    .addOption(modeOption())
    .requiredOption(
      '--file <file>',
      'a JSON message, one message per line (NDJSON), or a JSON array; - reads stdin',
    )
    .addOption(requestIdOption())
    .option(
      '--journal <file>',
      'many: what has been lodged, to resume from (default: the file with ".journal" added)',
    )
    .option('--failed <file>', 'many: write the messages that failed to this file, as NDJSON')
    .option(
      '--corrected',
      'many: the file was changed since its journal began, and what is lodged is not lodged again',
    )
    .option('--skip-invalid', 'many: lodge the valid messages although others are invalid')
    .addOption(
      new Option(
        '--concurrency <number>',
        'many: how many are lodged at a time (1 to 256; default: 16)',
      ).argParser(wholeNumber(1, 256)),
    )
    .option('--json', 'print the status as one JSON document; many: one line for each message')
    .addHelpText('after', help)
    .action(lodge);
}

const help = `
Prints the MRN, or every rule that the message breaks. A house consignment may be accepted and incomplete: what it still
needs is printed, and lodged later with landfall movement replace. If a response is lost, the outcome is found out by the
requestId: the message ends as lodged or not lodged.

Many messages, 100,000 at most, may be of all levels and in any order. All are checked before the first is sent, as
landfall movement check does. After Ctrl-C or a crash, run the same command again: it resumes from the journal and lodges
nothing twice. Messages that were refused are tried again, and equal messages are lodged once.

Examples:
  $ landfall movement lodge house-consignment --mode road --file house.json --as forwarder
  $ landfall movement lodge --mode road --file transport.json --as haulier
  $ landfall movement lodge --mode air --file houses.ndjson --failed failed.ndjson`;

/** The option `--request-id`. */
export function requestIdOption(): Option {
  return new Option('--request-id <uuid>', 'id of the request (default: a new UUID)').argParser(
    (text) => {
      if (isUuid(text)) return text;
      throw new InvalidArgumentError('It must be a UUID.');
    },
  );
}

async function lodge(level: MovementLevel | undefined, options: LodgeOptions): Promise<void> {
  checkListFiles(options);
  const { file, mode, journal, failed } = options;
  const list = await readMessages(file, mode, level);
  const isList =
    list.items.length + list.invalid.length > 1 || journal !== undefined || failed !== undefined;
  if (!isList) return lodgeOne(list, level, options);
  if (options.requestId !== undefined) {
    throw new UsageError('--request-id is for one message: the file has several');
  }
  await runList(
    list,
    {
      words: { done: 'lodged', verb: 'lodge', line: 'message' },
      send: (client, given) => client.lodgeMany(mode, list.items, { ...given, level }),
      // Any list of the mode needs its scope.
      probe: (client, signal) => client.listMovements(mode, 'transport', { limit: 1 }, { signal }),
      describe: ({ status }, line) => {
        const { mrn, incompleteDocumentationReasonList: reasons = [] } = status ?? {};
        return `line ${line}  ${mrn}${reasons.length > 0 ? `  incomplete: ${reasons.join(', ')}` : ''}`;
      },
    },
    options,
  );
}

async function lodgeOne(
  { items, invalid }: SentList<MovementMessage>,
  given: MovementLevel | undefined,
  options: LodgeOptions,
): Promise<void> {
  const { mode, requestId } = options;
  refuseInvalid(invalid);
  const [message] = items;
  if (message === undefined) return;
  const level = given ?? levelOfMovement(message);
  const sent = requestId === undefined ? message : { ...message, requestId };
  await sendMessage(
    {
      level,
      done: 'lodged',
      message,
      send: (client, settings) => client.lodgeMovement(mode, sent, { ...settings, level }),
    },
    options,
  );
}
