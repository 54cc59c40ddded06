// `landfall present`: presents goods to customs at any of the five levels.
import { randomUUID } from 'node:crypto';
import {
  compileCheck,
  operations,
  PresentationAccepted,
  type PresentationPath,
  presentationLevels,
} from '@landfall/contract';
import { Argument, type Command } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession } from '../../http/credentials.js';
import { readText } from '../../http/reach-service.js';
import { readMessage } from '../../http/read-message.js';
import { ServiceRefusedError } from '../../http/service-refused-error.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, report } from '../../output/output.js';
import { buildPresentation, type ReferenceOptions } from './build-presentation.js';

type PresentOptions = IdentityOptions &
  ReferenceOptions & { office: string; requestId?: string; json?: true };

const operationOfLevel = {
  'house-consignment': operations.presentHouseConsignment,
  'master-consignment': operations.presentMasterConsignment,
  container: operations.presentContainer,
  receptacle: operations.presentReceptacle,
  'entry-summary-declaration': operations.presentEntrySummaryDeclaration,
} satisfies Record<PresentationPath, unknown>;

/** Adds the command. */
export function addPresent(program: Command): void {
  const command = program
    .command('present')
    .description('present goods to customs')
    .addArgument(
      new Argument('<level>', 'level of the presentation').choices(Object.keys(presentationLevels)),
    );
  addIdentityOptions(command)
    .option('--document <number>', 'house-consignment: number of the transport document')
    .option('--master-document <number>', 'master-consignment: number of the master document')
    .option('--type <code>', 'type of the document, code list CL754, such as N740')
    .option('--container <id>', 'container: identifier (ISO 6346)')
    .option('--receptacle <id>', 'receptacle: identifier (UPU S9)')
    .option(
      '--mrn <mrn>',
      'entry-summary-declaration: MRN; other levels: if several declarations match',
    )
    .option('--office <code>', 'customs office of presentation, code list CL141', 'NO351001')
    .option('--request-id <uuid>', 'id of the request (default: a new UUID)');
  addJsonOption(command).addHelpText('after', examples).action(present);
}

const examples = `
Examples, with the sample data of the playground:
  $ landfall present house-consignment --as carrier --document HC001 --type N740
  $ landfall present master-consignment --as carrier --master-document MAWB0003 --type N741
  $ landfall present container --as carrier --container JARU0000010
  $ landfall present receptacle --as carrier --receptacle GBASFZMLBKONAUN30001001019999
  $ landfall present entry-summary-declaration --as carrier --mrn 23NO00000000000005`;

async function present(level: PresentationPath, options: PresentOptions): Promise<void> {
  const requestId = options.requestId ?? randomUUID();
  const body = buildPresentation(level, options, {
    requestId,
    customsOfficeOfPresentation: options.office,
  });
  const session = await openSession(options);
  const operation = operationOfLevel[level];
  const colours = coloursFor();
  const statusCommand = nextCommand(['status', requestId, '--as', options.as], options);
  const response = await callService(session, operation, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    // A refused request has a status too.
    if (error instanceof ServiceRefusedError && error.status === 400)
      report(`Next: ${statusCommand}`);
    throw error;
  });
  const text = await readText(response);
  if (options.json) return print(text);
  readMessage(
    text,
    compileCheck<PresentationAccepted>(PresentationAccepted),
    operation.operationId,
  );
  print(`${colours.green('Presented.')} requestId ${requestId}`);
  print(`Next: ${statusCommand}`);
}
