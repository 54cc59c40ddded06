// The options that filter house consignments, for the commands that list or view them.
import { keysOf, transportDocumentTypeCodes } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../../input/options.js';
import type { ConsignmentFilters } from './find-consignments.js';

/** The option of each filter: a filter of the contract without an option does not compile. */
const optionOf = {
  mrn: 'mrn',
  documentNumber: 'document',
  type: 'type',
  masterDocumentNumber: 'master',
  receptacleId: 'receptacle',
  containerId: 'container',
  organisation: 'organisation',
  state: 'state',
  office: 'office',
  profile: 'routingProfile',
  profileVersion: 'profileVersion',
  profileRule: 'profileRule',
  run: 'run',
  from: 'from',
  to: 'to',
} as const satisfies Record<keyof ConsignmentFilters, string>;

/** Filters, as they are given. */
export type FilterOptions = Partial<
  Record<(typeof optionOf)[keyof typeof optionOf], string | number>
>;

/** Adds the filters that identify a house consignment. */
export function addFilterOptions(command: Command): Command {
  return addIdentifierOptions(command).addOption(
    new Option('--type <code>', 'type of the house document, such as N740').choices([
      ...transportDocumentTypeCodes,
    ]),
  );
}

/** Adds the filters by an identifier. */
export function addIdentifierOptions(command: Command): Command {
  return command
    .option('--mrn <mrn>', 'MRN of the entry summary declaration')
    .option('--document <number>', 'number of the house document')
    .option('--master <number>', 'number of the master document')
    .option('--receptacle <id>', 'receptacle identifier')
    .option('--container <id>', 'container identifier');
}

/** Adds the filters by whoever made the current decision. */
export function addDecisionOptions(command: Command): Command {
  return command
    .option('--routing-profile <name>', 'routing profile that made the current decision')
    .addOption(
      new Option('--profile-version <number>', 'version of that profile').argParser(
        wholeNumber(1, 1_000_000_000),
      ),
    )
    .addOption(
      new Option('--profile-rule <number>', 'rule of that profile, counted from 1').argParser(
        wholeNumber(1, 100),
      ),
    )
    .option('--run <id>', 'routing run that made the current decision');
}

/** Converts options to members of the query. */
export function toFilters(options: FilterOptions): ConsignmentFilters {
  const given = keysOf(optionOf).flatMap((name) => {
    const value = options[optionOf[name]];
    return value === undefined ? [] : [[name, value]];
  });
  // The cast is true of the choices of --type and --state; the service validates the other filters.
  return Object.fromEntries(given) as ConsignmentFilters;
}

/** The words of the filters, to repeat them in the command for the next page. */
export function filterWords(options: FilterOptions): string[] {
  return Object.values(optionOf).flatMap((name) => {
    const value = options[name];
    const option = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    return value === undefined ? [] : [`--${option}`, String(value)];
  });
}

/** Default of `--limit`. */
const DEFAULT_LIMIT = 100;

/** The option `--limit`. */
export function limitOption(): Option {
  return new Option('--limit <number>', 'maximum number of results (1 to 1000000)')
    .argParser(wholeNumber(1, 1_000_000))
    .default(DEFAULT_LIMIT);
}

/** The words of the limit, if it is not the default. */
export function limitWords(limit: number): string[] {
  return limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)];
}
