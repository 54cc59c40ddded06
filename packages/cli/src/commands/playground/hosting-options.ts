// The options of a hosted playground on the command line: one for each of its options, from their schema.
import { HostingOptions } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../../input/options.js';
import { UsageError } from '../../process/exit.js';

/** `resetHour` is `--reset-hour`. */
const flagOf = (name: string) =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const members = Object.entries(HostingOptions.properties).map(([name, schema]) => {
  // The cast is true because every member is a whole number with these.
  const { minimum, maximum, description, ...others } = schema as unknown as {
    minimum: number;
    maximum: number;
    description: string;
    default: number;
  };
  return { name, minimum, maximum, description, default: others.default };
});

/** Adds `--hosted` and its options. */
export function addHostingOptions(command: Command): void {
  command
    .option(
      '--hosted',
      'a test environment for many: everybody signs up for a space of their own in the console; it needs a control secret',
    )
    .addOption(
      new Option('--max-spaces <number>', 'how many spaces there may be (default: 100)').argParser(
        wholeNumber(1, 1000),
      ),
    );
  for (const { name, minimum, maximum, description, default: value } of members) {
    command.addOption(
      new Option(
        `${flagOf(name)} <number>`,
        `${description} (with --hosted; default: ${value})`,
      ).argParser(wholeNumber(minimum, maximum)),
    );
  }
}

/**
 * What was given of them.
 *
 * @throws UsageError for one without `--hosted`
 */
export function readHostingOptions(given: Record<string, unknown>): {
  hosted?: Partial<HostingOptions>;
  maxSpaces?: number;
} {
  const chosen = members.filter(({ name }) => given[name] !== undefined);
  const [first] = chosen;
  if (given.hosted !== true && first !== undefined) {
    throw new UsageError(`${flagOf(first.name)} is for a hosted playground: give --hosted too`);
  }
  return {
    ...(given.hosted === true && {
      hosted: Object.fromEntries(chosen.map(({ name }) => [name, given[name]])),
    }),
    ...(typeof given.maxSpaces === 'number' && { maxSpaces: given.maxSpaces }),
  };
}
