// `landfall routing-run reverse`: decides again what was before a run.
import type { Command } from 'commander';
import { openService } from '../../service/open-service.js';
import {
  addNewRunOptions,
  addOneRunCommand,
  type NewRunOptions,
  showStarted,
} from './routing-run.js';

/** Adds the command. */
export function addRoutingRunReverse(group: Command): void {
  const command = addOneRunCommand(
    group,
    'reverse',
    'decide again what was before a run that has ended, with a run of its own',
  );
  addNewRunOptions(command).addHelpText('after', examples).action(reverse);
}

const examples = `
Each house consignment that the run has decided gets its routing of before; what somebody has decided since stays, and is
a CONFLICT in the results. Presented goods that the run has sent TO_ENTRY may have been released: they are REFUSED if
they had no decision before.

Examples:
  $ landfall routing-run reverse 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11 --reason "wrong office" --preview
  $ landfall routing-run reverse 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11 --reason "wrong office" --wait`;

async function reverse(id: string, options: NewRunOptions): Promise<void> {
  const { client } = await openService(options);
  const { reason, expectedCount, preview } = options;
  const reversal = {
    reason,
    ...(expectedCount !== undefined && { expectedCount }),
    ...(preview && { preview }),
  };
  await showStarted(client, await client.reverseRoutingRun(id, reversal), options);
}
