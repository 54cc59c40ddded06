// Builds the body of a presentation from the options, and checks which options each level takes.
import type { Presentation } from '@landfall/client';
import { keysOf, type PresentationPath } from '@landfall/contract';
import { UsageError } from '../../process/exit.js';
import {
  flagOf,
  membersOf,
  type ReferenceOption,
  readMembers,
  valuesOf,
} from './presentation-members.js';

/** The options that identify what is presented. */
export type ReferenceOptions = Partial<Record<ReferenceOption, string>>;

/**
 * Builds the body. Values are passed unchanged; the service validates them.
 *
 * @throws UsageError when an option is missing or belongs to another level
 * @example
 * buildPresentation('container', { container: 'JARU0000010' }, common);
 * // { requestId: '...', customsOfficeOfPresentation: 'NO351001', containerId: 'JARU0000010' }
 */
export function buildPresentation(
  level: PresentationPath,
  options: ReferenceOptions,
  common: { requestId?: string; customsOfficeOfPresentation: string },
): Presentation {
  checkOptions(level, options);
  // The cast is true because the options of the level have been checked.
  return { ...common, ...readMembers(level, ({ option }) => options[option]) } as Presentation;
}

function checkOptions(level: PresentationPath, options: ReferenceOptions): void {
  const members = membersOf(level);
  const missing = members
    .filter(({ isRequired }) => isRequired)
    .flatMap(({ name }) => valuesOf[name])
    .filter(({ option }) => options[option] === undefined)
    .map(({ option }) => flagOf[option]);
  if (missing.length > 0) throw new UsageError(`present ${level} needs ${missing.join(' and ')}`);
  const allowed = members.flatMap(({ name }) => valuesOf[name].map(({ option }) => option));
  const foreign = keysOf(flagOf)
    .filter((name) => options[name] !== undefined && !allowed.includes(name))
    .map((name) => flagOf[name]);
  if (foreign.length > 0) {
    throw new UsageError(`present ${level} does not take ${foreign.join(' or ')}`);
  }
}
