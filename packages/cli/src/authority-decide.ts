// `landfall authority decide`: where house consignments go: one by options, or as many as a file has lines.
import {
  compileCheck,
  operations,
  type RoutingDecision,
  RoutingDecisionResult,
} from '@landfall/contract';
import { type Command, Option } from 'commander';
import { callService } from './call-service.js';
import { openSession, type Session } from './credentials.js';
import { CommandFailedError, UsageError } from './exit.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from './identity-options.js';
import { coloursFor, print, tell } from './output.js';
import { startRate, withProgress } from './progress.js';
import { readText } from './reach-service.js';
import { readMessages } from './read-message.js';
import { validationLines } from './service-refused-error.js';
import { tellRefused } from './tell-refused.js';
import { uploadLines } from './upload-lines.js';

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

/** How many refused lines are reported; the others are counted. */
const MAX_REPORTED_LINES = 100;

/** Adds the verb. */
export function addAuthorityDecide(group: Command): void {
  const command = group
    .command('decide')
    .description('decide where house consignments go, before or after they are presented')
    .argument('[file]', 'NDJSON, one decision a line; - is stdin. Without it, options say it');
  addIdentityOptions(command, { defaultName: 'authority' })
    .option('--document <number>', 'number of the house-level transport document')
    .option('--type <code>', 'type of the document, code list CL754, such as N740')
    .option('--mrn <mrn>', 'its declaration, where the document stands under more than one')
    .addOption(
      new Option('--routing <routing>', 'what is decided').choices(['TO_CONTROL', 'TO_ENTRY']),
    )
    .addOption(
      new Option('--location <location>', 'where it is controlled, with TO_CONTROL').choices([
        'ON_ENTRY',
        'AFTER_ENTRY',
      ]),
    )
    .option('--reason <text>', 'why, for the history');
  addJsonOption(command).addHelpText('after', examples).action(decide);
}

const examples = `
A decision takes the place of the one before it; the same again changes nothing and tells nobody. With a file, a
line that is refused does not keep the others from being decided; it is told with its number, and the exit code is 1.

Examples:
  $ landfall authority decide --document HC001 --type N740 --routing TO_CONTROL --location ON_ENTRY
  $ landfall authority decide --mrn 23NO00000000000004 --document HC001 --type N703 --routing TO_ENTRY
  $ landfall authority decide decisions.ndjson
  $ risk-engine | landfall authority decide - --json

A line of a file:
  {"mrn":"23NO00000000000003","transportDocumentHouseLevel":{"documentNumber":"HC001","type":"N740"},"routing":"TO_CONTROL","routingControlLocation":"ON_ENTRY","reason":"scanned"}`;

async function decide(file: string | undefined, options: DecideOptions): Promise<void> {
  const decision = buildDecision(file, options);
  const session = await openSession(options);
  await (decision === undefined
    ? decideFile(session, file ?? '-', options)
    : decideOne(session, decision, options));
}

/** The values go as they are: whether they are good is the service's to say. */
function buildDecision(
  file: string | undefined,
  { document, type, mrn, routing, location, reason }: DecideOptions,
): Record<keyof RoutingDecision, unknown> | undefined {
  const given = [document, type, mrn, routing, location, reason];
  if (file !== undefined) {
    if (given.some((option) => option !== undefined)) {
      throw new UsageError('decide takes a file, or options that say one decision');
    }
    return undefined;
  }
  if (document === undefined || type === undefined || routing === undefined) {
    throw new UsageError('decide needs a file, or --document and --type and --routing');
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
  if (result === undefined) throw new CommandFailedError('the service gave no result');
  if (result.status === 'REFUSED') {
    throw new CommandFailedError(['refused', ...validationLines(result)].join('\n'));
  }
  if (json) return;
  const colours = coloursFor();
  const where = location === undefined ? '' : ` (${location})`;
  const what = `${document} ${type} ${routing}${where}`;
  print(
    result.status === 'UNCHANGED'
      ? `${colours.green('Unchanged.')} ${what} stood already; nobody is told again.`
      : `${colours.green('Decided.')} ${what}. ${tellSignals(result.signals ?? 0)}`,
  );
}

function tellSignals(signals: number): string {
  if (signals === 0) return 'It is not presented yet: whoever presents it will be told.';
  return signals === 1 ? 'One organisation was told.' : `${signals} organisations were told.`;
}

async function decideFile(
  session: Session,
  file: string,
  { json }: Pick<DecideOptions, 'json'>,
): Promise<void> {
  const counts = { DECIDED: 0, UNCHANGED: 0, REFUSED: 0, signals: 0 };
  const rate = startRate();
  const summary = () =>
    `${counts.DECIDED} decided, ${counts.UNCHANGED} unchanged, ${counts.REFUSED} refused; ${counts.signals} signals issued`;
  const line = () => {
    const lines = counts.DECIDED + counts.UNCHANGED + counts.REFUSED;
    return `${summary()}; ${rate(lines)} a second`;
  };
  await withProgress(line, async ({ clear }) => {
    for await (const { result, text } of uploadLines(session, operation, checkResult(), { file })) {
      counts[result.status]++;
      counts.signals += result.signals ?? 0;
      const report = result.status === 'REFUSED' && counts.REFUSED <= MAX_REPORTED_LINES;
      if (!json && !report) continue;
      clear();
      if (json) print(text);
      else tellRefused(result);
    }
  });
  if (json) tell(summary());
  else print(summary());
  if (counts.REFUSED > 0) {
    throw new CommandFailedError(
      counts.REFUSED === 1
        ? 'one line was refused'
        : `${counts.REFUSED} lines were refused${counts.REFUSED > MAX_REPORTED_LINES && !json ? ` (the first ${MAX_REPORTED_LINES} are reported)` : ''}`,
    );
  }
}

function checkResult() {
  return compileCheck<RoutingDecisionResult>(RoutingDecisionResult);
}
