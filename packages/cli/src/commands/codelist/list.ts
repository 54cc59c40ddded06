// `landfall codelist list`: lists the code lists in force.
import type { CodeListSummary } from '@landfall/client';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';

/** Adds the command. */
export function addCodelistList(codelist: Command): void {
  const command = onlyReads(codelist.command('list')).description(
    'list the code lists in force: how many codes, and when they were imported',
  );
  addServiceOptions(command, 'carrier');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall codelist list
  $ landfall codelist list --json`;

async function list(options: IdentityOptions & { json?: true }): Promise<void> {
  const { client } = await openService(options);
  const lists = await client.listCodeLists();
  if (options.json) printJson(lists);
  else printTable(columns, lists);
}

const columns: readonly Column<CodeListSummary>[] = [
  { heading: 'list', value: ({ list }) => list },
  { heading: 'codes', value: ({ entries }) => String(entries) },
  { heading: 'in force since', value: ({ inForceSince }) => inForceSince ?? 'built in' },
  { heading: 'other codes', value: ({ pattern }) => pattern ?? '' },
  { heading: 'title', value: ({ title }) => title },
];
