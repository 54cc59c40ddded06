// Draws the summary of a dataset as text of 80 columns: numbers, bars, and one declaration as a tree.
import { nationalCustomsOffices } from '@landfall/contract';
import type { DatasetExample, DatasetSummary, Share, Spread } from '@landfall/samples';
import { type Bar, drawBars } from '../../output/bars.js';
import { type Colours, printable, readableTime } from '../../output/output.js';
import { grouped } from '../../output/progress.js';

const WIDTH = 80;

/** Rows of a chart; the others are summed up in one row. */
const MAX_BARS = 8;

/** The lines to print. */
export function drawSummary(summary: DatasetSummary, colours: Colours): string[] {
  const { bold } = colours;
  const { name = 'dataset', description, identities, presenters, offices, example } = summary;
  const names = new Map(identities.map((identity) => [identity.organisation, identity.name]));
  const chart = (title: string, bars: readonly Bar[]) =>
    bars.length === 0 ? [] : ['', bold(title), ...drawBars(bars, WIDTH)];
  return [
    bold(printable(name)),
    ...(description === undefined ? [] : [fit(printable(description), WIDTH)]),
    '',
    ...drawCounts(summary),
    ...chart(
      'House consignments by office of first entry',
      largest(offices, ({ name: office }) => `${office} ${officeName(office)}`.trimEnd()),
    ),
    ...chart('by hour of arrival (UTC)', hourBars(summary)),
    ...chart(
      'by presenter',
      largest(presenters, ({ name: organisation }) => names.get(organisation) ?? organisation),
    ),
    ...chart('by type of document', largest(summary.documentTypes)),
    ...chart('by chapter of the Harmonized System', largest(summary.chapters)),
    ...(example === undefined ? [] : ['', bold('Example'), ...drawExample(example)]),
  ];
}

function drawCounts(summary: DatasetSummary): string[] {
  const { decidedInAdvance: decided, identities, withoutArrival } = summary;
  const row = (label: string, count: number, more = '') =>
    fit(`  ${label.padEnd(20)}${grouped(count).padStart(10)}  ${more}`.trimEnd(), WIDTH);
  const each = (spread: Spread | undefined) =>
    spread === undefined
      ? ''
      : `${grouped(spread.min)}–${grouped(spread.max)} house consignments, median ${grouped(spread.median)}`;
  return [
    row('lines', summary.lines),
    row('identities', identities.length, identities.map(({ name }) => name).join(', ')),
    row('declarations', summary.declarations, `of ${grouped(summary.declarants)} declarants`),
    row('master consignments', summary.masterConsignments, each(summary.perMasterConsignment)),
    row('receptacles', summary.receptacles, each(summary.perReceptacle)),
    row('containers', summary.containers, each(summary.perContainer)),
    row('means of transport', summary.meansOfTransport),
    row(
      'house consignments',
      summary.houseConsignments,
      withoutArrival === 0 ? '' : `${grouped(withoutArrival)} without time of arrival`,
    ),
    row('  to entry', decided.TO_ENTRY, 'decided in advance'),
    row('  to control', decided.TO_CONTROL, 'decided in advance'),
    row('  undecided', decided.undecided),
    row('decisions', summary.decisions, 'in lines of their own'),
    row('scenarios', summary.scenarios),
    row('reference documents', summary.referenceDocuments),
    ...drawMovements(summary.movements),
  ];
}

/** Rows of the messages that are lodged; a dataset that has none is drawn without them. */
function drawMovements({
  transports,
  masterConsignments,
  houseConsignments,
}: DatasetSummary['movements']): string[] {
  const rows = [
    ['transports', transports],
    ['masters lodged', masterConsignments],
    ['houses lodged', houseConsignments],
  ] as const;
  if (rows.every(([, count]) => count === 0)) return [];
  return rows.map(([label, count]) => `  ${label.padEnd(20)}${grouped(count).padStart(10)}`);
}

function hourBars({ hours, withoutArrival, houseConsignments }: DatasetSummary): Bar[] {
  if (withoutArrival === houseConsignments) return [];
  return hours.map((value, hour) => ({ name: `${String(hour).padStart(2, '0')}:00`, value }));
}

/** The largest shares, and one row for all others. */
function largest(
  shares: readonly Share[],
  nameOf: (share: Share) => string = ({ name }) => name,
): Bar[] {
  const bars = shares
    .slice(0, MAX_BARS)
    .map((share) => ({ name: nameOf(share), value: share.houseConsignments }));
  const others = shares.slice(MAX_BARS);
  if (others.length === 0) return bars;
  const value = others.reduce((sum, { houseConsignments }) => sum + houseConsignments, 0);
  return [...bars, { name: `${others.length} others`, value }];
}

function officeName(office: string): string {
  return (
    nationalCustomsOffices.find(({ referenceNumber }) => referenceNumber === office)?.name ?? ''
  );
}

/** The declaration, its groups, and the first house consignments of each. */
function drawExample({
  declaration,
  houseConsignments,
  groups,
  moreGroups,
}: DatasetExample): string[] {
  const { mrn, customsOfficeOfFirstEntry: office, activeBorderTransportMeans: means } = declaration;
  const { estimatedTimeOfArrival: arrival } = declaration;
  const head = [
    `ENS ${mrn}`,
    office,
    ...(means === undefined ? [] : [printable(means.identificationNumber)]),
    ...(arrival === undefined ? [] : [readableTime(arrival)]),
    `${grouped(houseConsignments)} house consignments`,
  ].join(', ');
  const branches = groups.map((group) => {
    const master = group.transportDocumentMasterLevel;
    const parts = [
      ...(master === undefined ? [] : [`master ${master.type} ${master.documentNumber}`]),
      ...(group.receptacleId === undefined ? [] : [`receptacle ${group.receptacleId}`]),
      ...(group.containerId === undefined ? [] : [`container ${group.containerId.join(' ')}`]),
    ];
    const houses = group.first.map(({ transportDocumentHouseLevel: house, routing }) =>
      [house.type, house.documentNumber, ...(routing === undefined ? [] : [routing])].join(' '),
    );
    const more = group.houseConsignments - group.first.length;
    if (more > 0) houses.push(`and ${grouped(more)} more`);
    return { label: parts.join(', ') || 'without master consignment', leaves: houses };
  });
  const rows = [
    ...branches,
    ...(moreGroups > 0 ? [{ label: `and ${grouped(moreGroups)} more groups`, leaves: [] }] : []),
  ];
  return [
    `  ${fit(head, WIDTH - 2)}`,
    ...rows.flatMap(({ label, leaves }, index) => {
      const isLast = index === rows.length - 1;
      return [
        `  ${isLast ? '└─' : '├─'} ${fit(printable(label), WIDTH - 5)}`,
        ...leaves.map((leaf, at) => {
          const branch = at === leaves.length - 1 ? '└─' : '├─';
          return `  ${isLast ? ' ' : '│'}  ${branch} ${fit(printable(leaf), WIDTH - 8)}`;
        }),
      ];
    }),
  ];
}

function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
