// `landfall authority profile`: manages routing profiles, for authorities without a risk engine.
import {
  AppliedRoutingProfile,
  compileCheck,
  DryRun,
  operations,
  StoredRoutingProfile,
} from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession } from '../../http/credentials.js';
import { readText } from '../../http/reach-service.js';
import { readMessage, readMessages } from '../../http/read-message.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { readFileOrInput } from '../../input/read-file.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, readableTime } from '../../output/output.js';
import { withProgress } from '../../output/progress.js';
import { type Column, tableLines } from '../../output/table.js';

type Options = IdentityOptions & { json?: true };
type DryRunOptions = Options & { version?: number; limit?: number };

const jsonHeaders = { 'Content-Type': 'application/json' };
const checkStored = () => compileCheck<StoredRoutingProfile>(StoredRoutingProfile);
const versionNumber = wholeNumber(1, 1_000_000);

/** Adds the commands. */
export function addAuthorityProfile(group: Command): void {
  const profile = group
    .command('profile')
    .description('routing profiles: rules that decide consignments without a decision')
    .addHelpText('after', examples);
  const subcommand = (name: string, description: string) =>
    addJsonOption(
      addIdentityOptions(profile.command(name).description(description), {
        defaultName: 'authority',
      }),
    );
  subcommand('put', 'store a new version of a profile; it has no effect until it is activated')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .argument('<file>', 'the profile as JSON; - reads stdin')
    .addHelpText('after', putExample)
    .action(put);
  subcommand('list', 'list all versions of all profiles').action(list);
  subcommand(
    'dry-run',
    'show what a version would decide for stored consignments, without deciding',
  )
    .argument('<name>')
    .option('--version <number>', 'version (default: latest)', versionNumber)
    .option(
      '--limit <number>',
      'how many of the latest house consignments to examine (default: 100000)',
      wholeNumber(1, 1_000_000),
    )
    .action(dryRun);
  subcommand('activate', 'make a version decide new pre-notifications that have no decision')
    .argument('<name>')
    .argument('<version>', 'version number', versionNumber)
    .action(activate);
  subcommand('deactivate', 'deactivate the live profile; existing decisions remain').action(
    deactivate,
  );
  subcommand('apply', 'decide undecided consignments with the live profile').action(apply);
}

const examples = `
Examples:
  $ landfall authority profile put random-control profile.json
  $ landfall authority profile dry-run random-control
  $ landfall authority profile activate random-control 1
  $ landfall authority profile apply`;

const putExample = `
An example profile; the first matching rule decides:
  { "salt": "2026-47", "rules": [
    { "name": "parcels from overseas", "when": { "transportDocumentType": ["N750"], "originCountry": ["US", "CN"] },
      "share": 0.1, "routing": "TO_CONTROL", "routingControlLocation": "ON_ENTRY" },
    { "name": "random control", "share": 0.01, "routing": "TO_CONTROL" },
    { "name": "all others", "routing": "TO_ENTRY" } ] }

A share is selected by SHA-256 of salt, rule and house consignment id, so that it can be reproduced.`;

