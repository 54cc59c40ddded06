// Reads the messages of a file for lodging. What is refused at once is found before anything is sent.
import { createHash } from 'node:crypto';
import { digestOfMovement, type MovementMessage } from '@landfall/client';
import {
  checkMovementText,
  chooseMovementSplitter,
  type FoundText,
  type ModeName,
  type MovementLevel,
  refuseMovementText,
  uncheckedRegisters,
  type ValidationError,
} from '@landfall/contract';
import { readMessageTexts } from '../../input/read-message-texts.js';
import { ERROR_COLUMN, type InvalidLine, type SentList } from '../../lists/list.js';
import { report } from '../../output/output.js';
import { CallFailedError, CommandFailedError } from '../../process/exit.js';
import { validationLines } from '../../service/explain-failure.js';

/** The maximum number of messages, and of their characters: they are kept in memory. */
const MAX_MESSAGES = 100_000;
const MAX_CHARACTERS = 256 * 1024 * 1024;

/**
 * Reads a file, or standard input for `-`.
 *
 * @param given the level of all messages; default: as the members of each show
 * @throws CommandFailedError when it cannot be read, has no message, or is too large
 */
export async function readMessages(
  file: string,
  mode: ModeName,
  given: MovementLevel | undefined,
): Promise<SentList<MovementMessage>> {
  if (file === '-' && process.stdin.isTTY) {
    report('reading messages from standard input; Ctrl-D ends them');
  }
  const digest = createHash('sha256');
  const items: MovementMessage[] = [];
  const lines: number[] = [];
  const invalid: InvalidLine[] = [];
  let characters = 0;
  for await (const batch of readMessageTexts(file, undefined, chooseMovementSplitter)) {
    for (const found of batch) {
      const text = typeof found.found === 'string' ? found.found : '';
      digest.update(`${text}\n`);
      characters += text.length;
      if (items.length + invalid.length >= MAX_MESSAGES || characters > MAX_CHARACTERS) {
        throw new CommandFailedError(
          `${nameOf(file)} has more than ${MAX_MESSAGES} messages or ${MAX_CHARACTERS} characters: split it. Nothing was sent.`,
        );
      }
      const read = readMessage(found, mode, given);
      if ('errors' in read) {
        invalid.push({ line: found.line, fields: new Map(), text, errors: read.errors });
      } else {
        items.push(read.message);
        lines.push(found.line);
      }
    }
  }
  if (items.length + invalid.length === 0) {
    throw new CommandFailedError(`there are no messages in ${nameOf(file)}. Nothing was sent.`);
  }
  return {
    form: { form: 'ndjson' },
    items,
    lines,
    invalid,
    digest: digest.digest('hex'),
    keyOf: (message) => digestOfMovement(mode, message, given),
  };
}

const isRelation: ValidationError = {
  field: '',
  error: 'is a relation, which `landfall movement relate` makes',
  code: 'FORMAT',
};

function readMessage(
  { found }: FoundText,
  mode: ModeName,
  level: MovementLevel | undefined,
): { message: MovementMessage } | Pick<InvalidLine, 'errors'> {
  // The service decides about everything else: it knows its registers, and what time it is.
  const context = { mode, registers: uncheckedRegisters, now: new Date(), ...(level && { level }) };
  const checked =
    typeof found === 'string'
      ? checkMovementText(found, context)
      : refuseMovementText(level, [found.error]);
  if (checked.level === 'relation') return { errors: [isRelation] };
  const isRefused = !checked.accepted && checked.phase === 'at once';
  if (typeof found !== 'string' || isRefused) {
    return { errors: checked.accepted ? [] : checked.errors };
  }
  const { [ERROR_COLUMN]: _, ...message } = JSON.parse(found);
  return { message };
}

/** @throws CallFailedError with every rule that a message breaks by one member alone */
export function refuseInvalid([first]: readonly InvalidLine[]): void {
  if (first === undefined) return;
  throw new CallFailedError(
    ['refused at once: nothing was sent', ...validationLines(first.errors)].join('\n'),
    'FAILED',
    { details: { validationErrors: first.errors } },
  );
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}
