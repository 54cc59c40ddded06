// `landfall routing-profile create`: stores a new version of a profile.
import type { RoutingProfile } from '@landfall/client';
import type { Command } from 'commander';
import { readFileOrInput } from '../../input/read-file.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import {
  addRoutingProfileCommand,
  counted,
  type RoutingProfileOptions,
} from './routing-profile.js';

/** Adds the command. */
export function addRoutingProfileCreate(group: Command): void {
  addRoutingProfileCommand(
    group,
    'create',
    'store a new version of a profile; it has no effect until it is activated',
  )
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .argument('<file>', 'the profile as JSON; - reads stdin')
    .addHelpText('after', examples)
    .action(create);
}

const examples = `
Examples:
  $ landfall routing-profile create random-control profile.json

An example profile; the first matching rule decides:
  { "salt": "2026-47", "rules": [
    { "name": "parcels from overseas", "when": { "transportDocumentType": ["N750"], "originCountry": ["US", "CN"] },
      "share": 0.1, "routing": "TO_CONTROL", "routingControlLocation": "ON_ENTRY" },
    { "name": "random control", "share": 0.01, "routing": "TO_CONTROL" },
    { "name": "all others", "routing": "TO_ENTRY" } ] }

A share is selected by SHA-256 of salt, rule and house consignment id, so that it can be reproduced.`;

async function create(name: string, file: string, options: RoutingProfileOptions): Promise<void> {
  const { client } = await openService(options);
  const stored = await client.putRoutingProfile(
    name,
    parseProfile(await readFileOrInput(file), file),
  );
  if (options.json) return printJson(stored);
  const { version, rules } = stored;
  print(`Stored ${name} version ${version} with ${counted(rules.length, 'rule')}.`);
  print(`Next: ${nextCommand(['routing-profile', 'dry-run', name], options)}`);
}

function parseProfile(text: string, file: string): RoutingProfile {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new UsageError(`${file === '-' ? 'standard input' : file} is not JSON: ${reason}`);
  }
}
