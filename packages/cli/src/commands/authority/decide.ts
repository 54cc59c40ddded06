// `landfall authority decide`: records routing decisions, one from options or many from a file.
import {
  compileCheck,
  operations,
  type RoutingDecision,
  RoutingDecisionResult,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { readText } from '../../http/reach-service.js';
import { readMessages } from '../../http/read-message.js';
import { validationLines } from '../../http/service-refused-error.js';
import { uploadLines } from '../../http/upload-lines.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from '../../input/options.js';
import { coloursFor, print, report } from '../../output/output.js';
import { startRate } from '../../output/progress.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { type ResultCounts, refusedLinesError, reportResults } from './report-results.js';

type DecideOptions = IdentityOptions & {
  document?: string;
  type?: string;
  mrn?: string;
  routing?: string;
  location?: string;
  reason?: string;
  json?: true;
};

const operation = operations.postRoutingDecisions;
const { operationId } = operation;

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
  addIdentityOptions(command, { defaultName: 'authority' })
    .option('--document <number>', "number of the house consignment's transport document")
    .option('--type <code>', 'type of the document, code list CL754, such as N740')
    .option('--mrn <mrn>', 'MRN of its declaration, if several declarations have the document')
    .addOption(
      new Option('--routing <routing>', 'the decision').choices(['TO_CONTROL', 'TO_ENTRY']),
    )
    .addOption(
      new Option('--location <location>', 'where the control takes place, with TO_CONTROL').choices(
        ['ON_ENTRY', 'AFTER_ENTRY'],
      ),
    )
    .option('--reason <text>', 'reason, shown in the history');
  addJsonOption(command).addHelpText('after', examples).action(decide);
}

const examples = `
A decision replaces the previous one; repeating it changes nothing and issues no signal. In a file, a line with
errors is reported with its number and does not affect other lines; the exit code is then 1.

Examples:
  $ landfall authority decide --document HC001 --type N740 --routing TO_CONTROL --location ON_ENTRY
  $ landfall authority decide --mrn 23NO00000000000004 --document HC001 --type N703 --routing TO_ENTRY
  $ landfall authority decide decisions.ndjson
  $ risk-engine | landfall authority decide - --json

Each line of a file:
  {"mrn":"23NO00000000000003","transportDocumentHouseLevel":{"documentNumber":"HC001","type":"N740"},"routing":"TO_CONTROL","routingControlLocation":"ON_ENTRY","reason":"scanned"}`;

async function decide(file: string | undefined, options: DecideOptions): Promise<void> {
  const decision = buildDecision(file, options);
  const session = await openSession(options);
  await (decision === undefined
    ? decideFile(session, file ?? '-', options)
    : decideOne(session, decision, options));
}

/** Values are passed unchanged; the service validates them. */
function buildDecision(
  file: string | undefined,
  { document, type, mrn, routing, location, reason }: DecideOptions,
): Record<keyof RoutingDecision, unknown> | undefined {
  const given = [document, type, mrn, routing, location, reason];
  if (file !== undefined) {
    if (given.some((option) => option !== undefined)) {
      throw new UsageError('decide takes either a file or options, not both');
    }
    return undefined;
  }
  if (document === undefined || type === undefined || routing === undefined) {
    throw new UsageError('decide needs a file, or --document, --type and --routing');
  }
  return {
    mrn,
    transportDocumentHouseLevel: { documentNumber: document, type },
    routing,
    routingControlLocation: location,
    reason,
  };
}

async function decideOne(
  session: Session,
  decision: Record<keyof RoutingDecision, unknown>,
  { document, type, routing, location, json }: DecideOptions,
): Promise<void> {
  const response = await callService(session, operation, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([decision]),
  });
  const text = await readText(response);
  const [result] = readMessages(text, checkResult(), operationId);
  if (json) print(text);
  if (result === undefined) throw new CommandFailedError('the service returned no result');
  if (result.status === 'REFUSED') {
    throw new CommandFailedError(['refused', ...validationLines(result)].join('\n'));
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
  session: Session,
  file: string,
  { json }: Pick<DecideOptions, 'json'>,
): Promise<void> {
  const counts: ResultCounts = { lines: 0, refused: 0 };
  const byStatus = { DECIDED: 0, UNCHANGED: 0, REFUSED: 0 };
  let signals = 0;
  const rate = startRate();
  const summary = () =>
    `${byStatus.DECIDED} decided, ${byStatus.UNCHANGED} unchanged, ${byStatus.REFUSED} refused; ${signals} signals issued`;
  await reportResults(uploadLines(session, operation, checkResult(), { file }), counts, {
    ...(json && { json }),
    progress: () => `${summary()}; ${rate(counts.lines)}/s`,
    add: (result) => {
      byStatus[result.status]++;
      signals += result.signals ?? 0;
    },
  });
  const write = json ? report : print;
  write(summary());
  if (counts.refused > 0) throw refusedLinesError(counts);
}

function checkResult() {
  return compileCheck<RoutingDecisionResult>(RoutingDecisionResult);
}
