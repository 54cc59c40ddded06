// `landfall feed publish`: publishes goods-item messages from a file in blocks, each stored completely or not at all.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ATOMIC_PUBLISH_LIMIT,
  compileCheck,
  GoodsItemsPublished,
  operations,
} from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { readText, UnreachableError } from '../../http/reach-service.js';
import { readMessage } from '../../http/read-message.js';
import { ServiceRefusedError } from '../../http/service-refused-error.js';
import { addIdentityOptions, type IdentityOptions } from '../../input/options.js';
import { readMessageTexts } from '../../input/read-message-texts.js';
import { nextCommand } from '../../output/next-command.js';
import { print, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';
import { CommandFailedError } from '../../process/exit.js';

type PublishOptions = IdentityOptions & { json?: true };

const operation = operations.publishGoodsItems;

/** A block is sent when its text reaches this many characters, or ATOMIC_PUBLISH_LIMIT messages. */
const MAX_BLOCK_SIZE = 8_000_000;

const RETRY_DELAY_MS = 2000;
const MAX_ATTEMPTS = 15;

/** Adds the command. */
export function addFeedPublish(group: Command): void {
  const command = group
    .command('publish')
    .description('publish goods-item messages')
    .argument('<file>', 'one message per line (NDJSON), or a JSON array; - reads stdin');
  addIdentityOptions(command, { defaultName: 'authority' })
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(publish);
}

const examples = `
Messages are stored in blocks of up to ${ATOMIC_PUBLISH_LIMIT}, each block completely or not at all. After a failure, run the same
command again: messages already stored are counted as duplicates and not stored twice.

Examples:
  $ landfall feed publish messages.ndjson
  $ landfall feed generate --declarations 1000 | landfall feed publish -`;

/** The file contains a message that cannot be sent. */
class InputError extends CommandFailedError {
  override readonly code = 'INPUT';
  override name = 'InputError';
}

/** Messages that are sent together. */
type Block = { text: string; lines: number[] };

async function publish(file: string, options: PublishOptions): Promise<void> {
  const session = await openSession(options);
  const total: GoodsItemsPublished = { accepted: 0, duplicates: 0 };
  const stored = () => total.accepted + total.duplicates;
  const rate = startRate();
  const line = () => `${grouped(stored())} messages, ${rate(stored())}/s published`;
  try {
    await withProgress(line, async ({ clear }) => {
      for await (const block of readBlocks(file)) {
        const { accepted, duplicates } = await sendBlock(session, block, clear);
        total.accepted += accepted;
        total.duplicates += duplicates;
      }
    });
  } catch (error) {
    report(afterFailure(error, stored(), file, options));
    throw error;
  }
  print(options.json === true ? JSON.stringify(total) : inWords(total));
}

/** What is stored after a failure, and how to resume. */
function afterFailure(
  error: unknown,
  stored: number,
  file: string,
  options: PublishOptions,
): string {
  const refused = error instanceof ServiceRefusedError && error.status < 500;
  const certain = refused || error instanceof InputError;
  if (stored === 0 && certain) return 'nothing was stored';
  const rest = certain ? '' : `; up to ${grouped(ATOMIC_PUBLISH_LIMIT)} more may be`;
  const command = nextCommand(['feed', 'publish', file, '--as', options.as], options);
  return `the first ${grouped(stored)} messages are stored${rest}. To resume, run the same command again; nothing is stored twice: ${command}`;
}

function inWords({ accepted, duplicates }: GoodsItemsPublished): string {
  const already = duplicates === 0 ? '' : `; ${grouped(duplicates)} were already published`;
  return `published ${accepted === 1 ? '1 message' : `${grouped(accepted)} messages`}${already}`;
}

async function* readBlocks(file: string): AsyncGenerator<Block> {
  let texts: string[] = [];
  let lines: number[] = [];
  let size = 0;
  const take = (): Block => {
    const block = { text: texts.join('\n'), lines };
    texts = [];
    lines = [];
    size = 0;
    return block;
  };
  for await (const batch of readMessageTexts(file)) {
    for (const { line, found } of batch) {
      if (typeof found !== 'string') {
        if (texts.length > 0) yield take();
        throw new InputError(`line ${line}: ${found.error.error} (${found.error.code})`);
      }
      texts.push(found);
      lines.push(line);
      size += found.length;
      if (texts.length === ATOMIC_PUBLISH_LIMIT || size >= MAX_BLOCK_SIZE) yield take();
    }
  }
  if (texts.length > 0) yield take();
}

/** Sends a block and retries temporary failures. Retrying is safe: a block already stored counts as duplicates. */
async function sendBlock(
  session: Session,
  block: Block,
  clear: () => void,
): Promise<GoodsItemsPublished> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await callService(session, operation, {
        headers: { 'Content-Type': 'application/x-ndjson' },
        body: block.text,
      });
      return readMessage(
        await readText(response),
        compileCheck<GoodsItemsPublished>(GoodsItemsPublished),
        operation.operationId,
      );
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.status === 400) {
        throw new ServiceRefusedError(400, withLines(error.message, block.lines));
      }
      if (attempt >= MAX_ATTEMPTS || !isTemporary(error)) throw error;
      if (attempt === 1 && error instanceof Error) {
        clear();
        report(`${error.message.split('\n', 1)[0]}; retrying`);
      }
      await delay(RETRY_DELAY_MS);
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ServiceRefusedError) return error.status === 429 || error.status === 503;
  return error instanceof UnreachableError;
}

/** Replaces the message index within the block by the line number in the file. */
function withLines(message: string, lines: readonly number[]): string {
  return message.replaceAll(/^ {2}message (\d+)\b/gm, (whole, index: string) => {
    const line = lines[Number(index)];
    return line === undefined ? whole : `  line ${line}`;
  });
}
