// `landfall push test`: sends a test event to the receiver of a subscription.

import { attemptOutcomes } from '@landfall/contract';
import type { Command } from 'commander';
import { printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { CommandFailedError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { addOnePushCommand, attemptColumns, type PushOptions } from './push.js';

/** Adds the command. */
export function addPushTest(group: Command): void {
  addOnePushCommand(group, 'test', 'send a test event to a receiver, and show what it answered')
    .addHelpText('after', examples)
    .action(test);
}

const examples = `
It has no entries, and changes nothing in what is delivered. Exit code 1: the receiver has not confirmed it.

Examples:
  $ landfall push test 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`;

async function test(id: string, options: PushOptions): Promise<void> {
  const { client } = await openService(options);
  const attempt = await client.testSubscription(id);
  if (options.json) printJson(attempt);
  else printTable(attemptColumns, [attempt]);
  const { outcome } = attempt;
  if (outcome !== 'CONFIRMED') throw new CommandFailedError(attemptOutcomes[outcome]);
}
