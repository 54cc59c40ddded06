// `landfall status`: reads the status of one presentation request, of those that reached an ENS, or of all.
import {
  compileCheck,
  type Operation,
  operations,
  UUID_PATTERN,
  ValidationStatus,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import { type Call, callService } from '../../http/call-service.js';
import { openSession } from '../../http/credentials.js';
import { nextPageQuery, readText } from '../../http/reach-service.js';
import { readMessage, readMessages } from '../../http/read-message.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { print } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { showStatus, showStatuses } from './show-status.js';

type StatusOptions = IdentityOptions & {
  limit?: number;
  marker?: string;
  status?: string;
  json?: true;
};

/** Adds the command. */
export function addStatus(program: Command): void {
  const command = program
    .command('status')
    .description('read the status of presentation requests')
    .argument('[reference]', 'a requestId, or the MRN of an entry summary declaration');
  addIdentityOptions(command, { defaultName: 'carrier' })
    .option('--limit <number>', 'maximum number of requests (1 to 1000)', wholeNumber(1, 1000))
    .option('--marker <requestId>', 'only requests after this one')
    .addOption(
      new Option('--status <status>', 'only requests with this status').choices([
        'SUCCESS',
        'FAILURE',
      ]),
    );
  addJsonOption(command).addHelpText('after', examples).action(readStatus);
}

const examples = `
Examples:
  $ landfall status                                        # all requests of carrier
  $ landfall status --as forwarder --status FAILURE
  $ landfall status 23NO00000000000003                     # requests that reached this declaration
  $ landfall status 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01   # one request`;

async function readStatus(reference: string | undefined, options: StatusOptions): Promise<void> {
  const { operation, call } = chooseOperation(reference, options);
  const session = await openSession(options);
  const response = await callService(session, operation, call);
  const text = await readText(response);
  if (options.json) return print(text);
  const check = compileCheck<ValidationStatus>(ValidationStatus);
  // The response to a requestId is one status; otherwise it is a list.
  if (text.startsWith('{')) {
    showStatus(readMessage(text, check, operation.operationId), options);
  } else {
    const statuses = readMessages(text, check, operation.operationId);
    showStatuses(statuses, { ...options, reference, more: nextPageQuery(response) !== undefined });
  }
}

/** Chooses the operation and its query. A single request has neither pages nor filters. */
function chooseOperation(
  reference: string | undefined,
  { limit, marker, status }: StatusOptions,
): { operation: Operation; call: Call } {
  if (reference === undefined) {
    return {
      operation: operations.listValidationStatuses,
      call: { query: { limit, marker, status } },
    };
  }
  if (status !== undefined)
    throw new UsageError('--status cannot be combined with a requestId or MRN');
  if (requestId.test(reference) && (limit ?? marker) !== undefined) {
    throw new UsageError('--limit and --marker cannot be combined with a requestId');
  }
  return {
    operation: operations.getValidationStatus,
    call: { parameters: { reference }, query: { limit, marker } },
  };
}

const requestId = new RegExp(UUID_PATTERN);
