// `landfall movement documents`: the statuses of the documents below a movement message.
import type { HouseDocumentStatus, Landfall, MasterDocumentStatus } from '@landfall/client';
import { incompleteReasons, type ModeName } from '@landfall/contract';
import { Argument, type Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { modeOption } from './mode-option.js';

const ofWhat = ['transport', 'master-consignment', 'house-consignment', 'receptacle'] as const;
type OfWhat = (typeof ofWhat)[number];

type DocumentsOptions = IdentityOptions & {
  mode: ModeName;
  masters?: true;
  document?: string;
  type?: string;
  carrier?: string;
  json?: true;
};

/** Adds the command. */
export function addMovementDocuments(group: Command): void {
  const command = onlyReads(group.command('documents'))
    .description('list the house consignments below a message with what is missing')
    .addArgument(new Argument('<of>', 'what they are below, or the one itself').choices(ofWhat))
    .argument('[id]', 'its MRN, or the number of the receptacle');
  addServiceOptions(command, 'carrier')
    .addOption(modeOption())
    .option('--masters', 'of a transport: its master consignments instead')
    .option('--document <number>', 'in place of the MRN of a consignment: its transport document')
    .option('--type <code>', 'type of the document, such as N730')
    .option('--carrier <id>', 'number of the carrier that the consignment names');
  addJsonOption(command).addHelpText('after', help).action(documents);
}

const help = `
By its document the current message is meant, otherwise the last one, among those that you have lodged or that name you as
representative.

Examples:
  $ landfall movement documents transport 26NO7K2M4Q9XWR5HT0 --mode road
  $ landfall movement documents transport 26NO7K2M4Q9XWR5HT0 --mode road --masters
  $ landfall movement documents house-consignment --document H1 --type N730 --carrier NO888888888 --mode road
  $ landfall movement documents receptacle NOOSLASEMMAAAUN60001 --mode air`;

type Listed = MasterDocumentStatus & Pick<HouseDocumentStatus, 'incompleteDocumentationReasonList'>;

const columns: readonly Column<Listed>[] = [
  { heading: 'document', value: ({ documentNumber }) => documentNumber },
  { heading: 'type', value: ({ type }) => type },
  { heading: 'lodged', value: ({ received }) => (received ? 'yes' : 'no') },
  { heading: 'status', value: ({ documentStatus }) => documentStatus },
];

async function documents(
  of: OfWhat,
  id: string | undefined,
  options: DocumentsOptions,
): Promise<void> {
  const request = readRequest(of, id, options);
  const { client } = await openService(options);
  const found = await request(client);
  if (options.json) {
    printJson(found);
    return;
  }
  const list = [found].flat();
  if (list.length === 0) print('There are no consignments.');
  else printTable(columns, list, details);
}

const details = ({ incompleteDocumentationReasonList: reasons = [] }: Listed) =>
  reasons.map((reason) => `    incomplete: ${incompleteReasons[reason]} (${reason})`);

/** The request of the arguments. */
function readRequest(
  of: OfWhat,
  id: string | undefined,
  { mode, masters, document, type, carrier }: DocumentsOptions,
): (client: Landfall) => Promise<Listed | Listed[]> {
  if (masters && of !== 'transport') throw new UsageError('--masters goes with transport alone');
  const isByDocument = [document, type, carrier].some((value) => value !== undefined);
  if (isByDocument) {
    if (of === 'transport' || of === 'receptacle' || id !== undefined) {
      throw new UsageError(
        '--document, --type and --carrier stand in place of the MRN of a consignment',
      );
    }
    if (document === undefined || type === undefined || carrier === undefined) {
      throw new UsageError('a document needs all of --document, --type and --carrier');
    }
    const query = { documentNumber: document, type, carrierId: carrier };
    return of === 'master-consignment'
      ? (client) => client.findHouseDocumentsOfMaster(mode, query)
      : (client) => client.findHouseDocument(mode, query);
  }
  if (id === undefined) {
    throw new UsageError(
      of === 'receptacle' ? 'the number of the receptacle is missing' : 'the MRN is missing',
    );
  }
  if (masters) return (client) => client.listMasterDocumentsOfTransport(mode, id);
  const byLevel = {
    transport: (client: Landfall) => client.listHouseDocumentsOfTransport(mode, id),
    'master-consignment': (client: Landfall) => client.listHouseDocumentsOfMaster(mode, id),
    'house-consignment': (client: Landfall) => client.getHouseDocument(mode, id),
    receptacle: (client: Landfall) => client.listHouseDocumentsOfReceptacle(mode, id),
  };
  return byLevel[of];
}
