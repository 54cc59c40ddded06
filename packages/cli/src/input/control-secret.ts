// The control secret of a playground: from LANDFALL_CONTROL_SECRET, or from a file. Not from the command line itself, which
// other users of the machine see.
import { type Command, Option } from 'commander';
import { UsageError } from '../process/exit.js';

const VARIABLE = 'LANDFALL_CONTROL_SECRET';

/** Where the control secret is, if the playground has one. */
export type ControlSecretOptions = { controlSecretFile?: string };

/** Adds `--control-secret-file`. */
export function addControlSecretOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--control-secret-file <file>',
      `file with the control secret of the playground, instead of ${VARIABLE}: whoever has it controls the playground, also from other machines`,
    ).env(`${VARIABLE}_FILE`),
  );
}

/** @throws UsageError when there are two, or the file cannot be read or is open to others */
export async function readControlSecret({
  controlSecretFile = '',
}: ControlSecretOptions): Promise<string | undefined> {
  const text = process.env[VARIABLE] ?? '';
  if (text === '' && controlSecretFile === '') return undefined;
  const { readSecret, SecretError } = await import('@landfall/service');
  return readSecret(VARIABLE, text, controlSecretFile).catch((error: unknown) => {
    throw error instanceof SecretError ? new UsageError(error.message) : error;
  });
}
