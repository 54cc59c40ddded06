// The same presentation from the user's own program: with curl, the client library and the command.
import type { Presentation, PresentationLevel } from '@landfall/client';
import {
  type CallerOptions,
  callerOptions,
  credentialsFile,
  quote,
  tokenLine,
} from '../../playground/command-line.js';
import {
  type FieldName,
  type FormValues,
  LEVEL_NAMES,
  levels,
  readEntered,
} from './presentation-form.js';

/** What differs between the levels. */
const names: Record<PresentationLevel, { path: string; method: string }> = {
  HOUSE_CONSIGNMENT: { path: 'house-consignment', method: 'presentHouseConsignment' },
  MASTER_CONSIGNMENT: { path: 'master-consignment', method: 'presentMasterConsignment' },
  CONTAINER: { path: 'container', method: 'presentContainer' },
  RECEPTACLE: { path: 'receptacle', method: 'presentReceptacle' },
  ENTRY_SUMMARY_DECLARATION: {
    path: 'entry-summary-declaration',
    method: 'presentEntrySummaryDeclaration',
  },
};

const commandOptions: Record<FieldName, string> = {
  documentNumber: '--document',
  masterDocumentNumber: '--master-document',
  type: '--type',
  containerId: '--container',
  receptacleId: '--receptacle',
  mrn: '--mrn',
  office: '--office',
};

/** The address of the operation, from the root of the service. */
export function pathOf(level: PresentationLevel): string {
  return `/api/movement/presentation/v1/${names[level].path}`;
}

/** The level whose goods a request presents; `undefined` if it presents none. */
export function levelOf(method: string, url: string): PresentationLevel | undefined {
  if (method !== 'POST') return undefined;
  const path = url.split('?', 1)[0] ?? '';
  // A space of a playground has the same addresses below its own.
  return LEVEL_NAMES.find((level) => path.endsWith(pathOf(level)));
}

/** As curl sends it, with a token that the command gets. */
export function asCurl(
  level: PresentationLevel,
  presentation: Presentation,
  { baseUrl, ...caller }: CallerOptions & { baseUrl: string },
): string {
  return [
    tokenLine(caller),
    `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d ${quote(JSON.stringify(presentation))} \\`,
    `  ${quote(baseUrl + pathOf(level))}`,
  ].join('\n');
}

/** As a program sends it with the client library, which makes the requestId. */
export function asProgram(
  level: PresentationLevel,
  { requestId: _, ...presentation }: Presentation,
  caller: CallerOptions,
): string {
  return [
    "import { Landfall } from '@landfall/client';",
    "import { readCredentials } from '@landfall/client/node';",
    '',
    `const credentials = await readCredentials(${JSON.stringify(credentialsFile(caller))});`,
    'const landfall = new Landfall(credentials);',
    `await landfall.${names[level].method}(${JSON.stringify(presentation, null, 2)});`,
  ].join('\n');
}

/** As the command sends it. */
export function asCommand(entered: FormValues, caller: CallerOptions): string {
  const values = readEntered(entered);
  const { level } = values;
  const given = levels[level].fields.flatMap((field) =>
    values[field] === '' ? [] : [`${commandOptions[field]} ${quote(values[field])}`],
  );
  return [`npx landfall present ${names[level].path}`, callerOptions(caller), ...given].join(' ');
}
