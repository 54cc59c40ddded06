// `landfall routing-profile apply`: decides undecided consignments.
import type { Command } from 'commander';
import { print, printJson } from '../../output/output.js';
import { withProgress } from '../../output/progress.js';
import { openService } from '../../service/open-service.js';
import {
  addRoutingProfileCommand,
  counted,
  LONG_TIMEOUT_MS,
  type RoutingProfileOptions,
} from './routing-profile.js';

/** Adds the command. */
export function addRoutingProfileApply(group: Command): void {
  addRoutingProfileCommand(group, 'apply', 'decide undecided consignments with the live profile')
    .addHelpText('after', examples)
    .action(apply);
}

const examples = `
Examples:
  $ landfall routing-profile apply`;

/** Applies the profile page by page to show progress. */
async function apply(options: RoutingProfileOptions): Promise<void> {
  const { client, sending } = await openService(options);
  const sum = { examined: 0, decided: 0, signals: 0 };
  const line = () => `${sum.decided} decided of ${sum.examined} undecided`;
  await withProgress(line, async () => {
    let marker: string | undefined;
    do {
      const query = marker === undefined ? {} : { marker };
      const applied = await client.applyRoutingProfile(query, {
        timeoutMs: sending.timeoutMs ?? LONG_TIMEOUT_MS,
      });
      sum.examined += applied.examined;
      sum.decided += applied.decided;
      sum.signals += applied.signals;
      marker = applied.marker;
    } while (marker !== undefined);
  });
  if (options.json) return printJson(sum);
  print(
    `${sum.decided} decided of ${counted(sum.examined, 'undecided house consignment')}; ${counted(sum.signals, 'signal')} issued.`,
  );
}
