// The option that names a customs declaration.
import { isDeclarationId } from '@landfall/contract';
import { InvalidArgumentError, Option } from 'commander';

/** The option `--declaration-id`, which is required. */
export function declarationOption(): Option {
  return new Option(
    '--declaration-id <id>',
    'customs declaration: declarant, date (DDMMYYYY) and sequence number, such as 974760673-10082022-1',
  )
    .argParser(readDeclarationId)
    .makeOptionMandatory();
}

function readDeclarationId(text: string): string {
  if (isDeclarationId(text)) return text;
  throw new InvalidArgumentError(
    'It has the declarant (9 to 11 digits), a date that exists (DDMMYYYY) and the sequence number (1 to 6 digits), such as 974760673-10082022-1.',
  );
}
