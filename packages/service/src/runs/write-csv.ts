// The results of a run as CSV (RFC 4180).
import type { RoutingRunResult } from '@landfall/contract';

type Decision = NonNullable<RoutingRunResult['before']>;

const decision = (name: string, read: (result: RoutingRunResult) => Decision | undefined) => ({
  [`${name}Number`]: (result: RoutingRunResult) => read(result)?.number,
  [`${name}Routing`]: (result: RoutingRunResult) => read(result)?.routing,
  [`${name}ControlLocation`]: (result: RoutingRunResult) => read(result)?.routingControlLocation,
  [`${name}Origin`]: (result: RoutingRunResult) => read(result)?.origin,
  [`${name}DecidedAt`]: (result: RoutingRunResult) => read(result)?.decidedAt,
});

const columns: Readonly<Record<string, (result: RoutingRunResult) => string | number | undefined>> =
  {
    houseConsignmentId: ({ houseConsignmentId }) => houseConsignmentId,
    mrn: ({ entrySummaryDeclarationMRN, houseConsignmentMRN }) =>
      entrySummaryDeclarationMRN ?? houseConsignmentMRN,
    documentNumber: ({ transportDocumentHouseLevel }) =>
      transportDocumentHouseLevel?.documentNumber,
    documentType: ({ transportDocumentHouseLevel }) => transportDocumentHouseLevel?.type,
    status: ({ status }) => status,
    code: ({ code }) => code,
    ...decision('before', ({ before }) => before),
    ...decision('after', ({ after }) => after),
    ...decision('current', ({ current }) => current),
  };

/** A header line, and a line for each result. */
export function writeCsv(results: readonly RoutingRunResult[]): string {
  const reads = Object.values(columns);
  const lines = results.map((result) => reads.map((read) => cell(read(result))).join(','));
  return [Object.keys(columns).join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

/** Programs for spreadsheets take a text that begins with one of these for a formula: it gets an apostrophe. */
const FORMULA = /^[=+\-@]/;

function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
