// `landfall movement relate` and `unrelate`: hang one message on another by their MRNs, and cancel that.
import { type MovementStatus, MovementUnknownError, type SettleOptions } from '@landfall/client';
import { type MovementLevel, movementLevelCodes } from '@landfall/contract';
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printJson } from '../../output/output.js';
import { CallFailedError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import type { CheckedLandfall } from '../../service/checked-landfall.js';
import { explainFailure } from '../../service/explain-failure.js';
import { openService } from '../../service/open-service.js';
import { requestIdOption } from './lodge.js';
import { levelArgument, modeOption } from './mode-option.js';
import { RETRY, refused, type SendOptions } from './send-message.js';

/** Adds `relate`. */
export function addMovementRelate(group: Command): void {
  const command = group
    .command('relate')
    .description('hang one message on another by their MRNs, whoever has lodged them')
    .addArgument(levelArgument('<level>', 'level of the upper message'))
    .argument('<mrn>', 'MRN of the upper message')
    .addArgument(levelArgument('<levelBelow>', 'level of the message that hangs on it'))
    .argument('<mrnBelow>', 'MRN of the message that hangs on it');
  addServiceOptions(command, 'carrier').addOption(modeOption()).addOption(requestIdOption());
  addJsonOption(command).addHelpText('after', relateHelp).action(relate);
}

const relateHelp = `
A master or a house consignment hangs on a transport, a house consignment on a master consignment. Both must be current.
A relation counts like a coupling by documents, also where only expected parties may present. If the transport has arrived
within 24 hours, what hangs on it now is presented.

Examples:
  $ landfall movement relate transport 26NO7K2M4Q9XWR5HT0 master-consignment 26NO3F8P1Z6YBC4JT7 --mode road`;

/** Adds `unrelate`. */
export function addMovementUnrelate(group: Command): void {
  const command = group
    .command('unrelate')
    .description('cancel a relation by its own MRN')
    .argument('<mrn>', 'MRN of the relation');
  addServiceOptions(command, 'carrier').addOption(modeOption());
  addJsonOption(command).addHelpText('after', unrelateHelp).action(unrelate);
}

const unrelateHelp = `
Whoever made the relation cancels it, and whoever lodged one of the two messages: landfall movement show names it. What led
to a presentation is not cancelled. Cancelling what was cancelled changes nothing.

Examples:
  $ landfall movement unrelate 26NO5D1G8H2JLM9PT3 --mode road`;

async function relate(
  level: MovementLevel,
  mrn: string,
  levelBelow: MovementLevel,
  mrnBelow: string,
  options: SendOptions & { requestId?: string },
): Promise<void> {
  const { mode, requestId } = options;
  const relation = {
    parentObjectType: movementLevelCodes[level],
    parentObjectReference: mrn,
    childObjectType: movementLevelCodes[levelBelow],
    childObjectReference: mrnBelow,
    ...(requestId !== undefined && { requestId }),
  };
  const again = ['movement', 'relate', level, mrn, levelBelow, mrnBelow, '--mode', mode];
  const status = await send(
    (client, settings) => client.lodgeRelation(mode, relation, settings),
    again,
    options,
  );
  if (options.json) {
    printJson(status);
    return;
  }
  print(`${coloursFor().green('Related.')} MRN ${status.mrn}, requestId ${status.requestId}`);
  const cancel = ['movement', 'unrelate', status.mrn ?? '', '--mode', mode];
  print(`To cancel it: ${nextCommand(cancel, options)}`);
}

async function unrelate(mrn: string, options: SendOptions): Promise<void> {
  const { mode } = options;
  const status = await send(
    (client, settings) => client.cancelRelation(mode, mrn, settings),
    ['movement', 'unrelate', mrn, '--mode', mode],
    options,
  );
  if (options.json) printJson(status);
  else print(`${coloursFor().green('Cancelled.')} MRN ${mrn}, requestId ${status.requestId}`);
}

/** @throws CallFailedError when it is refused, or its outcome is not known; the errors of the client */
async function send(
  call: (client: CheckedLandfall, settings: SettleOptions) => Promise<MovementStatus>,
  again: readonly string[],
  options: SendOptions,
): Promise<MovementStatus> {
  const { client } = await openService(options);
  const { signal } = abortOnStop();
  let status: MovementStatus;
  try {
    status = await call(client, { signal, retry: RETRY });
  } catch (error) {
    throw error instanceof MovementUnknownError ? unknownOutcome(error, again, options) : error;
  }
  if (status.status === 'FAILURE') throw refused(status);
  return status;
}

function unknownOutcome(
  error: MovementUnknownError,
  again: readonly string[],
  options: SendOptions,
): CallFailedError {
  const { requestId, code, cause } = error;
  const explained = explainFailure(cause, options);
  const reason = explained instanceof Error ? explained.message : String(explained);
  const view = ['movement', 'status', 'view', 'relation', requestId, '--mode', options.mode];
  return new CallFailedError(
    `it is not known whether request ${requestId} was carried out (${reason}).\nTo find out: ${nextCommand(view, options)}\nWithout a status, nothing was changed: ${nextCommand([...again], options)}`,
    'UNKNOWN',
    { details: { code, requestId }, cause: error },
  );
}
