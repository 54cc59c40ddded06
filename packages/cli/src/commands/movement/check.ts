// `landfall movement check`: judges movement messages offline, by the rules of the service.
import {
  type CheckedMovementText,
  checkMovementText,
  chooseMovementSplitter,
  type FoundText,
  type ModeName,
  type MovementMessageName,
  type Registers,
  refuseMovementText,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonLinesOption, utcTime } from '../../input/options.js';
import { readMessageTexts } from '../../input/read-message-texts.js';
import { print, printable, printText, report } from '../../output/output.js';
import { grouped, withProgress } from '../../output/progress.js';
import { CommandFailedError } from '../../process/exit.js';
import { messageOption, modeOption } from './mode-option.js';
import { type RegisterFiles, readRegisters } from './read-registers.js';

type CheckOptions = RegisterFiles & {
  mode: ModeName;
  level?: MovementMessageName;
  at?: Date;
  json?: true;
};

/** Adds the command. */
export function addMovementCheck(group: Command): void {
  const command = onlyReads(group.command('check'))
    .description('check movement messages offline; exit code 1 if any would be refused')
    .argument(
      '[file...]',
      'a JSON file, one message per line (NDJSON), or a JSON array; - reads stdin, as does no file',
    )
    .addOption(modeOption())
    .addOption(messageOption('level of all messages (default: as the members of each show)'))
    .option('--offices <file>', 'customs offices (CL141) as CSV, as codelist import reads them')
    .option('--places <file>', 'places (UN/LOCODE) as CSV with the column code')
    .addOption(
      new Option('--at <time>', 'check as at this time in UTC (default: now)').argParser(utcTime),
    );
  addJsonLinesOption(command).addHelpText('after', examples).action(check);
}

const examples = `
Prints one line per error: the line where the message begins, the phase, the member, the rule and its code. What is
refused at once is not examined further: correct it, and check again. A house consignment that is accepted may be
incomplete; what it still needs is printed, and can be lodged later.

Without --offices the national customs offices are known; without --places only the form of a place is checked. No
register of declarations is asked. Two messages with the same key are found within one run.

Examples:
  $ landfall movement check house.json --mode road
  $ landfall movement check transport.json master.json house.json --mode air --json
  $ cat houses.ndjson | landfall movement check --mode maritime --level house-consignment`;

/** The counts so far. */
type Summary = { messages: number; accepted: number; incomplete: number; refused: number };

/** Where a message is: its file, if there are several, and its line. */
type Place = { file?: string; line: number };

/** Keys of messages that are remembered; of more, repeated ones are not found. */
const MAX_KEYS = 1_000_000;

async function check(given: readonly string[], options: CheckOptions): Promise<void> {
  const { mode, level, at: now = new Date(), json } = options;
  const files = given.length > 0 ? given : ['-'];
  if (files.filter((file) => file === '-').length > 1) {
    throw new CommandFailedError('standard input can be read only once');
  }
  const keys = new Set<string>();
  const registers: Registers = {
    ...(await readRegisters(options, now)),
    isKeyTaken: (key) => keys.has(key),
  };
  const summary: Summary = { messages: 0, accepted: 0, incomplete: 0, refused: 0 };
  const describe = json === true ? describeAsJson : describeInWords;
  const judge = ({ line, found }: FoundText, file: string): string => {
    const checked =
      typeof found === 'string'
        ? checkMovementText(found, { mode, registers, now, ...(level && { level }) })
        : refuseMovementText(level, [found.error]);
    if (checked.accepted && keys.size < MAX_KEYS) keys.add(checked.key);
    count(summary, checked);
    return describe(checked, { ...(files.length > 1 && { file }), line });
  };
  await withProgress(
    () => `${grouped(summary.messages)} messages, ${grouped(summary.refused)} refused`,
    async ({ clear }) => {
      for (const file of files) {
        if (file === '-' && process.stdin.isTTY) {
          report('reading messages from standard input; Ctrl-D ends them');
        }
        for await (const batch of readMessageTexts(file, undefined, chooseMovementSplitter)) {
          for (const text of batch) {
            const described = judge(text, file);
            if (described === '') continue;
            clear();
            await printText(described);
          }
        }
      }
    },
  );
  if (summary.messages === 0) throw new CommandFailedError('there are no messages in the input');
  if (summary.messages > MAX_KEYS) {
    report(`only the first ${grouped(MAX_KEYS)} messages were compared for repeated keys`);
  }
  print(json === true ? JSON.stringify({ summary }) : summaryInWords(summary));
  if (summary.refused > 0) process.exitCode = 1;
}

function count(summary: Summary, checked: CheckedMovementText): void {
  summary.messages += 1;
  if (!checked.accepted) summary.refused += 1;
  else if (checked.missing.length > 0) summary.incomplete += 1;
  else summary.accepted += 1;
}

function describeAsJson(checked: CheckedMovementText, place: Place): string {
  const { level, accepted } = checked;
  const result = checked.accepted
    ? { missing: checked.missing }
    : { phase: checked.phase, errors: checked.errors, errorCount: checked.errorCount };
  return `${JSON.stringify({ ...place, level, accepted, ...result })}\n`;
}

function describeInWords(checked: CheckedMovementText, { file, line }: Place): string {
  const where = `${file === undefined ? '' : `${printable(file)} `}line ${line}`;
  const [kind, errors] = checked.accepted
    ? ['incomplete', checked.missing]
    : [`refused ${checked.phase === 'status' ? 'by status' : checked.phase}`, checked.errors];
  const lines = errors.map(
    ({ field, error, code }) =>
      `${where}, ${kind}: ${printable(field) || 'message'}: ${printable(error)} (${code})\n`,
  );
  const more = checked.accepted ? 0 : checked.errorCount - checked.errors.length;
  if (more > 0) lines.push(`${where}, ${kind}: and ${grouped(more)} more errors\n`);
  return lines.join('');
}

function summaryInWords({ messages, accepted, incomplete, refused }: Summary): string {
  const parts = [
    [accepted, 'accepted'],
    [incomplete, 'accepted and incomplete'],
    [refused, 'refused'],
  ] as const;
  const given = parts.filter(([number]) => number > 0);
  const counts = given.map(([number, what]) => `${grouped(number)} ${what}`).join(', ');
  return `${messages === 1 ? '1 message' : `${grouped(messages)} messages`}: ${counts}`;
}
