// Prints validation statuses.
import type { ValidationStatus } from '@landfall/client';
import type { IdentityOptions } from '../../input/options.js';
import { firstPresentation, nextCommand } from '../../output/next-command.js';
import { type Colours, coloursFor, print, printable, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';

/** The query: the whole list, a filtered part, or the requests that reached a declaration. */
type StatusQuery = IdentityOptions & {
  mrn?: string;
  marker?: string;
  status?: string;
};

/** The columns, with widths for statuses that are printed one by one. */
export const statusColumns: readonly Column<ValidationStatus>[] = [
  { heading: 'requestId', value: ({ requestId }) => requestId, width: 36 },
  { heading: 'status', value: ({ status }) => status, colour: colourOf, width: 7 },
  { heading: 'level', value: ({ level }) => level, width: 25 },
  { heading: 'MRN', value: ({ mrn }) => mrn ?? '-', width: 18 },
  {
    heading: 'office',
    value: ({ customsOfficeOfPresentation: office }) => office ?? '-',
    width: 8,
  },
  { heading: 'consignments', value: ({ houseConsignments }) => String(houseConsignments) },
  { heading: 'when', value: ({ notificationDate }) => readableTime(notificationDate), width: 20 },
];

/** Prints one status with all its details. */
export function showStatus(status: ValidationStatus, options: IdentityOptions): void {
  const colours = coloursFor();
  const { requestId, level, mrn, customsOfficeOfPresentation, houseConsignments } = status;
  print(`${colourOf(status, colours)(status.status)}  ${requestId}`);
  print(`  level         ${level}`);
  if (mrn !== undefined) print(`  MRN           ${mrn}`);
  if (customsOfficeOfPresentation !== undefined) {
    print(`  office        ${printable(customsOfficeOfPresentation)}`);
  }
  print(`  consignments  ${houseConsignments}`);
  print(`  when          ${readableTime(status.notificationDate)}`);
  for (const line of [...errorLines(status), ...ignoredLines(status)]) print(`  ${line}`);
  if (status.status === 'SUCCESS') {
    print(`Next: ${nextCommand(['routing', 'list'], options)}`);
  }
}

/** Prints a list of statuses with the errors of each failure. */
export function showStatuses(statuses: readonly ValidationStatus[], query: StatusQuery): void {
  if (statuses.length === 0) print(emptyText(query));
  else printTable(statusColumns, statuses, detailLines);
}

function emptyText(query: StatusQuery): string {
  const { as: name, mrn, marker, status } = query;
  if (marker !== undefined) return 'No requests after this marker.';
  if (mrn !== undefined) return `No requests of ${name} reached ${printable(mrn)}.`;
  if (status !== undefined) return `No requests of ${name} with status ${status}.`;
  return `No requests of ${name} yet. Try: ${nextCommand(firstPresentation(), query)}`;
}

/** The lines below the row of a status: the errors of a failure, and what was ignored. */
export function detailLines(status: ValidationStatus): string[] {
  return [...errorLines(status), ...ignoredLines(status)].map((line) => `    ${line}`);
}

/** Each error of a failure as `field: error (CODE)`. */
function errorLines({ validationErrorList = [] }: ValidationStatus): string[] {
  return validationErrorList.map(({ description, code, pointer }) =>
    printable(`${pointer.messageElementPath || 'body'}: ${description} (${code})`),
  );
}

/** The members of the body that had no effect. */
function ignoredLines({ ignoredMembers = [] }: ValidationStatus): string[] {
  return ignoredMembers.length === 0
    ? []
    : [printable(`ignored members: ${ignoredMembers.map((name) => name || '""').join(', ')}`)];
}

function colourOf({ status }: ValidationStatus, colours: Colours): (text: string) => string {
  return status === 'SUCCESS' ? colours.green : colours.red;
}
