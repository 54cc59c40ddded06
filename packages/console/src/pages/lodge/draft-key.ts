// Under which name what was typed into the form is kept.
import type { Subject } from './use-lodging.js';

/** @param version of the message that is replaced: what was typed about another one is not kept for it */
export function draftKey({ mode, level, mrn = '' }: Subject, version = ''): string {
  return `lodge ${mode} ${level} ${mrn} ${version}`;
}
