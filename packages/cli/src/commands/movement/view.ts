// `landfall movement view`: draws the tree of a transport, and says what is missing where.
import {
  ApiError,
  type Landfall,
  type MasterDescendants,
  type TransportDescendants,
} from '@landfall/client';
import { type IncompleteReason, incompleteReasons, type ModeName } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printable, printJson, printText } from '../../output/output.js';
import { grouped } from '../../output/progress.js';
import { openService } from '../../service/open-service.js';
import { modeOption } from './mode-option.js';

const levels = ['transport', 'master-consignment'] as const;

type ViewOptions = IdentityOptions & {
  mode: ModeName;
  level: (typeof levels)[number];
  json?: true;
};

/** Adds the command. */
export function addMovementView(group: Command): void {
  const command = onlyReads(group.command('view'))
    .description('draw the tree of a transport: what it reaches, and what is missing where')
    .argument('<mrn>', 'MRN of the transport, or of a master consignment');
  addServiceOptions(command, 'carrier')
    .addOption(modeOption())
    .addOption(
      new Option('--level <level>', 'level of the message').choices(levels).default('transport'),
    );
  addJsonOption(command).addHelpText('after', help).action(view);
}

const help = `
Whoever lodged the message can ask, and the representative that it names; of a transport the carrier too. It shows how the
messages are connected now. A master consignment of your own that is not reached because it names another carrier is
pointed out.

Examples:
  $ landfall movement view 26NO7K2M4Q9XWR5HT0 --mode road
  $ landfall movement view 26NO7K2M4Q9XWR5HT0 --mode road --level master-consignment --json`;

/** So many documents that are not lodged are looked up, a request each. */
const MAX_LOOKED_UP = 20;

type Document = Pick<MasterDescendants, 'documentNumber' | 'type'>;
type House = MasterDescendants['houseConsignments'][number];

/** A node of the tree: its line, and what is below it. */
type Node = { text: string; below: readonly Node[] };

async function view(mrn: string, { mode, level, ...options }: ViewOptions): Promise<void> {
  const { client } = await openService(options);
  const tree =
    level === 'transport'
      ? await client.getTransportDescendants(mode, mrn)
      : await client.getMasterDescendants(mode, mrn);
  if (options.json) {
    printJson(tree);
    return;
  }
  const isTransport = 'masterConsignments' in tree;
  const masters = isTransport ? tree.masterConsignments : [tree];
  const direct = isTransport ? (tree.houseConsignments ?? []) : [];
  const all = [...direct, ...masters.flatMap(({ houseConsignments }) => houseConsignments)];
  const isIncomplete = all.some((house) => isLodged(house) && house.status === 'INCOMPLETE');
  const reasons = isIncomplete ? await readReasons(client, mode, level, mrn) : new Map();
  const others = await findOtherCarriers(client, mode, masters);
  const houseNode = (house: House): Node => ({
    text: `${describeDocument(house)}  ${describeHouse(house, reasons)}${byRelation(house)}`,
    below: [],
  });
  const nodes = [
    ...masters.map((master) => ({
      text: `${describeDocument(master)}  ${describeMaster(master, others)}${byRelation(master)}`,
      below: master.houseConsignments.map(houseNode),
    })),
    ...direct.map(houseNode),
  ];
  if (isTransport) {
    print(`transport ${mrn}  ${describeTransport(tree)}`);
    await printText(draw(nodes, ''));
  } else {
    const [node] = nodes;
    print(node?.text ?? '');
    await printText(draw(node?.below ?? [], ''));
  }
  print(summary(masters, all));
}

const key = ({ documentNumber, type }: Document) => `${documentNumber} ${type}`;
const describeDocument = (document: Document) => printable(key(document));
const isLodged = ({ weight, status }: House) => weight !== undefined || status === 'SUCCESS';

/** What hangs there by a relation says by which one. */
const byRelation = ({ relation }: { relation?: string }) =>
  relation === undefined ? '' : `, by the relation ${relation}`;

function describeTransport(tree: TransportDescendants): string {
  const { sumOfWeightForMasterConsignments, sumOfWeightForHouseConsignments } = tree;
  return `master consignments ${sumOfWeightForMasterConsignments} kg, house consignments ${sumOfWeightForHouseConsignments} kg`;
}

function describeMaster(master: MasterDescendants, others: ReadonlyMap<string, string>): string {
  if (!master.received) return others.get(key(master)) ?? 'not lodged';
  const houses = `house consignments ${master.sumOfWeightForHouseConsignments} kg`;
  return master.weight === undefined ? houses : `${master.weight} kg, ${houses}`;
}

function describeHouse(house: House, reasons: ReadonlyMap<string, readonly string[]>): string {
  const { weight, status } = house;
  const mass = weight === undefined ? '' : `${weight} kg`;
  if (status === 'SUCCESS') return mass;
  if (!isLodged(house)) return 'not lodged';
  const missing = reasons.get(key(house)) ?? ['incomplete'];
  return [mass, ...missing].join(', ');
}

function draw(nodes: readonly Node[], indent: string): string {
  return nodes
    .map(({ text, below }, index) => {
      const isLast = index === nodes.length - 1;
      const line = `${indent}${isLast ? '└─ ' : '├─ '}${text}\n`;
      return line + draw(below, `${indent}${isLast ? '   ' : '│  '}`);
    })
    .join('');
}

function summary(masters: readonly MasterDescendants[], houses: readonly House[]): string {
  const notLodged =
    masters.filter(({ received }) => !received).length +
    houses.filter((house) => !isLodged(house)).length;
  const incomplete = houses.filter(
    (house) => isLodged(house) && house.status === 'INCOMPLETE',
  ).length;
  if (notLodged + incomplete === 0) return 'Nothing is missing.';
  const parts = [
    ...(notLodged > 0 ? [`${grouped(notLodged)} not lodged`] : []),
    ...(incomplete > 0 ? [`${grouped(incomplete)} incomplete`] : []),
  ];
  return `Missing: ${parts.join(', ')}.`;
}

/** What is missing of each incomplete house consignment, by its document. The carrier of a transport may not read it. */
async function readReasons(
  client: Landfall,
  mode: ModeName,
  level: ViewOptions['level'],
  mrn: string,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  try {
    const documents =
      level === 'transport'
        ? await client.listHouseDocumentsOfTransport(mode, mrn)
        : await client.listHouseDocumentsOfMaster(mode, mrn);
    for (const document of documents) {
      const { incompleteDocumentationReasonList: list = [] } = document;
      if (list.length > 0) found.set(key(document), list.map(describeReason));
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  return found;
}

const describeReason = (reason: IncompleteReason) => `${incompleteReasons[reason]} (${reason})`;

/** Own master consignments with a document that is not reached, because they name another carrier than the transport. */
async function findOtherCarriers(
  client: Landfall,
  mode: ModeName,
  masters: readonly MasterDescendants[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const master of masters.filter(({ received }) => !received).slice(0, MAX_LOOKED_UP)) {
    const { documentNumber, type } = master;
    const query = { documentNumber, type, state: 'CURRENT', limit: 1 } as const;
    const { entries } = await client.listMovements(mode, 'master-consignment', query);
    const [other] = entries;
    if (other === undefined) continue;
    const carrier = printable(other.carrierIdentificationNumber ?? '');
    found.set(
      key(master),
      `not reached: ${other.mrn} has this document, and names the carrier ${carrier}`,
    );
  }
  return found;
}
