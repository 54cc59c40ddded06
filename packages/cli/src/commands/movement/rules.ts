// `landfall movement rules`: lists the rules of movement messages by phase.
import {
  appliesTo,
  keysOf,
  type ModeName,
  type MovementMessageName,
  type MovementRule,
  movementMessages,
  movementRules,
} from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { terminalWidth, wrap } from '../../output/wrap.js';
import { messageOption, modeOption } from './mode-option.js';

type RulesOptions = { mode: ModeName; level?: MovementMessageName; json?: true };

/** Adds the command. */
export function addMovementRules(group: Command): void {
  const command = onlyReads(group.command('rules'))
    .description('list the rules of movement messages')
    .addOption(modeOption())
    .addOption(messageOption('only the rules of this level'));
  addJsonOption(command).addHelpText('after', examples).action(listRules);
}

const examples = `
Examples:
  $ landfall movement rules --mode road --level house-consignment
  $ landfall movement rules --mode road --level relation
  $ landfall movement rules --mode air --json`;

/** What each phase means. */
const phases: Record<MovementRule['phase'], string> = {
  'at once': 'Refused at once: what one member shows by itself',
  status: 'Refused by status: what members show together, code lists, registers and other messages',
  completeness: 'Accepted and incomplete: what a house consignment still needs',
};

const INDENT = '  ';

function listRules({ mode, level, json }: RulesOptions): void {
  const levels = level === undefined ? keysOf(movementMessages) : [level];
  const applying = movementRules.filter((rule) => levels.some((one) => appliesTo(rule, one, mode)));
  if (json === true) {
    printJson(applying.map(({ find: _, ...rule }) => rule));
    return;
  }
  const width = terminalWidth();
  for (const phase of keysOf(phases)) {
    const ofPhase = applying.filter((rule) => rule.phase === phase);
    if (ofPhase.length === 0) continue;
    print(phases[phase]);
    for (const { id, code, path, text } of ofPhase) {
      print(`${INDENT}${id} (${code})`);
      for (const line of wrap(`${path}: ${text}`, width - 2 * INDENT.length)) {
        print(`${INDENT}${INDENT}${line}`);
      }
    }
    print('');
  }
}
