// `landfall authority profile`: routing profiles, for authorities that have no risk engine.
import {
  AppliedRoutingProfile,
  compileCheck,
  DryRun,
  operations,
  StoredRoutingProfile,
} from '@landfall/contract';
import type { Command } from 'commander';
import { callService } from './call-service.js';
import { openSession } from './credentials.js';
import {
  addIdentityOptions,
  addJsonOption,
  type IdentityOptions,
  wholeNumber,
} from './identity-options.js';
import { nextCommand } from './next-command.js';
import { coloursFor, print, readableTime } from './output.js';
import { withProgress } from './progress.js';
import { readText } from './reach-service.js';
import { readFileOrInput } from './read-file.js';
import { readMessage, readMessages } from './read-message.js';
import { type Column, tableLines } from './table.js';

type Options = IdentityOptions & { json?: true };
type DryRunOptions = Options & { version?: number; limit?: number };

const jsonHeaders = { 'Content-Type': 'application/json' };
const checkStored = () => compileCheck<StoredRoutingProfile>(StoredRoutingProfile);
const versionNumber = wholeNumber(1, 1_000_000);

/** Adds the verbs. */
export function addAuthorityProfile(group: Command): void {
  const profile = group
    .command('profile')
    .description('routing profiles: rules that decide what nobody else has decided')
    .addHelpText('after', examples);
  const verb = (name: string, description: string) =>
    addJsonOption(
      addIdentityOptions(profile.command(name).description(description), {
        defaultName: 'authority',
      }),
    );
  verb('put', 'keep a new version of a profile; it decides nothing until it is activated')
    .argument('<name>', 'small letters, digits and hyphens')
    .argument('<file>', 'the profile as JSON; - is stdin')
    .addHelpText('after', putExample)
    .action(put);
  verb('list', 'list all versions of all profiles').action(list);
  verb('dry-run', 'tell what a version would decide of what is stored; nothing is decided')
    .argument('<name>')
    .option('--version <number>', 'which version (default: the latest)', versionNumber)
    .option(
      '--limit <number>',
      'of the house consignments that were pre-notified last (default: 100000)',
      wholeNumber(1, 1_000_000),
    )
    .action(dryRun);
  verb('activate', 'have a version decide what is pre-notified without a decision from now on')
    .argument('<name>')
    .argument('<version>', 'its number', versionNumber)
    .action(activate);
  verb('deactivate', 'have no profile decide any more; what was decided stands').action(deactivate);
  verb('apply', 'have the live profile decide what is undecided').action(apply);
}

const examples = `
Examples:
  $ landfall authority profile put random-control profile.json
  $ landfall authority profile dry-run random-control
  $ landfall authority profile activate random-control 1
  $ landfall authority profile apply`;

const putExample = `
A profile; the first rule that holds decides:
  { "salt": "2026-47", "rules": [
    { "name": "parcels from overseas", "when": { "transportDocumentType": ["N750"], "originCountry": ["US", "CN"] },
      "share": 0.1, "routing": "TO_CONTROL", "routingControlLocation": "ON_ENTRY" },
    { "name": "random control", "share": 0.01, "routing": "TO_CONTROL" },
    { "name": "all others", "routing": "TO_ENTRY" } ] }

A share is chosen by SHA-256 of salt, rule and the id of the house consignment, so that it can be checked again.`;

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
  print(`${name} version ${version} is kept, with ${counted(rules.length, 'rule')}.`);
  print(`Next: ${nextCommand(['authority', 'profile', 'dry-run', name], options)}`);
}

const columns: Column<StoredRoutingProfile>[] = [
  { heading: 'name', value: ({ name }) => name },
  { heading: 'version', value: ({ version }) => String(version) },
  { heading: 'rules', value: ({ rules }) => String(rules.length) },
  { heading: 'made', value: ({ createdAt }) => readableTime(createdAt) },
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
    return print(`There are no routing profiles yet. Try: ${help}`);
  }
  for (const line of tableLines(columns, profiles, coloursFor())) print(line);
}

const ruleColumns: Column<DryRun['rules'][number]>[] = [
  { heading: 'rule', value: ({ rule }) => String(rule) },
  { heading: 'name', value: ({ name }) => name },
  { heading: 'holds for', value: ({ held }) => String(held) },
  { heading: 'decides', value: ({ decided }) => String(decided) },
  {
    heading: 'for example',
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
    // A million house consignments take longer than other answers.
    wait: 120,
  });
  const text = await readText(response);
  if (options.json) return print(text);
  const run = readMessage(text, compileCheck<DryRun>(DryRun), operationId);
  for (const line of tableLines(ruleColumns, run.rules, coloursFor())) print(line);
  const { same, otherwise, new: undecided } = run.comparison;
  print('');
  print(
    `${name} version ${run.version}, tried on ${counted(run.examined, 'house consignment')}: no rule holds for ${run.undecided}. Beside what stands: ${same} the same, ${otherwise} otherwise, ${undecided} not decided yet.`,
  );
  const words = ['authority', 'profile', 'activate', name, String(run.version)];
  print(`Nothing was decided. Next: ${nextCommand(words, options)}`);
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
  print(`What was undecided before stays so. To decide it: ${nextCommand(words, options)}`);
}

async function deactivate(options: Options): Promise<void> {
  const session = await openSession(options);
  await callService(session, operations.deactivateRoutingProfile);
  if (!options.json) print('No routing profile is live.');
}

/** Page by page, so that progress can be shown. */
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
