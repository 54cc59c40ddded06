// Validation statuses for a person.
import type { ValidationStatus } from '@landfall/contract';
import { firstPresentation, nextCommand } from './next-command.js';
import { type Colours, coloursFor, print, printable, readableTime } from './output.js';
import type { StatusOptions } from './status-options.js';
import { type Column, tableLines } from './table.js';

const columns: readonly Column<ValidationStatus>[] = [
  { heading: 'requestId', value: ({ requestId }) => requestId },
  { heading: 'status', value: ({ status }) => status, colour: colourOf },
  { heading: 'level', value: ({ level }) => level },
  { heading: 'MRN', value: ({ mrn }) => mrn ?? '-' },
  { heading: 'office', value: ({ customsOfficeOfPresentation: office }) => office ?? '-' },
  { heading: 'consignments', value: ({ houseConsignments }) => String(houseConsignments) },
  { heading: 'when', value: ({ notificationDate }) => readableTime(notificationDate) },
];

/** Prints one status with all that is known of it. */
export function showStatus(status: ValidationStatus, options: StatusOptions): void {
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
  for (const line of errorLines(status)) print(`  ${line}`);
  if (status.status === 'SUCCESS') {
    print(`Next: ${nextCommand(['routing', '--as', options.as], options)}`);
  }
}

/** Prints a list of statuses, each failure with its errors, and how to go on. */
export function showStatuses(
  statuses: readonly ValidationStatus[],
  { reference, more, ...options }: StatusOptions & { reference: string | undefined; more: boolean },
): void {
  const last = statuses.at(-1);
  if (last === undefined) {
    print(emptyText(reference, options));
    return;
  }
  const [heading = '', ...rows] = tableLines(columns, statuses, coloursFor());
  print(heading);
  for (const [place, status] of statuses.entries()) {
    print(rows[place] ?? '');
    for (const line of errorLines(status)) print(`    ${line}`);
  }
  if (more) {
    const words = ['status', ...(reference === undefined ? [] : [reference]), '--as', options.as];
    const filter = options.status === undefined ? [] : ['--status', options.status];
    const limit = options.limit === undefined ? [] : ['--limit', String(options.limit)];
    const page = [...words, ...filter, ...limit, '--marker', last.requestId];
    print(`There may be more: ${nextCommand(page, options)}`);
  }
}

function emptyText(reference: string | undefined, options: StatusOptions): string {
  if (reference !== undefined) {
    return `No request of ${options.as} has reached ${printable(reference)}.`;
  }
  if ((options.marker ?? options.status) !== undefined) return 'No request is like that.';
  return `${options.as} has presented nothing yet. Try: ${nextCommand(firstPresentation(options.as), options)}`;
}

/** Each broken rule of a failure as `field: error (CODE)`. */
function errorLines({ validationErrorList = [] }: ValidationStatus): string[] {
  return validationErrorList.map(({ description, code, pointer }) =>
    printable(`${pointer.messageElementPath || 'body'}: ${description} (${code})`),
  );
}

function colourOf({ status }: ValidationStatus, colours: Colours): (text: string) => string {
  return status === 'SUCCESS' ? colours.green : colours.red;
}
