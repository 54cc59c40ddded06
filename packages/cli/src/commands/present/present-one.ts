// Presents what the options identify. A lost response is settled: it ends as presented or not presented.
import {
  type Journal,
  type Presentation,
  type PresentationOutcome,
  PresentationUnknownError,
} from '@landfall/client';
import type { PresentationPath } from '@landfall/contract';
import type { IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printJson, report } from '../../output/output.js';
import { CallFailedError, InterruptedError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { validationLines } from '../../service/explain-failure.js';
import { openService } from '../../service/open-service.js';
import { Settlements } from '../../service/settlements.js';
import { buildPresentation, type ReferenceOptions } from './build-presentation.js';

export type PresentOneOptions = IdentityOptions &
  ReferenceOptions & { office: string; requestId?: string; json?: true };

/** A user who waits sees an error soon. Once the outcome is unknown, it is determined for longer. */
const RETRY = { maxAttempts: 3, maxElapsedMs: 60_000 };

/** @throws CommandFailedError when the service refuses; the errors of the client */
export async function presentOne(
  level: PresentationPath,
  options: PresentOneOptions,
): Promise<void> {
  const { office, requestId: given } = options;
  const presentation = buildPresentation(level, options, {
    ...(given === undefined ? {} : { requestId: given }),
    customsOfficeOfPresentation: office,
  });
  const settlements = new Settlements(() =>
    report('the response was lost; finding out whether the goods are presented'),
  );
  const { client } = await openService(options, settlements.hooks);
  const { signal } = abortOnStop();
  let sent: string | undefined;
  const journal: Journal = {
    read: async () => undefined,
    write: async (entry) => {
      sent = entry.requestId;
    },
  };
  try {
    const given = { journal, retry: RETRY, signal };
    for await (const outcome of client.presentMany([presentation], given)) {
      const settled = settlements.has(outcome.requestId);
      showOutcome(outcome, settled, options);
    }
  } catch (error) {
    if (!(error instanceof InterruptedError) || sent === undefined) throw error;
    throw new PresentationUnknownError(sent, error);
  }
}

function showOutcome(
  { requestId, outcome, errors, error }: PresentationOutcome<Presentation>,
  settled: boolean,
  options: PresentOneOptions,
): void {
  const statusCommand = nextCommand(['status', 'view', requestId], options);
  switch (outcome) {
    case 'failed':
      throw error;
    case 'refused':
      // A refused request has a status too.
      report(`Next: ${statusCommand}`);
      throw new CallFailedError(
        ['refused (400 Bad Request)', ...validationLines(errors)].join('\n'),
        'FAILED',
        { details: { code: 'API', status: 400, requestId, validationErrors: errors } },
      );
    case 'presented':
      if (options.json) {
        printJson({ requestId, ...(settled && { settled }) });
        return;
      }
      print(
        `${coloursFor().green('Presented.')} requestId ${requestId}${settled ? ' (settled: the response was lost)' : ''}`,
      );
      print(`Next: ${statusCommand}`);
      return;
    default:
      // A further outcome does not compile here: it must not be taken for one of these.
      outcome satisfies never;
  }
}
