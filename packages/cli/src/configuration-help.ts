// The configuration as help: each variable with what it means and what it is when it is not set.
import type { Option } from '@landfall/service/config';

type Documented = Pick<Option<unknown>, 'variable' | 'description' | 'standard'>;

/** Where descriptions begin, in characters. */
const INDENT = 4;

/** The lines that list the variables. */
export function configurationHelp(options: Readonly<Record<string, Documented>>): string {
  const lines = Object.values(options).map(({ variable, description, standard }) => {
    const tail = standard === '' ? '' : ` (default: ${standard})`;
    return `  ${variable}\n${' '.repeat(INDENT)}${description}${tail}`;
  });
  return ['Configuration, from the environment:', ...lines].join('\n');
}
