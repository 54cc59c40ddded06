// `landfall document list`: lists what the organisation has uploaded for a customs declaration.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { declarationOption } from './declaration-option.js';
import { ownColumns } from './document-table.js';

type ListOptions = IdentityOptions & { declarationId: string; json?: true };

/** Adds the command. */
export function addDocumentList(group: Command): void {
  const command = onlyReads(group.command('list'))
    .description('list what your organisation has uploaded for a customs declaration')
    .addOption(declarationOption());
  addServiceOptions(command, 'broker');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall document list --declaration-id 974760673-10082022-1
  $ landfall document list --declaration-id 974760673-10082022-1 --json`;

async function list(options: ListOptions): Promise<void> {
  const { client } = await openService(options);
  const documents = await client.listDocuments(options.declarationId);
  if (options.json) return printJson(documents);
  if (documents.length === 0) return print('No documents.');
  printTable(ownColumns, documents);
}
