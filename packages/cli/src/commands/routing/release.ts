// `landfall routing release`: whether the goods of an identifier may be released.
import type { ReleaseCheck, ReleaseOutcome } from '@landfall/client';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printable, printJson } from '../../output/output.js';
import { CallFailedError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { openService } from '../../service/open-service.js';

type ReleaseOptions = IdentityOptions & { wait?: number; json?: true };

/** How long the service holds a check, at most, in seconds. */
const MAX_WAIT_S = 60;

/** Adds the command. */
export function addRoutingRelease(group: Command): void {
  const command = onlyReads(group.command('release'))
    .description('say whether goods may be released')
    .argument('<identifier>', 'number of a document, MRN, receptacle or container');
  addServiceOptions(command, 'carrier').option(
    '--wait <seconds>',
    `wait for a decision while there is none (1 to ${MAX_WAIT_S})`,
    wholeNumber(1, MAX_WAIT_S),
  );
  addJsonOption(command).addHelpText('after', help).action(checkRelease);
}

const help = `
It ends with 0 if the goods may be released (TO_ENTRY), with 5 if they are not decided, and otherwise with 1. It releases
nothing itself. A later decision can turn the outcome.

Examples:
  $ landfall routing release HC001
  $ landfall routing release JARU0000010 --wait 60`;

const meanings: Record<ReleaseOutcome, string> = {
  TO_ENTRY: 'the goods may be released',
  TO_CONTROL: 'some of the goods go to control',
  ENTRY_DENIED: 'some of the goods may not enter',
  UNDECIDED: 'some of the goods are not decided',
  ENTRY_PENDING: 'some of the goods wait for their entry',
  NOT_PRESENTED: 'some of the goods are not presented',
  TOO_MANY: 'there are more goods than one check examines',
  UNKNOWN: 'this organisation knows of no such goods',
};

async function checkRelease(identifier: string, options: ReleaseOptions): Promise<void> {
  const { wait: waitSeconds, json } = options;
  const { client } = await openService(options);
  const { signal } = abortOnStop();
  const check = await client.checkRelease({ identifier }, { signal, waitSeconds });
  const { outcome } = check;
  if (json) printJson(check);
  if (outcome !== 'TO_ENTRY') throw refusal(identifier, check, options);
  if (!json) print(`${outcome}: ${meanings[outcome]}  ${printable(identifier)}`);
}

/** Anything else is no success: a script that opens a gate must not go on. */
function refusal(
  identifier: string,
  { outcome, houseConsignments }: ReleaseCheck,
  options: ReleaseOptions,
): CallFailedError {
  const isOpen = outcome === 'UNDECIDED' || outcome === 'ENTRY_PENDING';
  const first = houseConsignments.find(({ state }) => state !== 'TO_ENTRY');
  const { documentNumber } = first?.transportDocumentHouseLevel ?? {};
  const example =
    first === undefined || documentNumber === undefined
      ? ''
      : `\nThe first of them: ${printable(documentNumber)} (${first.state})`;
  const words = ['routing', 'release', identifier, '--wait', String(MAX_WAIT_S)];
  const next = isOpen ? `\nTo wait: ${nextCommand(words, options)}` : '';
  const message = `${outcome}: ${meanings[outcome]}; release nothing.${example}${next}`;
  return new CallFailedError(message, isOpen ? 'PENDING' : 'FAILED', {
    details: { code: outcome },
  });
}
