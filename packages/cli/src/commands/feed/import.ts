// `landfall feed import`: publishes goods-item messages from a file in blocks, each stored completely or not at all.
import {
  ApiError,
  type GoodsItemsPublished,
  type Landfall,
  type RetryPolicy,
} from '@landfall/client';
import { ATOMIC_PUBLISH_LIMIT } from '@landfall/contract';
import type { Command } from 'commander';
import { addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { readMessageTexts } from '../../input/read-message-texts.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, report } from '../../output/output.js';
import { grouped, startRate, withProgress } from '../../output/progress.js';
import { CommandFailedError } from '../../process/exit.js';
import { explainFailure } from '../../service/explain-failure.js';
import { openService } from '../../service/open-service.js';

type ImportOptions = IdentityOptions & { json?: true };

/** A block is sent when its text reaches this many characters, or ATOMIC_PUBLISH_LIMIT messages. */
const MAX_BLOCK_SIZE = 8_000_000;

/** Repeating is safe: messages that are stored count as duplicates. */
const RETRY: Partial<RetryPolicy> = { maxAttempts: 15, baseDelayMs: 2000, maxDelayMs: 4000 };

/** Adds the command. */
export function addFeedImport(group: Command): void {
  const command = group
    .command('import')
    .description('publish goods-item messages')
    .argument('<file>', 'one message per line (NDJSON), or a JSON array; - reads stdin');
  addServiceOptions(command, 'authority')
    .option('--json', 'print the result as one JSON document')
    .addHelpText('after', examples)
    .action(importMessages);
}

const examples = `
Messages are stored in blocks of up to ${ATOMIC_PUBLISH_LIMIT}, each block completely or not at all. After a failure, run the same
command again: messages already stored are counted as duplicates and not stored twice.

Examples:
  $ landfall feed import messages.ndjson
  $ landfall feed generate --declarations 1000 | landfall feed import -`;

/** The file contains a message that cannot be sent. */
class InputError extends CommandFailedError {
  override readonly code = 'INPUT';
  override name = 'InputError';
}

/** Messages that are sent together. */
type Block = { text: string; lines: number[] };

async function importMessages(file: string, options: ImportOptions): Promise<void> {
  const { client } = await openService(options);
  const total: GoodsItemsPublished = { accepted: 0, duplicates: 0 };
  const stored = () => total.accepted + total.duplicates;
  const rate = startRate();
  const line = () => `${grouped(stored())} messages, ${rate(stored())}/s published`;
  try {
    await withProgress(line, async () => {
      for await (const block of readBlocks(file)) {
        const { accepted, duplicates } = await sendBlock(client, block);
        total.accepted += accepted;
        total.duplicates += duplicates;
      }
    });
  } catch (error) {
    report(afterFailure(error, stored(), file, options));
    throw error;
  }
  if (options.json) printJson(total);
  else print(inWords(total));
}

/** What is stored after a failure, and how to resume. */
function afterFailure(
  error: unknown,
  stored: number,
  file: string,
  options: ImportOptions,
): string {
  const certain = error instanceof InputError || (error instanceof ApiError && error.status < 500);
  if (stored === 0 && certain) return 'nothing was stored';
  const rest = certain ? '' : `; up to ${grouped(ATOMIC_PUBLISH_LIMIT)} more may be`;
  const command = nextCommand(['feed', 'import', file], options);
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

/** Sends a block; an error names lines of the file. */
async function sendBlock(client: Landfall, { text, lines }: Block): Promise<GoodsItemsPublished> {
  try {
    return await client.publishGoodsItems(text, { retry: RETRY });
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status !== 400) throw thrown;
    const error = explainFailure(thrown);
    throw new InputError(withLines(error instanceof Error ? error.message : '', lines));
  }
}

/** Replaces the message index within the block by the line number in the file. */
function withLines(message: string, lines: readonly number[]): string {
  return message.replaceAll(/^ {2}message (\d+)\b/gm, (whole, index: string) => {
    const line = lines[Number(index)];
    return line === undefined ? whole : `  line ${line}`;
  });
}
