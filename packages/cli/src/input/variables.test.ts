// Every option with an environment variable, in each command: an empty variable is none, and false is false.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { findSubcommands } from '../program/command-reference.js';
import { makeProgram } from '../program/program.js';
import { runCommand } from '../testing/run-command.js';
import { readVariables } from './variables.js';

/** The command of a program, by the name of the reference. */
function find(program: Command, name: string): Command {
  const found = findSubcommands(program).find((each) => each.name === name);
  assert(found);
  return found.command;
}

/** Values of mandatory options that take neither any text nor one of some. */
const optionValues: Readonly<Record<string, string>> = {
  '--declaration-id': '974760673-10082022-1',
  'document upload --type': 'invoice',
};

/** The options with which a command runs. Nothing is done. */
async function optionsOf(name: string, variable: string, value: string | undefined) {
  const program = makeProgram({ json: true });
  const command = find(program, name);
  let options: object | undefined;
  command.action(() => {
    const given = Object.entries(command.opts());
    options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  });
  const required = command.registeredArguments.filter((argument) => argument.required);
  const given = required.map(({ argChoices }) => argChoices?.[0] ?? '1');
  const mandatory = command.options
    .filter((option) => option.mandatory)
    .flatMap(({ long, argChoices }) => [
      long ?? '',
      argChoices?.[0] ?? optionValues[`${name} ${long}`] ?? optionValues[long ?? ''] ?? '1',
    ]);
  const before = process.env[variable];
  if (value === undefined) delete process.env[variable];
  else process.env[variable] = value;
  try {
    readVariables(program);
    await program.parseAsync([...name.split(' '), ...given, ...mandatory], { from: 'user' });
  } finally {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  }
  assert(options, 'the command did not run');
  return options;
}

let found = 0;
for (const { name, command } of findSubcommands(makeProgram())) {
  for (const option of command.options) {
    const { envVar } = option;
    if (envVar === undefined) continue;
    found += 1;
    test(`landfall ${name}: ${envVar}`, async () => {
      const unset = await optionsOf(name, envVar, undefined);
      assert.deepEqual(await optionsOf(name, envVar, ''), unset);
      if (!option.isBoolean()) return;
      for (const value of ['false', '0']) {
        assert.deepEqual(await optionsOf(name, envVar, value), unset);
      }
      for (const value of ['true', '1']) {
        const on = { ...unset, [option.attributeName()]: true };
        assert.deepEqual(await optionsOf(name, envVar, value), on);
      }
      for (const value of ['no', 'on', ' ']) {
        await assert.rejects(optionsOf(name, envVar, value), {
          code: 'USAGE',
          message: `${envVar} must be true or false, or 1 or 0, not ${JSON.stringify(value)}`,
        });
      }
    });
  }
}

test('variables were found', () => assert(found >= 100, String(found)));

test('a secret is not sent over http because a variable says false', async () => {
  const { code, stderr } = await runCommand(
    'scenario list --url http://customs.example'.split(' '),
    {
      environment: {
        LANDFALL_CONTROL_SECRET: 'a control secret of more than 32 bytes',
        LANDFALL_ALLOW_HTTP: 'false',
        LANDFALL_PROFILE: '',
      },
    },
  );
  assert.equal(code, 2, stderr);
  assert.match(stderr, /over http.*--allow-http/);
});
