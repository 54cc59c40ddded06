// `landfall document read`: saves a document of a customs declaration, for the authority.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { CommandFailedError, codeOf } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';

type ReadOptions = IdentityOptions & { output: string; overwrite?: true; json?: true };

/** Adds the command. */
export function addDocumentRead(group: Command): void {
  const command = onlyReads(group.command('read'))
    .description('customs authority: save a document in a file')
    .argument('<id>', 'id of the document, as document find shows it')
    .requiredOption('--output <file>', 'file to write; it is there as a whole or not at all')
    .option('--overwrite', 'replace the file if there is one');
  addServiceOptions(command, 'authority');
  addJsonOption(command).addHelpText('after', examples).action(read);
}

const examples = `
Each reading is recorded in the audit trail. A document comes from outside: open it where other files from outside are
opened.

Examples:
  $ landfall document read 0190b6f2-3c5e-7aaa-8000-000000000000 --output invoice.pdf
  $ landfall document read 0190b6f2-3c5e-7aaa-8000-000000000000 --output invoice.pdf --overwrite --json`;

async function read(documentId: string, options: ReadOptions): Promise<void> {
  const { output, overwrite = false, json } = options;
  // Before it is read, because that is recorded.
  if (!overwrite && existsSync(output)) throw isThere(output);
  const { client } = await openService(options);
  const content = Buffer.from(await (await client.readDocument(documentId)).arrayBuffer());
  await writeWhole(output, content, overwrite);
  const size = content.length;
  const sha256 = createHash('sha256').update(content).digest('hex');
  if (json) return printJson({ documentId, file: output, size, sha256 });
  print(`${output} has the document: ${size} bytes, SHA-256 ${sha256}`);
}

/** Writes beside the file, so that an interruption leaves no part of a document under its name. */
async function writeWhole(file: string, content: Buffer, overwrite: boolean): Promise<void> {
  const beside = `${file}.${randomUUID()}.tmp`;
  let isOwn = false;
  try {
    const handle = await open(beside, 'wx', 0o600);
    isOwn = true;
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link, other than a new name, leaves a file that somebody has made meanwhile.
    await (overwrite ? rename(beside, file) : link(beside, file));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw isThere(file);
    throw new CommandFailedError(`cannot write ${file} (${codeOf(error) ?? String(error)})`);
  } finally {
    if (isOwn) await rm(beside, { force: true });
  }
}

function isThere(file: string): CommandFailedError {
  return new CommandFailedError(
    `${file} is there already: nothing was written. Name another file, or add --overwrite`,
  );
}
