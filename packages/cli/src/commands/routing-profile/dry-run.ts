// `landfall routing-profile dry-run`: tries a version on stored data.
import type { DryRun } from '@landfall/client';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import {
  addRoutingProfileCommand,
  counted,
  LONG_TIMEOUT_MS,
  type RoutingProfileOptions,
  versionNumber,
} from './routing-profile.js';

/** Adds the command. */
export function addRoutingProfileDryRun(group: Command): void {
  onlyReads(
    addRoutingProfileCommand(
      group,
      'dry-run',
      'show what a version would decide for stored consignments, without deciding',
    ),
  )
    .argument('<name>')
    .option('--version <number>', 'version (default: latest)', versionNumber)
    .option(
      '--limit <number>',
      'how many of the latest house consignments to examine (default: 100000)',
      wholeNumber(1, 1_000_000),
    )
    .addHelpText('after', examples)
    .action(dryRun);
}

const examples = `
Examples:
  $ landfall routing-profile dry-run random-control`;

type DryRunOptions = RoutingProfileOptions & { version?: number; limit?: number };

const ruleColumns: Column<DryRun['rules'][number]>[] = [
  { heading: 'rule', value: ({ rule }) => String(rule) },
  { heading: 'name', value: ({ name }) => name },
  { heading: 'matches', value: ({ held }) => String(held) },
  { heading: 'decides', value: ({ decided }) => String(decided) },
  {
    heading: 'example',
    value: ({ examples: [first] }) =>
      first === undefined ? '-' : first.transportDocumentHouseLevel.documentNumber,
  },
];

async function dryRun(name: string, options: DryRunOptions): Promise<void> {
  const { client, sending } = await openService(options);
  const { version, limit } = options;
  const request = { ...(version && { version }), ...(limit && { limit }) };
  const run = await client.dryRunRoutingProfile(name, request, {
    timeoutMs: sending.timeoutMs ?? LONG_TIMEOUT_MS,
  });
  if (options.json) return printJson(run);
  printTable(ruleColumns, run.rules);
  const { same, otherwise, new: undecided } = run.comparison;
  print('');
  print(
    `${name} version ${run.version}, examined ${counted(run.examined, 'house consignment')}: ${run.undecided} match no rule. Compared with current decisions: ${same} same, ${otherwise} different, ${undecided} not decided yet.`,
  );
  const words = ['routing-profile', 'activate', name, String(run.version)];
  print(`No decisions were recorded. Next: ${nextCommand(words, options)}`);
}
