// `landfall present`: presents goods to customs at any of the five levels.
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type Operation,
  type OperationInput,
  type PresentationAccepted,
} from '@landfall/client';
import {
  presentContainer,
  presentEntrySummaryDeclaration,
  presentHouseConsignment,
  presentMasterConsignment,
  presentReceptacle,
} from '@landfall/client/operations';
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import { Argument, type Command } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  officeOption,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printJson, report } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import { buildPresentation, type ReferenceOptions } from './build-presentation.js';

type PresentOptions = IdentityOptions &
  ReferenceOptions & { office: string; requestId?: string; json?: true };

const operationOfLevel = {
  'house-consignment': presentHouseConsignment,
  'master-consignment': presentMasterConsignment,
  container: presentContainer,
  receptacle: presentReceptacle,
  'entry-summary-declaration': presentEntrySummaryDeclaration,
} satisfies Record<PresentationPath, Operation<never, PresentationAccepted>>;

/** Adds the command. */
export function addPresent(program: Command): void {
  const command = program
    .command('present')
    .description('present goods to customs')
    .addArgument(
      new Argument('<level>', 'level of the presentation').choices(Object.keys(presentationLevels)),
    );
  addServiceOptions(command, 'carrier')
    .option('--document <number>', 'house-consignment: number of the transport document')
    .option('--master-document <number>', 'master-consignment: number of the master document')
    .option('--type <code>', 'type of the document, code list CL754, such as N740')
    .option('--container <id>', 'container: identifier (ISO 6346)')
    .option('--receptacle <id>', 'receptacle: identifier (UPU S9)')
    .option(
      '--mrn <mrn>',
      'entry-summary-declaration: MRN; other levels: if several declarations match',
    )
    .addOption(officeOption())
    .option('--request-id <uuid>', 'id of the request (default: a new UUID)');
  addJsonOption(command).addHelpText('after', examples).action(present);
}

const examples = `
Examples, with the sample data of the playground:
  $ landfall present house-consignment --document HC001 --type N740
  $ landfall present master-consignment --master-document MAWB0003 --type N741
  $ landfall present container --container JARU0000010
  $ landfall present receptacle --receptacle GBASFZMLBKONAUN30001001019999
  $ landfall present entry-summary-declaration --mrn 23NO00000000000005`;

async function present(level: PresentationPath, options: PresentOptions): Promise<void> {
  const requestId = options.requestId ?? randomUUID();
  const body = buildPresentation(level, options, {
    requestId,
    customsOfficeOfPresentation: options.office,
  });
  const { client } = await openService(options);
  const colours = coloursFor();
  const statusCommand = nextCommand(['status', 'view', requestId], options);
  // The cast is true because buildPresentation builds the body that the level takes.
  const operation = operationOfLevel[level] as Operation<OperationInput, PresentationAccepted>;
  const accepted = await client.call(operation, { body }).catch((error: unknown) => {
    // A refused request has a status too.
    if (error instanceof ApiError && error.status === 400) report(`Next: ${statusCommand}`);
    throw error;
  });
  if (options.json) return printJson(accepted);
  print(`${colours.green('Presented.')} requestId ${requestId}`);
  print(`Next: ${statusCommand}`);
}
