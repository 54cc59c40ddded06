// `landfall routing-run view`: shows a run and its progress.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { openService } from '../../service/open-service.js';
import { addOneRunCommand, type RoutingRunOptions, showRun } from './routing-run.js';

/** Adds the command. */
export function addRoutingRunView(group: Command): void {
  onlyReads(addOneRunCommand(group, 'view', 'show a run and its progress'))
    .addHelpText('after', examples)
    .action(view);
}

const examples = `
Examples:
  $ landfall routing-run view 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11`;

async function view(id: string, options: RoutingRunOptions): Promise<void> {
  const { client } = await openService(options);
  showRun(await client.getRoutingRun(id), options);
}
