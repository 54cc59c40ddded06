// `landfall scenario create`: adds a scenario to a playground.
import {
  MAX_SEED,
  operations,
  readScenario,
  type ScenarioKind,
  scenarioKind,
  scenarioKindNames,
} from '@landfall/contract';
import { Argument, type Command, Option } from 'commander';
import { addControlSecretOption } from '../../input/control-secret.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  readName,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { callPlayground } from '../../service/playground-control.js';
import { addParameterOptions, readParameters, toOption } from './parameter-options.js';

type CreateOptions = IdentityOptions & {
  operation?: string;
  identity?: string;
  reference?: string;
  after?: number;
  percent?: number;
  seed?: number;
  times?: number;
  seconds?: number;
  json?: true;
};

/** Adds the command. */
export function addScenarioCreate(group: Command): void {
  const command = group
    .command('create')
    .description('add a scenario to a playground: what goes wrong from now on')
    .addArgument(new Argument('<kind>', 'what happens').choices(scenarioKindNames));
  addParameterOptions(command)
    .addOption(
      new Option('--operation <name>', 'only requests of this operation').choices(
        Object.keys(operations),
      ),
    )
    .addOption(
      new Option('--identity <name>', 'only requests of this identity').argParser(readName),
    )
    .option(
      '--reference <value>',
      'only requests with this document number, receptacle, container, MRN or requestId',
    )
    .addOption(
      new Option('--after <number>', 'how many requests are left alone first').argParser(
        wholeNumber(1, 1_000_000),
      ),
    )
    .addOption(
      new Option(
        '--percent <number>',
        'on how many of 100 requests it takes effect, by chance',
      ).argParser(wholeNumber(1, 99)),
    )
    .addOption(
      new Option('--seed <number>', 'repeats the chances of another scenario').argParser(
        wholeNumber(0, MAX_SEED),
      ),
    )
    .addOption(
      new Option('--times <number>', 'on how many requests it takes effect').argParser(
        wholeNumber(1, 1_000_000),
      ),
    )
    .addOption(
      new Option('--seconds <number>', "when it ends, by the playground's clock").argParser(
        wholeNumber(1, 999_999_999),
      ),
    );
  addServiceOptions(command, 'authority');
  addControlSecretOption(command);
  addJsonOption(command).addHelpText('after', examples).action(create);
}

const examples = `
What each kind does, and what a client must do: docs/reference/scenarios.md.

Examples:
  $ landfall scenario create lost-response --times 1
  $ landfall scenario create service-unavailable --retry-after 5 --seconds 60 --identity carrier
  $ landfall scenario create late-decision --after-seconds 30`;

async function create(kind: ScenarioKind, options: CreateOptions): Promise<void> {
  const { operation, identity, reference, after, percent, seed, times, seconds } = options;
  const selection = { operation, identity, reference, after, percent, seed, times, seconds };
  const given = Object.entries(selection).filter(([, value]) => value !== undefined);
  const scenario = { kind, ...readParameters(options), ...Object.fromEntries(given) };
  const read = readScenario(scenario);
  if ('errors' in read) {
    throw new UsageError(
      read.errors.map(({ field, error }) => `--${toOption(field)}: ${error}`).join('\n'),
    );
  }
  const created = await callPlayground(options, {
    name: 'scenario create',
    result: 'scenario',
    method: 'POST',
    path: '/scenarios',
    body: scenario,
  });
  if (options.json) return printJson(created);
  print(`Created ${created.kind} ${created.id}.`);
  if (created.seed !== undefined) print(`Seed of its chances: ${created.seed}`);
  print(`What happens: ${scenarioKind(kind).effect}`);
  print(`What a client must do: ${scenarioKind(kind).client}`);
  print(`To delete it: ${nextCommand(['scenario', 'delete', created.id], options)}`);
}
