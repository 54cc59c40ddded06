// `landfall feed publish`: publishes goods-item messages from a file, block by block, each whole or not at all.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ATOMIC_PUBLISH_LIMIT,
  compileCheck,
  GoodsItemsPublished,
  operations,
} from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from './call-service.js';
import { openSession, type Session } from './credentials.js';
import { CommandFailedError } from './exit.js';
import { addIdentityOptions, type IdentityOptions } from './identity-options.js';
import { nextCommand } from './next-command.js';
import { print, tell } from './output.js';
import { grouped, startRate, withProgress } from './progress.js';
import { readText, UnreachableError } from './reach-service.js';
import { readMessage } from './read-message.js';
import { readMessageTexts } from './read-message-texts.js';
import { ServiceRefusedError } from './service-refused-error.js';

type PublishOptions = IdentityOptions & { json?: true };

const operation = operations.publishGoodsItems;

/** Text of a block at which it is sent although it has fewer messages than it may have, in characters. */
const BLOCK_SIZE = 8_000_000;

/** How long to wait before a block is sent again, in milliseconds, and how often at most. */
const PAUSE = 2000;
const ATTEMPTS = 15;

/** Adds the verb. */
export function addFeedPublish(group: Command): void {
  const command = group
    .command('publish')
    .description('publish goods-item messages')
    .argument('<file>', 'one message a line (NDJSON), or a JSON array; - is stdin');
  addIdentityOptions(command, { defaultName: 'authority' })
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(publish);
}

const examples = `
Blocks of up to ${ATOMIC_PUBLISH_LIMIT} messages are stored one after another, each whole or not at all. After a failure run the
same command again: what is stored already counts as duplicate, and is not stored twice.

Examples:
  $ landfall feed publish messages.ndjson
  $ landfall feed generate --declarations 1000 | landfall feed publish -`;

/** The file holds what cannot be sent. */
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
    tell(afterFailure(error, stored(), file, options));
    throw error;
  }
  print(options.json === true ? JSON.stringify(total) : inWords(total));
}

/** What stands, and what to do about the rest. */
function afterFailure(
  error: unknown,
  stored: number,
  file: string,
  options: PublishOptions,
): string {
  const refused = error instanceof ServiceRefusedError && error.status < 500;
  const known = refused || error instanceof InputError;
  if (stored === 0 && known) return 'nothing is stored';
  const stands = `the first ${grouped(stored)} messages are stored`;
  const rest = known
    ? 'none after them'
    : `of up to ${grouped(ATOMIC_PUBLISH_LIMIT)} after them nobody can tell`;
  const again = nextCommand(['feed', 'publish', file, '--as', options.as], options);
  return `${stands}, ${rest}; run the same again, and what is stored is not stored twice: ${again}`;
}

function inWords({ accepted, duplicates }: GoodsItemsPublished): string {
  const twice =
    duplicates === 0 ? '' : `; ${grouped(duplicates)} were there already, with the same content`;
  return `published ${accepted === 1 ? '1 message' : `${grouped(accepted)} messages`}${twice}`;
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
      if (texts.length === ATOMIC_PUBLISH_LIMIT || size >= BLOCK_SIZE) yield take();
    }
  }
  if (texts.length > 0) yield take();
}

/** Sends a block; again, while there is reason to hope. Nobody can tell by a lost answer whether it was stored. */
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
      if (attempt >= ATTEMPTS || !mayPass(error)) throw error;
      if (attempt === 1 && error instanceof Error) {
        clear();
        tell(`${error.message.split('\n', 1)[0]}; sending the block again`);
      }
      await delay(PAUSE);
    }
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ServiceRefusedError) return error.status === 429 || error.status === 503;
  return error instanceof UnreachableError;
}

/** The service counts the messages of a block; a person counts the lines of the file. */
function withLines(message: string, lines: readonly number[]): string {
  return message.replaceAll(/^ {2}message (\d+)\b/gm, (whole, index: string) => {
    const line = lines[Number(index)];
    return line === undefined ? whole : `  line ${line}`;
  });
}
