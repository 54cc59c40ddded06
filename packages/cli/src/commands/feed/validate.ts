// `landfall feed validate`: validates goods-item messages offline and reports every broken rule.
import { stat } from 'node:fs/promises';
import { compileGoodsItemReader, type FoundText, type ValidationError } from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { readMessageTexts } from '../../input/read-message-texts.js';
import { print, printable, printText } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';

type ValidateOptions = { json?: true };

/** Adds the command. */
export function addFeedValidate(group: Command): void {
  onlyReads(group.command('validate'))
    .description('validate goods-item messages offline; exit code 1 if any breaks a rule')
    .argument('<file>', 'one message per line (NDJSON), or a JSON array; - reads stdin')
    .option('--json', 'print each broken rule as JSON, then a summary')
    .addHelpText('after', examples)
    .action(validate);
}

const examples = `
Prints one line per broken rule: the line where the message begins, its eventId, the member, the rule and its code.

Examples:
  $ landfall feed validate messages.ndjson
  $ landfall feed generate | landfall feed validate -`;

/** The counts so far. */
type Summary = { messages: number; invalid: number; errors: number };

async function validate(file: string, { json }: ValidateOptions): Promise<void> {
  const summary: Summary = { messages: 0, invalid: 0, errors: 0 };
  // A missing file is reported when it is read.
  const size = file === '-' ? undefined : (await stat(file).catch(() => undefined))?.size;
  let bytes = 0;
  const rate = startRate();
  const line = () => {
    const percent =
      size === undefined ? '' : `, ${Math.floor((100 * bytes) / Math.max(size, 1))} %`;
    const { messages, errors } = summary;
    return `${grouped(messages)} messages, ${rate(messages)}/s${percent}, ${grouped(errors)} errors`;
  };
  const check = makeCheck(summary, json === true ? errorAsJson : errorInWords);
  const onRead = (read: number) => {
    bytes = read;
  };
  await withProgress(line, async ({ clear }) => {
    for await (const batch of readMessageTexts(file, onRead)) {
      let found = '';
      for (const text of batch) found += check(text);
      if (found === '') continue;
      clear();
      await printText(found);
    }
  });
  print(json === true ? JSON.stringify({ summary }) : summaryInWords(summary));
  if (summary.errors > 0) process.exitCode = 1;
}

type DescribeError = (line: number, eventId: string | undefined, error: ValidationError) => string;

/** Makes a function that counts a message and returns a line for each of its errors. */
function makeCheck(summary: Summary, describe: DescribeError): (text: FoundText) => string {
  const read = compileGoodsItemReader();
  return ({ line, found }) => {
    summary.messages += 1;
    const message =
      typeof found === 'string'
        ? read(found)
        : { valid: false as const, eventId: undefined, errors: [found.error] };
    if (message.valid) return '';
    summary.invalid += 1;
    summary.errors += message.errors.length;
    return message.errors.map((error) => `${describe(line, message.eventId, error)}\n`).join('');
  };
}

function errorAsJson(line: number, eventId: string | undefined, error: ValidationError): string {
  return JSON.stringify({ line, ...(eventId !== undefined && { eventId }), ...error });
}

function errorInWords(
  line: number,
  eventId: string | undefined,
  { field, error, code }: ValidationError,
): string {
  const which = eventId === undefined ? '' : ` ${printable(eventId)}`;
  return `line ${line}${which}: ${printable(field) || 'message'}: ${error} (${code})`;
}

function summaryInWords({ messages, invalid, errors }: Summary): string {
  if (messages === 0) return 'no messages';
  const count = messages === 1 ? '1 message' : `${grouped(messages)} messages`;
  if (invalid === 0) return `${count}, all valid`;
  const broken = errors === 1 ? '1 rule is' : `${grouped(errors)} rules are`;
  return `${count}, ${grouped(invalid)} invalid: ${broken} broken`;
}
