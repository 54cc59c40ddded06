// `landfall scenario list`: the scenarios of a playground, with how often each took effect.
import type { Command } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { callPlayground } from '../../service/playground-control.js';
import { printScenarios } from './scenario-table.js';

/** Adds the command. */
export function addScenarioList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the scenarios of a playground, and how often each took effect',
  );
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall scenario list
  $ landfall scenario list --json`;

async function list(options: IdentityOptions & { json?: true }): Promise<void> {
  const { scenarios } = await callPlayground(options, {
    name: 'scenario list',
    result: 'scenarios',
    method: 'GET',
    path: '/scenarios',
  });
  if (options.json) return printJson(scenarios);
  if (scenarios.length === 0) return print('No scenarios.');
  printScenarios(scenarios);
}
