// `landfall routing-run confirm`, `pause`, `resume` and `give-up`.
import type { RoutingRunChange } from '@landfall/client';
import type { Command } from 'commander';
import { CommandFailedError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { addOneRunCommand, type RoutingRunOptions, showRun } from './routing-run.js';

/** Adds the command that confirms a run. */
export function addRoutingRunConfirm(group: Command): void {
  addChange(
    group,
    'confirm',
    'RUNNING',
    'let a run decide that another officer has proposed; only with a client of officers',
  );
}

/** Adds the command that pauses a run. */
export function addRoutingRunPause(group: Command): void {
  addChange(group, 'pause', 'PAUSED', 'stop a run until it is resumed');
}

/** Adds the command that resumes a run. */
export function addRoutingRunResume(group: Command): void {
  addChange(group, 'resume', 'RUNNING', 'let a paused run go on');
}

/** Adds the command that gives up a run. */
export function addRoutingRunGiveUp(group: Command): void {
  addChange(
    group,
    'give-up',
    'GIVEN_UP',
    'stop a run for good; what it has decided remains, and can be reversed',
  );
}

function addChange(
  group: Command,
  verb: string,
  state: RoutingRunChange['state'],
  description: string,
): void {
  addOneRunCommand(group, verb, description)
    .addHelpText(
      'after',
      `
When the command ends, a run that is paused or given up decides nothing more.

Examples:
  $ landfall routing-run ${verb} 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`,
    )
    .action(async (id: string, options: RoutingRunOptions) => {
      const { client } = await openService(options);
      const { state: current, etag } = await client.getRoutingRun(id);
      // Both ask for RUNNING: a wrong id must not confirm a run that somebody only wants to resume.
      if (verb === 'confirm' && current !== 'PROPOSED') {
        throw new CommandFailedError(`there is nothing to confirm: the run is ${current}`);
      }
      if (verb === 'resume' && current === 'PROPOSED') {
        throw new CommandFailedError('the run is PROPOSED: routing-run confirm lets it decide');
      }
      // Sent again after its response was lost, it must not undo what somebody has paused meanwhile.
      const ifMatch = state === 'RUNNING' ? etag : undefined;
      showRun(await client.changeRoutingRun(id, { state }, { ifMatch }), options);
    });
}
