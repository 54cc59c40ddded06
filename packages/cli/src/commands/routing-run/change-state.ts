// `landfall routing-run confirm`, `pause`, `resume` and `give-up`.
import { ApiError, type Landfall, type RoutingRun } from '@landfall/client';
import type { Command } from 'commander';
import { CommandFailedError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { addOneRunCommand, type RoutingRunOptions, showRun } from './routing-run.js';

/** Adds the command that confirms a run. */
export function addRoutingRunConfirm(group: Command): void {
  addStart(
    group,
    'confirm',
    'let a run decide that another officer has proposed; only with a client of officers',
    (state) =>
      state === 'PROPOSED' ? undefined : `there is nothing to confirm: the run is ${state}`,
  );
}

/** Adds the command that pauses a run. */
export function addRoutingRunPause(group: Command): void {
  addStop(group, 'pause', 'PAUSED', 'stop a run until it is resumed');
}

/** Adds the command that resumes a run. */
export function addRoutingRunResume(group: Command): void {
  addStart(group, 'resume', 'let a paused run go on', (state) =>
    state === 'PROPOSED' ? 'the run is PROPOSED: routing-run confirm lets it decide' : undefined,
  );
}

/** Adds the command that gives up a run. */
export function addRoutingRunGiveUp(group: Command): void {
  addStop(
    group,
    'give-up',
    'GIVEN_UP',
    'stop a run for good; what it has decided remains, and can be reversed',
  );
}

/**
 * Adds a command after which a run decides. Confirming and resuming are the same request: a wrong id must not confirm a run
 * that somebody only wants to resume.
 *
 * @param findReason why the command is not for a run in a state; `undefined` if it is
 */
function addStart(
  group: Command,
  verb: string,
  description: string,
  findReason: (state: RoutingRun['state']) => string | undefined,
): void {
  addOneRunCommand(group, verb, description)
    .addHelpText(
      'after',
      helpOf(verb, 'The run decides in the background; routing-run view shows how far it is.'),
    )
    .action(async (id: string, options: RoutingRunOptions) => {
      const { client } = await openService(options);
      const { state, etag } = await client.getRoutingRun(id);
      const reason = findReason(state);
      if (reason !== undefined) throw new CommandFailedError(reason);
      // Sent again after its response was lost, it must not undo what somebody has paused meanwhile.
      const run = await client.changeRoutingRun(id, { state: 'RUNNING' }, { ifMatch: etag });
      showRun(run, options);
    });
}

/** Adds a command after which a run decides nothing more. */
function addStop(
  group: Command,
  verb: string,
  state: 'PAUSED' | 'GIVEN_UP',
  description: string,
): void {
  addOneRunCommand(group, verb, description)
    .addHelpText('after', helpOf(verb, 'When the command ends, the run decides nothing more.'))
    .action(async (id: string, options: RoutingRunOptions) => {
      const { client } = await openService(options);
      showRun(await stopRun(client, id, state), options);
    });
}

/** How often a run is read again because somebody has changed its state meanwhile. */
const MAX_ATTEMPTS = 5;

/** Stops a run, whatever state it gets meanwhile: stopping what somebody has just resumed is what the command is for. */
async function stopRun(
  client: Landfall,
  id: string,
  state: 'PAUSED' | 'GIVEN_UP',
): Promise<RoutingRun> {
  for (let attempt = 1; ; attempt++) {
    const { etag: ifMatch } = await client.getRoutingRun(id);
    try {
      return await client.changeRoutingRun(id, { state }, { ifMatch });
    } catch (error) {
      const hasChanged = error instanceof ApiError && error.status === 412;
      if (!hasChanged || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function helpOf(verb: string, effect: string): string {
  return `
${effect}

Examples:
  $ landfall routing-run ${verb} 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`;
}
