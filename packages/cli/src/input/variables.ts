// The environment variables of options. An empty one is none: `${NAME:-}` in a Compose file gives those.
import type { Command } from 'commander';
import { UsageError } from '../process/exit.js';

/**
 * Makes all commands of a program take an empty variable as none, and the variable of a flag as true or false. For
 * Commander, an empty one is a value, and a flag is on whatever its variable says.
 */
export function readVariables(program: Command, environment = process.env): Command {
  removeEmptyVariables(program, environment);
  return program.hook('preAction', (_, command) => readFlagVariables(command, environment));
}

function removeEmptyVariables(program: Command, environment: NodeJS.ProcessEnv): void {
  for (const { envVar } of program.options) {
    if (envVar !== undefined && environment[envVar] === '') delete environment[envVar];
  }
  for (const command of program.commands) removeEmptyVariables(command, environment);
}

function readFlagVariables(command: Command, environment: NodeJS.ProcessEnv): void {
  for (const option of command.options) {
    const { envVar } = option;
    const name = option.attributeName();
    if (envVar === undefined || !option.isBoolean()) continue;
    if (command.getOptionValueSource(name) !== 'env') continue;
    if (!isOn(envVar, environment[envVar])) {
      command.setOptionValueWithSource(name, option.defaultValue, 'default');
    }
  }
}

function isOn(variable: string, value = ''): boolean {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0' || value === '') return false;
  throw new UsageError(
    `${variable} must be true or false, or 1 or 0, not ${JSON.stringify(value)}`,
  );
}