async function put(name: string, file: string, options: Options): Promise<void> {
  const session = await openSession(options);
  const { operationId, ...operation } = operations.putRoutingProfile;
  const response = await callService(session, operation, {
    parameters: { name },
    headers: jsonHeaders,
    body: await readFileOrInput(file),
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const { version, rules } = readMessage(text, checkStored(), operationId);
  print(`Stored ${name} version ${version} with ${counted(rules.length, 'rule')}.`);
  print(`Next: ${nextCommand(['authority', 'profile', 'dry-run', name], options)}`);
}

const columns: Column<StoredRoutingProfile>[] = [
  { heading: 'name', value: ({ name }) => name },
  { heading: 'version', value: ({ version }) => String(version) },
  { heading: 'rules', value: ({ rules }) => String(rules.length) },
  { heading: 'created', value: ({ createdAt }) => readableTime(createdAt) },
  {
    heading: 'live since',
    value: ({ liveSince }) => (liveSince === undefined ? '-' : readableTime(liveSince)),
    colour: ({ live }, colours) => (live ? colours.green : String),
  },
];

async function list(options: Options): Promise<void> {
  const session = await openSession(options);
  const { operationId, ...operation } = operations.listRoutingProfiles;
  const text = await readText(await callService(session, operation));
  if (options.json) return print(text);
  const profiles = readMessages(text, checkStored(), operationId);
  if (profiles.length === 0) {
    const help = nextCommand(['authority', 'profile', 'put', '--help'], options);
    return print(`No routing profiles yet. Try: ${help}`);
  }
  for (const line of tableLines(columns, profiles, coloursFor())) print(line);
}

const ruleColumns: Column<DryRun['rules'][number]>[] = [
  { heading: 'rule', value: ({ rule }) => String(rule) },
  { heading: 'name', value: ({ name }) => name },
  { heading: 'matches', value: ({ held }) => String(held) },
  { heading: 'decides', value: ({ decided }) => String(decided) },
  {
    heading: 'example',
    value: ({ examples: [first] }) =>
      first === undefined ? '-' : first.transportDocumentHouseLevel.documentNumber,
  },
];

async function dryRun(name: string, options: DryRunOptions): Promise<void> {
  const session = await openSession(options);
  const { operationId, ...operation } = operations.dryRunRoutingProfile;
  const { version, limit } = options;
  const response = await callService(session, operation, {
    parameters: { name },
    headers: jsonHeaders,
    body: JSON.stringify({ version, limit }),
    // A million house consignments take longer than other requests.
    wait: 120,
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const run = readMessage(text, compileCheck<DryRun>(DryRun), operationId);
  for (const line of tableLines(ruleColumns, run.rules, coloursFor())) print(line);
  const { same, otherwise, new: undecided } = run.comparison;
  print('');
  print(
    `${name} version ${run.version}, examined ${counted(run.examined, 'house consignment')}: ${run.undecided} match no rule. Compared with current decisions: ${same} same, ${otherwise} different, ${undecided} not decided yet.`,
  );
  const words = ['authority', 'profile', 'activate', name, String(run.version)];
  print(`No decisions were recorded. Next: ${nextCommand(words, options)}`);
}

async function activate(name: string, version: number, options: Options): Promise<void> {
  const session = await openSession(options);
  const { operationId, ...operation } = operations.activateRoutingProfile;
  const response = await callService(session, operation, {
    headers: jsonHeaders,
    body: JSON.stringify({ name, version }),
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const { liveSince = '' } = readMessage(text, checkStored(), operationId);
  print(`${name} version ${version} is live since ${readableTime(liveSince)}.`);
  const words = ['authority', 'profile', 'apply'];
  print(
    `Consignments pre-notified earlier remain undecided. To decide them: ${nextCommand(words, options)}`,
  );
}

async function deactivate(options: Options): Promise<void> {
  const session = await openSession(options);
  await callService(session, operations.deactivateRoutingProfile);
  if (!options.json) print('No routing profile is live.');
}

/** Applies the profile page by page to show progress. */
async function apply(options: Options): Promise<void> {
  const session = await openSession(options);
  const { operationId, ...operation } = operations.applyRoutingProfile;
  const check = compileCheck<AppliedRoutingProfile>(AppliedRoutingProfile);
  const sum = { examined: 0, decided: 0, signals: 0 };
  const line = () => `${sum.decided} decided of ${sum.examined} undecided`;
  await withProgress(line, async ({ clear }) => {
    let marker: string | undefined;
    do {
      const response = await callService(session, operation, { query: { marker }, wait: 120 });
      const text = await readText(response);
      const applied = readMessage(text, check, operationId);
      if (options.json) {
        clear();
        print(text);
      }
      sum.examined += applied.examined;
      sum.decided += applied.decided;
      sum.signals += applied.signals;
      marker = applied.marker;
    } while (marker !== undefined);
  });
  if (options.json) return;
  print(
    `${sum.decided} decided of ${counted(sum.examined, 'undecided house consignment')}; ${counted(sum.signals, 'signal')} issued.`,
  );
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
