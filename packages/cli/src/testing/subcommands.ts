// Each subcommand with arguments with which it can be tried, and the files that these name.
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isReading } from '../input/only-reads.js';
import { findSubcommands } from '../program/command-reference.js';
import { makeProgram } from '../program/program.js';
import { houseMessage, transportMessage } from './movement-messages.js';
import { runCommand } from './run-command.js';

/** A subcommand, its arguments, and the identity of a playground if it calls the service. */
export type TriedSubcommand = [name: string, words: string, identity?: string];

const newcomer = '0192:310000051';

/** MRN of a message that is not there. */
export const unknownMrn = '26NO7K2M4Q9XWR5HT0';
const ofRoad = `house-consignment ${unknownMrn} --mode road`;
const run = '00000000-0000-7000-8000-000000000000';

/**
 * The subcommands that need no installation, in the order in which they can be tried.
 *
 * @param folder has the files of `writeSubcommandFiles`
 * @param data the data folder of a playground
 */
export function makeSubcommands(folder: string, data: string): TriedSubcommand[] {
  const file = (name: string) => join(folder, name);
  return [
    ['playground', `--port 0 --data ${file('b')}`],
    ['completion', 'bash'],
    ['profile add', `trial --as carrier --data ${data}`],
    ['profile list', ''],
    ['profile use', 'trial'],
    ['profile remove', 'trial'],
    ['doctor', '', 'newcomer'],
    ['token create', '', 'carrier'],
    ['token doctor', `${file('token')} --data ${data}`],
    ['organisation list', '', 'authority'],
    ['organisation names', '0192:310000019', 'authority'],
    [
      'organisation create',
      'NTRSE-1 --name Long-named-organisation-of-a-far-away-country',
      'authority',
    ],
    ['organisation view', newcomer, 'authority'],
    ['organisation update', `${newcomer} --name Newcomer`, 'authority'],
    ['organisation grant', `${newcomer} movement/entry`, 'authority'],
    ['organisation revoke', `${newcomer} movement/air`, 'authority'],
    ['organisation block', `${newcomer}`, 'authority'],
    ['organisation unblock', `${newcomer}`, 'authority'],
    ['organisation add-key', `${newcomer} ${file('key')} --client extra --kid 1`, 'authority'],
    ['goods-item view list', '', 'authority'],
    ['goods-item view try', '--chapters 22', 'authority'],
    ['goods-item view set', `${newcomer} --chapters 22`, 'authority'],
    ['goods-item view get', newcomer, 'authority'],
    ['goods-item view remove', newcomer, 'authority'],
    ['authority generate', '--ens 2 --houses 4'],
    ['authority import', file('lines'), 'authority'],
    [
      'authority decide',
      '--document HC001 --type N740 --routing TO_CONTROL --location ON_ENTRY',
      'authority',
    ],
    ['present', 'house-consignment --document HC001 --type N740', 'carrier'],
    ['status list', '', 'carrier'],
    ['status view', '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01', 'carrier'],
    ['status follow', '--limit 1', 'carrier'],
    ['routing list', '', 'carrier'],
    ['routing follow', '--limit 1', 'carrier'],
    ['routing explain', '--document HC001 --type N740', 'carrier'],
    ['routing release', 'HC001', 'carrier'],
    ['routing wait', '--document HC001 --type N740 --within 5', 'carrier'],
    ['push create', 'routing http://127.0.0.1:9/hooks', 'carrier'],
    ['push list', '', 'carrier'],
    ['push view', run, 'carrier'],
    ['push update', `${run} --state PAUSED`, 'carrier'],
    ['push test', run, 'carrier'],
    ['push rotate', run, 'carrier'],
    ['push attempts', run, 'carrier'],
    ['push delete', run, 'carrier'],
    ['push listen', '--forward-to http://127.0.0.1:9/hooks --within 1', 'carrier'],
    ['consignment list', '', 'authority'],
    ['consignment view', '--document HC001 --type N740', 'authority'],
    ['routing-run create', '--office NO351001 --routing TO_ENTRY --reason trial', 'authority'],
    ['routing-run list', '', 'authority'],
    ['routing-run view', run, 'authority'],
    ['routing-run results', run, 'authority'],
    ['routing-run pause', run, 'authority'],
    ['routing-run resume', run, 'authority'],
    ['routing-run confirm', run, 'authority'],
    ['routing-run give-up', run, 'authority'],
    ['routing-run reverse', `${run} --reason trial`, 'authority'],
    ['routing-profile create', `first ${file('profile')}`, 'authority'],
    ['routing-profile dry-run', 'first', 'authority'],
    ['routing-profile activate', 'first 1', 'authority'],
    ['routing-profile apply', '', 'authority'],
    ['routing-profile list', '', 'authority'],
    ['routing-profile deactivate', '', 'authority'],
    ['codelist list', ''],
    ['codelist view', 'cl141'],
    ['codelist import', `cl141 ${file('offices')}`, 'authority'],
    ['reference-document generate', '--count 5'],
    ['reference-document import', file('documents'), 'authority'],
    ['reference-document list', '', 'authority'],
    [
      'document upload',
      `${file('document.txt')} --declaration-id 974760673-10082022-1 --type invoice`,
      'broker',
    ],
    ['document list', '--declaration-id 974760673-10082022-1', 'broker'],
    ['document find', '--declaration-id 974760673-10082022-1', 'authority'],
    ['document read', `${run} --output ${file('read')}`, 'authority'],
    ['dataset generate', 'post-terminal --houses 40'],
    ['dataset view', file('dataset')],
    ['dataset list', '', 'authority'],
    [
      'scenario create',
      'refusal --code UNKNOWN_CODE --identity newcomer --operation presentHouseConsignment --times 9 --seconds 99',
      'authority',
    ],
    ['scenario list', '', 'authority'],
    ['scenario delete', '--all', 'authority'],
    ['snapshot create', 'before', 'authority'],
    ['space list', '', 'authority'],
    ['space delete', 'space-1a2b3c4d5e6f', 'authority'],
    ['snapshot list', '', 'authority'],
    ['snapshot restore', 'before', 'authority'],
    ['snapshot delete', 'before', 'authority'],
    ['movement check', `${file('movement')} --mode road --offices ${file('offices')}`],
    ['movement rules', '--mode road'],
    ['movement generate', 'lorry --houses 3'],
    ['movement lodge', `--mode road --file ${file('house')}`, 'carrier'],
    ['movement replace', `${ofRoad} --file ${file('house')}`, 'carrier'],
    ['movement show', ofRoad, 'carrier'],
    [
      'movement relate',
      `transport ${unknownMrn} master-consignment ${unknownMrn} --mode road`,
      'carrier',
    ],
    ['movement unrelate', `${unknownMrn} --mode road`, 'carrier'],
    ['movement arrive', `${unknownMrn} --office NO371001`, 'carrier'],
    ['authority arrive', '--mode road --means AB12345 --office NO371001', 'authority'],
    ['authority transport list', '--expected', 'authority'],
    ['authority movement show', unknownMrn, 'authority'],
    ['authority movement cancel', `${unknownMrn} --reason trial`, 'authority'],
    ['movement view', `${unknownMrn} --mode road`, 'carrier'],
    ['movement documents', ofRoad, 'carrier'],
    ['movement entry', `${unknownMrn} --mode road --wait --within 5`, 'carrier'],
    ['movement list', 'house-consignment --mode road', 'carrier'],
    ['movement status list', '', 'carrier'],
    [
      'movement status view',
      'house-consignment 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01 --mode road',
      'carrier',
    ],
    ['movement status follow', '--marker start --limit 1', 'carrier'],
    ['movement cancel', ofRoad, 'carrier'],
    ['feed generate', '--declarations 2'],
    ['feed validate', file('messages')],
    ['feed import', file('messages'), 'authority'],
    ['feed list', '', 'statistics'],
    ['feed follow', '--marker start --limit 3', 'statistics'],
    ['admin check-provider', file('token')],
    ['trial-provider', `--port 0 --data ${file('trial')} --service http://127.0.0.1:8080`],
    ['admin keys list', `--data ${data}`],
    ['admin keys rotate', `--data ${data}`],
  ];
}

