// `landfall routing explain`: why there is no signal of a house consignment, or where it is.
import type { HouseReference } from '@landfall/client';
import { keysOf, transportDocumentTypes } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';

type ExplainOptions = IdentityOptions & {
  document: string;
  type?: HouseReference['transportDocumentHouseLevel']['type'];
  mrn?: string;
  json?: true;
};

/** Adds the command. */
export function addRoutingExplain(group: Command): void {
  const command = onlyReads(group.command('explain')).description(
    'explain why there is no signal of a house consignment, or where it is',
  );
  addServiceOptions(command, 'carrier')
    .requiredOption('--document <number>', 'number of the transport document')
    .addOption(
      new Option('--type <code>', 'type of the document, code list CL754; default: any').choices(
        keysOf(transportDocumentTypes),
      ),
    )
    .option('--mrn <mrn>', 'MRN, if several declarations have the document');
  addJsonOption(command).addHelpText('after', examples).action(explain);
}

const examples = `
Examples:
  $ landfall routing explain --document HC001
  $ landfall routing explain --document HC001 --type N740 --as forwarder --json`;

async function explain(options: ExplainOptions): Promise<void> {
  const { document: documentNumber, type, mrn, json } = options;
  const { client } = await openService(options);
  const explained = await client.explainRouting({ documentNumber, type, mrn });
  if (json) {
    printJson(explained);
    return;
  }
  const { code, explanation, action, documentIssueDate } = explained;
  print(`${code}: ${explanation}`);
  print(action);
  if (documentIssueDate !== undefined) {
    const words = ['routing', 'follow', '--since', documentIssueDate];
    print(`\nTo read it: ${nextCommand(words, options)}`);
  }
}
