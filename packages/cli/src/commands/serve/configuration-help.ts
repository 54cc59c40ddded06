// Formats the configuration for the help text: each variable with its description and default.
import type { Option } from '@landfall/service/config';

type Documented = Pick<Option<unknown>, 'variable' | 'description' | 'default'>;

/** The indentation of descriptions, in characters. */
const INDENT = 4;

/** Lists the variables. */
export function configurationHelp(options: Readonly<Record<string, Documented>>): string {
  const lines = Object.values(options).map(({ variable, description, default: value }) => {
    const tail = value === '' ? '' : ` (default: ${value})`;
    return `  ${variable}\n${' '.repeat(INDENT)}${description}${tail}`;
  });
  return ['Configuration by environment variables:', ...lines].join('\n');
}
