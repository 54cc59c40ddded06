// `landfall movement arrive`: reports that a transport has arrived.
import { type MovementStatus, MovementUnknownError } from '@landfall/client';
import type { Command } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  utcNow,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printJson } from '../../output/output.js';
import { CallFailedError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import { explainFailure } from '../../service/explain-failure.js';
import { openService } from '../../service/open-service.js';
import { requestIdOption } from './lodge.js';
import { RETRY, refused } from './send-message.js';

/** Adds the command. */
export function addMovementArrive(group: Command): void {
  const command = group
    .command('arrive')
    .description('report that a transport has arrived, which presents what it carries')
    .argument('<mrn>', 'MRN of the transport');
  addServiceOptions(command, 'carrier')
    .requiredOption('--office <code>', 'customs office of arrival (CL141)')
    .option('--time <time>', 'when it arrived, in UTC (default: now)')
    .addOption(requestIdOption());
  addJsonOption(command).addHelpText('after', help).action(arrive);
}

const help = `
Whoever lodged the transport, its representative and its carrier report it. What the transport reaches then, and within 24
hours, is presented; its parties get the routing signals. The same report again changes nothing.

Examples:
  $ landfall movement arrive 26NO7K2M4Q9XWR5HT0 --office NO371001
  $ landfall movement arrive 26NO7K2M4Q9XWR5HT0 --office NO371001 --time 2026-05-04T09:30:00Z --as haulier`;

type ArriveOptions = IdentityOptions & {
  office: string;
  time?: string;
  requestId?: string;
  json?: true;
};

async function arrive(mrn: string, options: ArriveOptions): Promise<void> {
  const { office, time, requestId } = options;
  const { client } = await openService(options);
  const { signal } = abortOnStop();
  const arrival = {
    mrn,
    dateAndTimeOfArrival: time ?? utcNow(),
    customsOfficeOfArrival: { referenceNumber: office },
    ...(requestId !== undefined && { requestId }),
  };
  let status: MovementStatus;
  try {
    status = await client.reportArrival(arrival, { signal, retry: RETRY });
  } catch (error) {
    throw error instanceof MovementUnknownError
      ? unknownOutcome(error, mrn, arrival.dateAndTimeOfArrival, options)
      : error;
  }
  if (status.status === 'FAILURE') throw refused(status);
  if (options.json) {
    printJson(status);
    return;
  }
  print(`${coloursFor().green('Arrived.')} MRN ${mrn}, requestId ${status.requestId}`);
  print(`Next: ${nextCommand(['routing', 'list'], options)}`);
}

function unknownOutcome(
  error: MovementUnknownError,
  mrn: string,
  time: string,
  options: ArriveOptions,
): CallFailedError {
  const { requestId, code, cause } = error;
  const explained = explainFailure(cause, options);
  const reason = explained instanceof Error ? explained.message : String(explained);
  const words = ['movement', 'arrive', mrn, '--office', options.office, '--time', time];
  return new CallFailedError(
    `it is not known whether the arrival of request ${requestId} is recorded (${reason}).\nReport it again, which changes nothing if it is: ${nextCommand(words, options)}`,
    'UNKNOWN',
    { details: { code, requestId }, cause: error },
  );
}
