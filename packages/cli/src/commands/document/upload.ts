// `landfall document upload`: uploads a document of a customs declaration.
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { MAX_DOCUMENT_BYTES, readDocumentType } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { cannotRead } from '../../input/read-file.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printable, printJson } from '../../output/output.js';
import { CommandFailedError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { declarationOption } from './declaration-option.js';

type UploadOptions = IdentityOptions & { declarationId: string; type: string; json?: true };

/** How long an upload may take unless `--timeout` says it: it may wait for the scanner. In milliseconds. */
const TIMEOUT_MS = 300_000;

/** Adds the command. */
export function addDocumentUpload(group: Command): void {
  const command = group
    .command('upload')
    .description('upload a document of a customs declaration')
    .argument(
      '<file>',
      'PDF, JPG, PNG, TXT, DOCX or XLSX, as the end of its name says; up to 10 MiB',
    )
    .addOption(declarationOption())
    .addOption(
      new Option(
        '--type <type>',
        'invoice, permits, "freight invoice", "proof of origin documentation", waybill or "export documentation"',
      )
        .argParser(readType)
        .makeOptionMandatory(),
    );
  addServiceOptions(command, 'broker');
  addJsonOption(command).addHelpText('after', examples).action(upload);
}

const examples = `
The service refuses a file that is not what the end of its name says, that has macros, or in which its scanner finds
malware. The same file for the same declaration is stored once, so an upload may be repeated.

Examples:
  $ landfall document upload invoice.pdf --declaration-id 974760673-10082022-1 --type invoice
  $ landfall document upload cmr.jpg --declaration-id 974760673-10082022-1 --type fraktbrev --json`;

async function upload(file: string, options: UploadOptions): Promise<void> {
  const { declarationId, type, json } = options;
  const { client, sending } = await openService(options);
  const content = await openFile(file);
  const { timeoutMs = TIMEOUT_MS } = sending;
  const document = await client.uploadDocument(
    declarationId,
    { metadata: { documentType: type, declarationId }, file: new File([content], basename(file)) },
    { timeoutMs },
  );
  if (json) return printJson(document);
  const { documentId, documentType, fileName, size } = document;
  print(`${printable(fileName)} is stored: ${documentType}, ${size} bytes, id ${documentId}`);
  print(
    `All of this declaration: ${nextCommand(['document', 'list', '--declaration-id', declarationId], options)}`,
  );
}

/** A file of a size that is taken; a longer one would be sent in vain. */
async function openFile(file: string): Promise<Blob> {
  let content: Blob;
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is no file');
    content = await openAsBlob(file);
  } catch (error) {
    throw cannotRead(file, error);
  }
  if (content.size > MAX_DOCUMENT_BYTES) {
    throw new CommandFailedError(
      `${file} has ${content.size} bytes, and a document at most ${MAX_DOCUMENT_BYTES}: nothing was sent`,
    );
  }
  return content;
}

function readType(text: string): string {
  if (readDocumentType(text) !== undefined) return text;
  throw new InvalidArgumentError(
    'It is one of invoice, permits, freight invoice, proof of origin documentation, waybill and export documentation.',
  );
}
