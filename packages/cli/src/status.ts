// `landfall status`: what became of presentation requests: of one, of those that reached an ENS, or of all.
import {
  compileCheck,
  type Operation,
  operations,
  UUID_PATTERN,
  ValidationStatus,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import { type Call, callService } from './call-service.js';
import { openSession } from './credentials.js';
import { UsageError } from './exit.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from './identity-options.js';
import { print } from './output.js';
import { hasNextPage, readText } from './reach-service.js';
import { readMessage, readMessages } from './read-message.js';
import { showStatus, showStatuses } from './show-status.js';

type StatusOptions = IdentityOptions & {
  limit?: number;
  marker?: string;
  status?: string;
  json?: true;
};

/** Adds the verb. */
export function addStatus(program: Command): void {
  const command = program
    .command('status')
    .description('read what became of presentation requests')
    .argument('[reference]', 'a requestId, or the MRN of an entry summary declaration');
  addIdentityOptions(command, { defaultName: 'carrier' })
    .option('--limit <number>', 'at most so many (1 to 1000)', wholeNumber(1, 1000))
    .option('--marker <requestId>', 'only those after this request')
    .addOption(
      new Option('--status <status>', 'only those with this outcome').choices([
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
  $ landfall status 23NO00000000000003                     # those that reached this declaration
  $ landfall status 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01   # one request`;

async function readStatus(reference: string | undefined, options: StatusOptions): Promise<void> {
  const { operation, call } = chooseOperation(reference, options);
  const session = await openSession(options);
  const response = await callService(session, operation, call);
  const text = await readText(response);
  if (options.json) return print(text);
  const check = compileCheck<ValidationStatus>(ValidationStatus);
  // A requestId is answered with one status, an MRN and no reference with a list.
  if (text.startsWith('{')) {
    showStatus(readMessage(text, check, operation.operationId), options);
  } else {
    const statuses = readMessages(text, check, operation.operationId);
    showStatuses(statuses, { ...options, reference, more: hasNextPage(response) });
  }
}

/** Which operation answers, and with which query: one request has neither a page nor a filter. */
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
  if (status !== undefined) throw new UsageError('--status goes with the list of all requests');
  if (requestId.test(reference) && (limit ?? marker) !== undefined) {
    throw new UsageError('--limit and --marker do not go with a single request');
  }
  return {
    operation: operations.getValidationStatus,
    call: { parameters: { reference }, query: { limit, marker } },
  };
}

const requestId = new RegExp(UUID_PATTERN);
