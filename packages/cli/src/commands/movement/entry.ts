// `landfall movement entry`: whether the goods of a transport may be unloaded.
import { EntryPendingError, type EntryStatus } from '@landfall/client';
import { entryReasons, type ModeName } from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { beginWithin, withinOption } from '../../input/within.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printable, printJson, readableTime, report } from '../../output/output.js';
import { CallFailedError, UsageError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { openService } from '../../service/open-service.js';
import { modeOption } from './mode-option.js';

type EntryOptions = IdentityOptions & {
  mode: ModeName;
  wait?: true;
  within?: number;
  json?: true;
};

/** Adds the command. */
export function addMovementEntry(group: Command): void {
  const command = onlyReads(group.command('entry'))
    .description('say whether the goods of a transport may be unloaded')
    .argument('<mrn>', 'MRN of the transport');
  addServiceOptions(command, 'carrier')
    .addOption(modeOption())
    .option('--wait', 'wait until they may')
    .addOption(withinOption('with --wait: end after this long'));
  addJsonOption(command).addHelpText('after', help).action(entry);
}

const help = `
Whoever lodged the transport can ask, and the representative and the carrier that it names. It ends with 0 when the goods
may be unloaded, and otherwise says why not. A later decision can turn it.

Examples:
  $ landfall movement entry 26NO7K2M4Q9XWR5HT0 --mode road
  $ landfall movement entry 26NO7K2M4Q9XWR5HT0 --mode road --wait --within 3600`;

async function entry(mrn: string, options: EntryOptions): Promise<void> {
  const { mode, wait, within, json } = options;
  if (within !== undefined && wait === undefined) throw new UsageError('--within needs --wait');
  const { client } = await openService(options);
  const { signal } = abortOnStop();
  const status = wait ? await waitUntilValid() : await client.getEntryStatus(mode, mrn, { signal });
  if (!status.validEntry) throw pending(status);
  if (json) {
    printJson(status);
    return;
  }
  print(`The goods may be unloaded.  ${mrn}`);
  if (status.customsOfficeOfEntry !== undefined) {
    print(`  office  ${printable(status.customsOfficeOfEntry)}`);
  }
  if (status.timeOfEntry !== undefined) print(`  time    ${readableTime(status.timeOfEntry)}`);

  async function waitUntilValid(): Promise<EntryStatus> {
    try {
      return await client.waitForEntry(mode, mrn, {
        signal,
        withinMs: beginWithin(within, json),
        onStatus: (now) => {
          if (!json && !now.validEntry) report(`not yet: ${describe(now)}`);
        },
      });
    } catch (error) {
      if (error instanceof EntryPendingError && error.status !== undefined) {
        throw pending(error.status, error);
      }
      throw error;
    }
  }

  /** Not yet is no success: a script that unloads goods must not go on. */
  function pending(status: EntryStatus, cause?: unknown): CallFailedError {
    if (json) printJson(status);
    const words = ['movement', 'entry', mrn, '--mode', mode, '--wait'];
    const message = `The goods may not be unloaded: ${describe(status)}.\nTo wait: ${nextCommand(words, options)}`;
    return new CallFailedError(message, 'PENDING', {
      details: { code: 'ENTRY_PENDING', reasons: status.reasons },
      ...(cause !== undefined && { cause }),
    });
  }
}

function describe({ reasons = [] }: EntryStatus): string {
  return reasons.map((reason) => `${entryReasons[reason]} (${reason})`).join('; ');
}
