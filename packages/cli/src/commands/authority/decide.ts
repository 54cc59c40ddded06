// `landfall authority decide`: records routing decisions, one from options or many from a file.
import { randomUUID } from 'node:crypto';
import type { RoutingDecision } from '@landfall/client';
import { postRoutingDecisions } from '@landfall/client/operations';
import { DecidedRouting } from '@landfall/contract';
import { type Command, Option } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { coloursFor, print, report } from '../../output/output.js';
import { startRate } from '../../output/progress.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { validationLines } from '../../service/explain-failure.js';
import { openService, type Service } from '../../service/open-service.js';
import { uploadFile } from '../../service/upload-file.js';
import {
  describeConflict,
  type ResultCounts,
  refusedLinesError,
  reportResults,
} from './report-results.js';

type DecideOptions = IdentityOptions & {
  document?: string;
  type?: string;
  mrn?: string;
  routing?: string;
  location?: string;
  reason?: string;
  expected?: string;
  json?: true;
};

/** Adds the command. */
export function addAuthorityDecide(group: Command): void {
  const command = group
    .command('decide')
    .description(
      'record routing decisions for house consignments, before or after they are presented',
    )
    .argument(
      '[file]',
      'NDJSON, one decision per line; - reads stdin. Without a file, use the options',
    );
  addServiceOptions(command, 'authority')
    .option('--document <number>', "number of the house consignment's transport document")
    .option('--type <code>', 'type of the document, code list CL754, such as N740')
    .option('--mrn <mrn>', 'MRN of its declaration, if several declarations have the document')
    .addOption(new Option('--routing <routing>', 'the decision').choices(DecidedRouting.enum))
    .addOption(
      new Option('--location <location>', 'where the control takes place, with TO_CONTROL').choices(
        ['ON_ENTRY', 'AFTER_ENTRY'],
      ),
    )
    .option('--reason <text>', 'reason, shown in the history; required with UNDECIDED')
    .option(
      '--expected <number>',
      'number of the current decision that you have seen, or "none"; needed to replace that of an officer',
    );
  addJsonLinesOption(command).addHelpText('after', examples).action(decide);
}

const examples = `
A decision replaces the previous one; repeating it issues no signal. That of an officer is replaced only if --expected
names it: "landfall consignment view" shows its number. In a file, give each line a decisionId (a UUID), so that the file
can be sent again whatever others have decided meanwhile. A line with errors is reported with its number and does not
affect other lines; the exit code is then 1. A program that writes to standard input may be silent for any time: a
request ends after 5 seconds without a line, or after 30 seconds, and the next line begins another.

Examples:
  $ landfall authority decide --document HC001 --type N740 --routing TO_CONTROL --location ON_ENTRY
  $ landfall authority decide --mrn 23NO00000000000004 --document HC001 --type N703 --routing TO_ENTRY
  $ landfall authority decide decisions.ndjson
  $ risk-engine | landfall authority decide - --json

Each line of a file:
  {"mrn":"23NO00000000000003","transportDocumentHouseLevel":{"documentNumber":"HC001","type":"N740"},"routing":"TO_CONTROL","routingControlLocation":"ON_ENTRY","reason":"scanned"}`;

async function decide(file: string | undefined, options: DecideOptions): Promise<void> {
  const decision = buildDecision(file, options);
  const service = await openService(options);
  await (decision === undefined
    ? decideFile(service, file ?? '-', options)
    : decideOne(service, decision, options));
}

/** Values are passed unchanged; the service validates them. */
function buildDecision(
  file: string | undefined,
  { document, type, mrn, routing, location, reason, expected }: DecideOptions,
): RoutingDecision | undefined {
  const given = [document, type, mrn, routing, location, reason, expected];
  if (file !== undefined) {
    if (given.some((option) => option !== undefined)) {
      throw new UsageError('decide takes either a file or options, not both');
    }
    return undefined;
  }
  if (document === undefined || type === undefined || routing === undefined) {
    throw new UsageError('decide needs a file, or --document, --type and --routing');
  }
  // The cast is true of the choices of --routing and --location; the service validates --type.
  return {
    mrn,
    transportDocumentHouseLevel: { documentNumber: document, type },
    routing,
    routingControlLocation: location,
    reason,
    // The request may be repeated.
    decisionId: randomUUID(),
    expected: readExpected(expected),
  } as RoutingDecision;
}

function readExpected(expected: string | undefined): number | null | undefined {
  if (expected === undefined) return undefined;
  if (expected === 'none') return null;
  if (/^\d{1,9}$/.test(expected)) return Number(expected);
  throw new UsageError(`--expected must be the number of a decision or "none", not ${expected}`);
}

async function decideOne(
  { client }: Service,
  decision: RoutingDecision,
  { document, type, routing, location, json }: DecideOptions,
): Promise<void> {
  const lines = await client.postRoutingDecisions([decision]);
  const [result] = await lines.toArray();
  if (json) print(JSON.stringify(result));
  if (result === undefined) throw new CommandFailedError('the service returned no result');
  if (result.status === 'REFUSED') {
    throw new CommandFailedError(
      ['refused', ...validationLines(result.validationErrors ?? [])].join('\n'),
    );
  }
  if (result.status === 'CONFLICT') {
    throw new CommandFailedError(`not decided: ${describeConflict(result.current)}`);
  }
  if (json) return;
  const colours = coloursFor();
  const where = location === undefined ? '' : ` (${location})`;
  const what = `${document} ${type} ${routing}${where}`;
  print(
    result.status === 'UNCHANGED'
      ? `${colours.green('Unchanged.')} ${what} is already the current decision. No signals issued.`
      : `${colours.green('Decided.')} ${what}. ${describeSignals(result.signals ?? 0)}`,
  );
}

function describeSignals(signals: number): string {
  if (signals === 0) return 'Not presented yet: signals are issued on presentation.';
  return signals === 1 ? '1 signal issued.' : `${signals} signals issued.`;
}

async function decideFile(
  service: Service,
  file: string,
  { json }: Pick<DecideOptions, 'json'>,
): Promise<void> {
  const counts: ResultCounts = { lines: 0, refused: 0 };
  const byStatus = { DECIDED: 0, UNCHANGED: 0, REPEATED: 0, CONFLICT: 0, REFUSED: 0 };
  let signals = 0;
  const rate = startRate();
  const summary = () =>
    [
      `${byStatus.DECIDED} decided, ${byStatus.UNCHANGED} unchanged, ${byStatus.REFUSED} refused`,
      ...(byStatus.REPEATED > 0 ? [`, ${byStatus.REPEATED} repeated`] : []),
      ...(byStatus.CONFLICT > 0 ? [`, ${byStatus.CONFLICT} in conflict`] : []),
      `; ${signals} signals issued`,
    ].join('');
  await reportResults(uploadFile(service, postRoutingDecisions, { file }), counts, {
    ...(json && { json }),
    progress: () => `${summary()}; ${rate(counts.lines)}/s`,
    add: (result) => {
      byStatus[result.status]++;
      if (result.status === 'DECIDED') signals += result.signals ?? 0;
    },
  });
  const write = json ? report : print;
  write(summary());
  if (counts.refused > 0) throw refusedLinesError(counts);
}
