// `landfall push attempts`: lists the attempts to reach the receiver of a subscription.
import type { AttemptOutcome } from '@landfall/client';
import { attemptOutcomes, KEPT_ATTEMPTS, keysOf } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { addOnePushCommand, attemptColumns, type PushOptions } from './push.js';

type AttemptsOptions = PushOptions & { outcome?: AttemptOutcome; marker?: number; limit: number };

const DEFAULT_LIMIT = 20;

/** Adds the command. */
export function addPushAttempts(group: Command): void {
  onlyReads(
    addOnePushCommand(group, 'attempts', 'list the attempts to reach a receiver, the newest first'),
  )
    .addOption(
      new Option('--outcome <outcome>', 'only those with an outcome').choices(
        keysOf(attemptOutcomes),
      ),
    )
    .addOption(
      new Option('--limit <number>', `maximum number of attempts (1 to ${KEPT_ATTEMPTS})`)
        .argParser(wholeNumber(1, KEPT_ATTEMPTS))
        .default(DEFAULT_LIMIT),
    )
    .option(
      '--marker <number>',
      'only attempts before the one of this number',
      wholeNumber(1, 999_999_999),
    )
    .addHelpText('after', examples)
    .action(attempts);
}

const examples = `
Outcomes:
${Object.entries(attemptOutcomes)
  .map(([outcome, meaning]) => `  ${outcome}: ${meaning}`)
  .join('\n')}

Examples:
  $ landfall push attempts 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11
  $ landfall push attempts 0199b0a2-6a1c-7c33-9d43-3f0f3d0f7c11 --outcome REFUSED --json`;

async function attempts(id: string, options: AttemptsOptions): Promise<void> {
  const { outcome, marker, limit } = options;
  const { client } = await openService(options);
  const { found, next } = await readPages(
    async (query) => {
      const before = query.marker === undefined ? undefined : Number(query.marker);
      const page = await client.listSubscriptionAttempts(id, {
        outcome,
        before,
        limit: query.limit,
      });
      return { ...page, next: page.next && { marker: String(page.next.before) } };
    },
    { limit, marker: marker?.toString() },
  );
  if (options.json) printJson(found);
  else if (found.length > 0) printTable(attemptColumns, found);
  else print('No such attempts.');
  if (next === undefined) return;
  const words = [
    ...(outcome === undefined ? [] : ['--outcome', outcome]),
    ...(limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)]),
  ];
  const command = nextCommand(['push', 'attempts', id, ...words, '--marker', next], options);
  reportMore(command, { ...options, what: 'More attempts' });
}
