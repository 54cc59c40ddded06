// `landfall authority import`: registers pre-notifications from a file or a pipe, any number of them.
import { compileCheck, operations, RegistrationResult } from '@landfall/contract';
import type { Command } from 'commander';
import { openSession } from './credentials.js';
import { CommandFailedError } from './exit.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from './identity-options.js';
import { print, tell } from './output.js';
import { ProgressLine } from './progress-line.js';
import { tellRefused } from './tell-refused.js';
import { openLines, uploadLines } from './upload-lines.js';

type ImportOptions = IdentityOptions & { json?: true };

/** How many refused lines are told; the others are counted. */
const TOLD_LINES = 100;

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
  const { bytes, size } = await openLines(file);
  const summary = new ImportSummary(size);
  const progress = new ProgressLine(() => summary.progress());
  try {
    for await (const { result, text } of uploadLines(
      session,
      operations.postEntrySummaryDeclarations,
      compileCheck<RegistrationResult>(RegistrationResult),
      summary.counting(bytes),
    )) {
      summary.add(result);
      if (options.json) print(text);
      else if (result.status === 'REFUSED' && summary.refused <= TOLD_LINES) {
        progress.above(() => tellRefused(result, result.mrn));
      }
    }
  } catch (error) {
    throw summary.brokenOff(error);
  } finally {
    bytes.destroy();
    progress.end();
  }
  if (options.json) tell(summary.text());
  else print(summary.text());
  if (summary.refused > 0) throw new CommandFailedError(summary.refusal());
}

/** What an import has come to. */
class ImportSummary {
  readonly #size: number | undefined;
  readonly #began = performance.now();
  readonly #counts: Record<RegistrationResult['status'], number> = {
    REGISTERED: 0,
    CHANGED: 0,
    UNCHANGED: 0,
    REFUSED: 0,
  };
  #lines = 0;
  #sent = 0;

  /** @param size how many bytes there are to send, where that is known */
  constructor(size: number | undefined) {
    this.#size = size;
  }

  get refused(): number {
    return this.#counts.REFUSED;
  }

  add({ status }: RegistrationResult): void {
    this.#lines++;
    this.#counts[status]++;
  }

  /** Passes on what is sent. */
  async *counting(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#sent += chunk.length;
      yield chunk;
    }
  }

  progress(): string {
    const part =
      this.#size === undefined || this.#size === 0
        ? ''
        : `, ${Math.floor((100 * this.#sent) / this.#size)} % sent`;
    const refused = this.refused === 0 ? '' : `, ${readable(this.refused)} refused`;
    return `${readable(this.#lines)} lines, ${readable(this.#rate())} a second${part}${refused}`;
  }

  text(): string {
    const counts = Object.entries(this.#counts)
      .filter(([status, count]) => count > 0 || status === 'REGISTERED')
      .map(([status, count]) => `${readable(count)} ${status.toLowerCase()}`);
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1);
    return `${readable(this.#lines)} lines: ${counts.join(', ')}. ${seconds} s, ${readable(this.#rate())} a second.`;
  }

  refusal(): string {
    const more = this.refused > TOLD_LINES ? ` (the first ${TOLD_LINES} are told)` : '';
    return `${readable(this.refused)} of ${readable(this.#lines)} lines were refused${more}; mend them and send them, or all of it, again`;
  }

  /** The error of an import that did not come to its end. */
  brokenOff(error: unknown): unknown {
    if (!(error instanceof CommandFailedError) || this.#lines === 0) return error;
    return new CommandFailedError(
      `${error.message}\n${readable(this.#lines)} lines were answered. Sending all of it again is safe: what stands is found unchanged.`,
    );
  }

  #rate(): number {
    return Math.round(this.#lines / ((performance.now() - this.#began) / 1000));
  }
}

function readable(count: number): string {
  return count.toLocaleString('en');
}