/** The subcommands that change data of the service: those that do not say that they only read. */
export function changingSubcommands(folder: string, data: string): TriedSubcommand[] {
  const reading = new Set(
    findSubcommands(makeProgram())
      .filter(({ command }) => isReading(command))
      .map(({ name }) => name),
  );
  return makeSubcommands(folder, data).filter(
    ([name, , identity]) => identity !== undefined && !reading.has(name),
  );
}

/** Writes the files that the arguments name; the playground is running. */
export async function writeSubcommandFiles(folder: string, data: string): Promise<void> {
  const output = async (line: string) => (await runCommand(line.split(' '))).stdout;
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rules = [{ name: 'all others, whatever they are', routing: 'TO_ENTRY' }];
  const contents: Record<string, string | Buffer> = {
    token: await output(`token create --raw --data ${data}`),
    key: publicKey.export({ type: 'spki', format: 'pem' }),
    lines: await output('authority generate --ens 2 --houses 4'),
    documents: await output('reference-document generate --count 20'),
    messages: await output('feed generate --declarations 2'),
    profile: JSON.stringify({ salt: '1', rules }),
    'document.txt': 'a document\n',
    dataset: await output('dataset generate post-terminal --houses 400'),
    passphrase: 'a passphrase of a test\n',
    movement: '{"consignmentHouseLevel":{}}',
    house: JSON.stringify(houseMessage('H1')),
    transport: JSON.stringify(transportMessage('T1')),
    offices: 'reference_number,name\nNO351001,Gardermoen\n',
  };
  for (const [name, text] of Object.entries(contents)) await writeFile(join(folder, name), text);
}
