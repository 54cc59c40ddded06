// `landfall authority import`: registers pre-notifications from a file or a pipe, any number of them.
import { compileCheck, operations, RegistrationResult } from '@landfall/contract';
import type { Command } from 'commander';
import { openSession } from './credentials.js';
import { CommandFailedError } from './exit.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from './identity-options.js';
import { print, tell } from './output.js';
import { grouped, startRate, withProgress } from './progress.js';
import { tellRefused } from './tell-refused.js';
import { uploadLines } from './upload-lines.js';

type ImportOptions = IdentityOptions & { json?: true };

/** How many refused lines are reported; the others are counted. */
const MAX_REPORTED_LINES = 100;

/** Adds the verb. */
export function addAuthorityImport(group: Command): void {
  const command = group
    .command('import')
    .description('register what is pre-notified: declarations and house consignments, any number')
    .argument('<file>', 'NDJSON, a declaration or a house consignment a line; - is stdin');
  addIdentityOptions(command, { defaultName: 'authority' });
  addJsonOption(command).addHelpText('after', examples).action(importLines);
}

const examples = `
A line that breaks a rule is refused by itself, with its number. When the import is broken off, send the same again:
what stands is found unchanged. Exit code 1 when a line was refused.

Examples:
  $ landfall authority import lines.ndjson
  $ landfall authority generate --ens 100 --houses 1000 | landfall authority import -
  $ landfall authority import lines.ndjson --json | grep REFUSED

A line is one of
  {"mrn":"26NO00000000000001","customsOfficeOfFirstEntry":"NO351001","declarant":"0192:310000019","houseConsignments":[]}
  {"mrn":"26NO00000000000001","houseConsignment":{"transportDocumentHouseLevel":{"documentNumber":"H1","type":"N703"}}}`;

async function importLines(file: string, options: ImportOptions): Promise<void> {
  const session = await openSession(options);
  const summary = new ImportSummary();
  const upload = uploadLines(
    session,
    operations.postEntrySummaryDeclarations,
    compileCheck<RegistrationResult>(RegistrationResult),
    { file, onSent: summary.onSent },
  );
  try {
    await withProgress(summary.progress, async ({ clear }) => {
      for await (const { result, text } of upload) {
        summary.add(result);
        const report = result.status === 'REFUSED' && summary.refused <= MAX_REPORTED_LINES;
        if (!options.json && !report) continue;
        clear();
        if (options.json) print(text);
        else tellRefused(result, result.mrn);
      }
    });
  } catch (error) {
    throw summary.brokenOff(error);
  }
  if (options.json) tell(summary.text());
  else print(summary.text());
  if (summary.refused > 0) throw new CommandFailedError(summary.refusal());
}

/** What an import has come to. */
class ImportSummary {
  readonly #rate = startRate();
  readonly #began = performance.now();
  readonly #counts: Record<RegistrationResult['status'], number> = {
    REGISTERED: 0,
    CHANGED: 0,
    UNCHANGED: 0,
    REFUSED: 0,
  };
  #lines = 0;
  #sent = '';

  get refused(): number {
    return this.#counts.REFUSED;
  }

  add({ status }: RegistrationResult): void {
    this.#lines++;
    this.#counts[status]++;
  }

  readonly onSent = (bytes: number, size: number | undefined): void => {
    if (size !== undefined && size > 0) this.#sent = `, ${Math.floor((100 * bytes) / size)} % sent`;
  };

  readonly progress = (): string => {
    const refused = this.refused === 0 ? '' : `, ${grouped(this.refused)} refused`;
    return `${grouped(this.#lines)} lines, ${this.#rate(this.#lines)} a second${this.#sent}${refused}`;
  };

  text(): string {
    const counts = Object.entries(this.#counts)
      .filter(([status, count]) => count > 0 || status === 'REGISTERED')
      .map(([status, count]) => `${grouped(count)} ${status.toLowerCase()}`);
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1);
    return `${grouped(this.#lines)} lines: ${counts.join(', ')}. ${seconds} s, ${this.#rate(this.#lines)} a second.`;
  }

  refusal(): string {
    const more =
      this.refused > MAX_REPORTED_LINES ? ` (the first ${MAX_REPORTED_LINES} are reported)` : '';
    return `${grouped(this.refused)} of ${grouped(this.#lines)} lines were refused${more}; fix these lines and resubmit; resubmitting the whole file is safe`;
  }

  /** The error of an import that did not come to its end. */
  brokenOff(error: unknown): unknown {
    if (!(error instanceof CommandFailedError) || this.#lines === 0) return error;
    return new CommandFailedError(
      `${error.message}\n${grouped(this.#lines)} lines were answered. Resubmitting the whole file is safe.`,
    );
  }
}
