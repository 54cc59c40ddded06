// What a requirement is: a sentence, its source, and the cases that test it.
import type { OperationId } from '../http/caller.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from './case-context.js';

/** A document and a section of it. */
export type Source = { text: string };

/** Tests one case; throws `NotMetError` if the service does not meet the requirement. */
export type Case = (context: CaseContext) => Promise<void>;

/** A requirement of the contract. */
export type Requirement = {
  /** Stable, such as `PRES-012`. */
  id: string;
  /** One sentence, whose subject is not the suite. */
  sentence: string;
  sources: readonly Source[];
  /** Without one of these identities, no case is tested. */
  needs: readonly Role[];
  cases: Readonly<Record<string, Case>>;
};

/** The requirements of one area. */
export type Area = { name: string; requirements: readonly Requirement[] };

/** The description of an operation in the API reference (`/docs/api/`, `openapi.json`). */
export function api(...operationIds: OperationId[]): Source {
  return { text: `API reference: ${operationIds.join(', ')}` };
}

/** A section of ARCHITECTURE.md. */
export function architecture(section: string): Source {
  return { text: `ARCHITECTURE.md: ${section}` };
}

/** A decision in docs/decisions. */
export function decision(number: number): Source {
  return { text: `Decision ${String(number).padStart(4, '0')}` };
}

/** A section of an RFC. */
export function rfc(number: number, section: string): Source {
  return { text: `RFC ${number}, section ${section}` };
}

/** Another public specification. */
export function standard(text: string): Source {
  return { text };
}

/** The public documentation of the national APIs, whose behaviour the contract follows. */
export function national(subject: string): Source {
  return { text: `Norwegian Customs, API documentation: ${subject}` };
}
