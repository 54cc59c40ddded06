// Builds the body of a presentation from the options, and checks which options each level takes.
import type { Presentation } from '@landfall/client';
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import { UsageError } from '../../process/exit.js';

/** The options that identify what is presented. */
export type ReferenceOptions = {
  document?: string;
  masterDocument?: string;
  type?: string;
  container?: string;
  receptacle?: string;
  mrn?: string;
};

type ReferenceOption = keyof ReferenceOptions;

/** The required and optional options of each level. */
const optionsOfLevel: Record<
  PresentationPath,
  { required: readonly ReferenceOption[]; allowed: readonly ReferenceOption[] }
> = {
  'house-consignment': { required: ['document', 'type'], allowed: ['mrn'] },
  'master-consignment': { required: ['masterDocument', 'type'], allowed: ['mrn'] },
  container: { required: ['container'], allowed: [] },
  receptacle: { required: ['receptacle'], allowed: [] },
  'entry-summary-declaration': { required: ['mrn'], allowed: [] },
};

const flagOf: Record<ReferenceOption, string> = {
  document: '--document',
  masterDocument: '--master-document',
  type: '--type',
  container: '--container',
  receptacle: '--receptacle',
  mrn: '--mrn',
};

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
  const { document, masterDocument, type, container, receptacle, mrn } = options;
  const documentNumber = document ?? masterDocument;
  const reference =
    documentNumber === undefined ? (container ?? receptacle) : { documentNumber, type };
  // The cast is true because the options of the level have been checked.
  return {
    ...common,
    ...(reference === undefined ? {} : { [presentationLevels[level].reference]: reference }),
    ...(mrn === undefined ? {} : { mrn }),
  } as Presentation;
}

function checkOptions(level: PresentationPath, options: ReferenceOptions): void {
  const { required, allowed } = optionsOfLevel[level];
  const missing = required.filter((name) => options[name] === undefined);
  if (missing.length > 0) {
    throw new UsageError(
      `present ${level} needs ${missing.map((name) => flagOf[name]).join(' and ')}`,
    );
  }
  // The cast is true because the table has exactly the names of the options.
  const foreign = (Object.keys(flagOf) as ReferenceOption[]).filter(
    (name) => options[name] !== undefined && ![...required, ...allowed].includes(name),
  );
  if (foreign.length > 0) {
    throw new UsageError(
      `present ${level} does not take ${foreign.map((name) => flagOf[name]).join(' or ')}`,
    );
  }
}
