// What the commands of routing runs share: the id, waiting for the end, and showing.
import { setTimeout as delay } from 'node:timers/promises';
import { type Landfall, mrnOf, type RoutingRun, type RoutingRunPreview } from '@landfall/client';
import { type Command, Option } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printable, printJson, readableTime } from '../../output/output.js';
import { withProgress } from '../../output/progress.js';
import { CommandFailedError } from '../../process/exit.js';

/** The options of each of the commands. */
export type RoutingRunOptions = IdentityOptions & { json?: true };

/** The options of a command that creates a run. */
export type NewRunOptions = RoutingRunOptions & {
  reason: string;
  expectedCount?: number;
  preview?: true;
  wait?: true;
};

/** How often a run is read while its end is waited for, in milliseconds. */
const WAIT_INTERVAL_MS = 500;

/** Adds a command. */
export function addRoutingRunCommand(group: Command, verb: string, description: string): Command {
  return addJsonOption(
    addServiceOptions(group.command(verb).description(description), 'authority'),
  );
}

/** Adds a command for one run. */
export function addOneRunCommand(group: Command, verb: string, description: string): Command {
  return addRoutingRunCommand(group, verb, description).argument('<id>', 'id of the run');
}

/** Adds the options of a command that creates a run. */
export function addNewRunOptions(command: Command): Command {
  return command
    .requiredOption('--reason <text>', 'reason of every decision, shown in the history')
    .option('--preview', 'show how many house consignments it would have, and change nothing')
    .addOption(
      new Option(
        '--expected-count <number>',
        'create it only if it has this number of house consignments, as a preview has shown',
      ).argParser(wholeNumber(0, 1_000_000)),
    )
    .option('--wait', 'show progress until it has ended or is paused');
}

/** What a run has decided, as far as it is. */
export function progressOf(run: RoutingRun): string {
  const { decided, unchanged, conflicts, refused, pending } = run;
  return [
    `${decided} decided`,
    `${unchanged} unchanged`,
    ...(conflicts > 0 ? [`${conflicts} in conflict`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(pending > 0 ? [`${pending} left`] : []),
  ].join(', ');
}

/** Shows what was created or previewed, with `--wait` when the run has ended or was paused. */
export async function showStarted(
  client: Landfall,
  started: RoutingRun | RoutingRunPreview,
  options: NewRunOptions,
): Promise<void> {
  if ('count' in started) return showPreview(started, options);
  if (!options.wait) return showRun(started, options);
  const run = await waitForEnd(client, started);
  showRun(run, options);
  if (run.state === 'PROPOSED') return;
  if (run.state !== 'COMPLETED') {
    throw new CommandFailedError(`the run is ${run.state}: ${run.pending} have no result`);
  }
  const failed = run.conflicts + run.refused;
  if (failed > 0)
    throw new CommandFailedError(`${failed} of the house consignments were not decided`);
}

async function waitForEnd(client: Landfall, created: RoutingRun): Promise<RoutingRun> {
  let run = created;
  return withProgress(
    () => progressOf(run),
    async () => {
      while (run.state === 'RUNNING') {
        await delay(WAIT_INTERVAL_MS);
        run = await client.getRoutingRun(run.id);
      }
      return run;
    },
  );
}

function showPreview(preview: RoutingRunPreview, { json }: RoutingRunOptions): void {
  if (json) {
    printJson(preview);
    return;
  }
  const { count, undecided, toControl, toEntry, houseConsignments } = preview;
  const { entryPending = 0, entryDenied = 0 } = preview;
  const further = [
    ...(entryPending > 0 ? [`, ${entryPending} ENTRY_PENDING`] : []),
    ...(entryDenied > 0 ? [`, ${entryDenied} ENTRY_DENIED`] : []),
  ].join('');
  print(
    `${count} house consignments: ${undecided} undecided, ${toControl} TO_CONTROL, ${toEntry} TO_ENTRY${further}`,
  );
  for (const house of houseConsignments) {
    const { documentNumber, type } = house.transportDocumentHouseLevel;
    const routing = house.routing ?? '-';
    print(`  ${mrnOf(house)}  ${printable(documentNumber)} ${type}  ${routing}`);
  }
  if (preview.needsConfirmation) print('Another officer would have to confirm the run.');
  const more = count - houseConsignments.length;
  if (more > 0) print(`  and ${more} more`);
  print(
    `Nothing was changed. To decide on them: the same without --preview, with --expected-count ${count}`,
  );
}

/** Prints a run. */
export function showRun(run: RoutingRun, options: RoutingRunOptions): void {
  if (options.json) {
    printJson(run);
    return;
  }
  const { id, state, routing, routingControlLocation, reverses, reason, problem } = run;
  const { bold, red } = coloursFor();
  const what =
    reverses === undefined
      ? [routing, routingControlLocation].filter((word) => word !== undefined).join(' ')
      : `what was before ${reverses}`;
  print(`${bold(id)}  ${state}`);
  if (problem !== undefined) print(`  problem   ${red(problem)}`);
  print(`  decides   ${what}: ${printable(reason)}`);
  print(`  created   ${readableTime(run.createdAt)} by ${printable(run.client)}`);
  if (run.confirmedBy !== undefined) {
    const { at, client } = run.confirmedBy;
    print(`  confirmed ${readableTime(at)} by ${printable(client)}`);
  }
  print(`  progress  ${progressOf(run)} of ${run.houseConsignments}`);
  print(`  signals   ${run.signals}`);
  if (state === 'PROPOSED') {
    print(`Another officer confirms it: ${nextCommand(['routing-run', 'confirm', id], options)}`);
  }
  print(`Each house consignment: ${nextCommand(['routing-run', 'results', id], options)}`);
}
