// The options of the command.
import { parseArgs } from 'node:util';

/** The options of a run. */
export type Options = {
  settings: string | undefined;
  url: string | undefined;
  identityProviderUrl: string | undefined;
  only: string[];
  concurrency: number;
  maxWaitSeconds: number;
  timeoutSeconds: number;
  html: string | undefined;
  junit: string | undefined;
  json: boolean;
  list: boolean;
  help: boolean;
};

/** An option is unknown or has an invalid value. The message names the option and the rule. */
export class UsageError extends Error {
  readonly code = 'USAGE';
  override name = 'UsageError';
}

export const HELP = `Usage: landfall-conformance SETTINGS [options]

Tests any implementation of Landfall's wire contract over HTTP, with data that it registers itself.

SETTINGS is a JSON file with the addresses of the service and an identity for each role, or the folder
of credentials of a playground, such as .landfall/credentials. The README describes the file.

Options:
  --url URL             address of the service, if it is not the one in SETTINGS
  --idp-url URL         address of the identity provider, if it is not the one in SETTINGS
  --only ID             only this requirement, or all of an area such as ROUT; may be repeated
  --concurrency N       how many cases run at once, 1 to 64 (default 6)
  --max-wait SECONDS    the longest wait for something to expire, 0 to 3600 (default 10)
  --timeout SECONDS     how long the whole run may take, 1 to 86400 (default 900); cases that have not
                        ended by then are not tested
  --html FILE           write a report for people
  --junit FILE          write a report for CI (JUnit XML)
  --json                print the results as JSON instead of text
  --list                print every requirement with its source and its cases, without testing
  --help                print this help

Exit code: 0 every tested requirement is met, 1 some are not or the time was over, 2 wrong usage or
no service.
`;

/**
 * Reads the arguments of the command.
 *
 * @throws UsageError
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [settings, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`one SETTINGS is expected, not ${positionals.length}`);
  if (settings === undefined && !values.list && !values.help) {
    throw new UsageError('SETTINGS is required: a file, or a folder of credentials');
  }
  return {
    settings,
    url: readUrl('--url', values.url),
    identityProviderUrl: readUrl('--idp-url', values['idp-url']),
    only: values.only,
    concurrency: readNumber('--concurrency', values.concurrency, 1, 64),
    maxWaitSeconds: readNumber('--max-wait', values['max-wait'], 0, 3600),
    timeoutSeconds: readNumber('--timeout', values.timeout, 1, 86_400),
    html: values.html,
    junit: values.junit,
    json: values.json,
    list: values.list,
    help: values.help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        'idp-url': { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        concurrency: { type: 'string', default: '6' },
        'max-wait': { type: 'string', default: '10' },
        timeout: { type: 'string', default: '900' },
        html: { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (/^https?:$/.test(protocol)) return text;
  throw new UsageError(`${name} must be an http or https address, not ${text}`);
}

function readNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not ${text}`);
}
