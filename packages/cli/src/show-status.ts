// Validation statuses for a person.
import type { ValidationStatus } from '@landfall/contract';
import type { IdentityOptions } from './identity-options.js';
import { firstPresentation, nextCommand } from './next-command.js';
import { type Colours, coloursFor, print, printable, readableTime } from './output.js';
import { type Column, tableLines } from './table.js';

/** What was asked for: the whole list, a part of it, or what reached a declaration. */
type Asked = IdentityOptions & {
  reference?: string | undefined;
  limit?: number;
  marker?: string;
  status?: string;
};

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
  for (const line of errorLines(status)) print(`  ${line}`);
  if (status.status === 'SUCCESS') {
    print(`Next: ${nextCommand(['routing', '--as', options.as], options)}`);
  }
}

/** Prints a list of statuses, each failure with its errors, and how to go on. */
export function showStatuses(
  statuses: readonly ValidationStatus[],
  { more, ...asked }: Asked & { more: boolean },
): void {
  const last = statuses.at(-1);
  if (last === undefined) {
    print(emptyText(asked));
    return;
  }
  const [heading = '', ...rows] = tableLines(columns, statuses, coloursFor());
  print(heading);
  for (const [place, status] of statuses.entries()) {
    print(rows[place] ?? '');
    for (const line of errorLines(status)) print(`    ${line}`);
  }
  if (more) print(`There may be more: ${nextPage(last, asked)}`);
}

function nextPage({ requestId }: ValidationStatus, asked: Asked): string {
  const { as: name, reference, status, limit } = asked;
  const words = ['status', ...(reference === undefined ? [] : [reference]), '--as', name];
  if (status !== undefined) words.push('--status', status);
  if (limit !== undefined) words.push('--limit', String(limit));
  return nextCommand([...words, '--marker', requestId], asked);
}

function emptyText(asked: Asked): string {
  const { as: name, reference, marker, status } = asked;
  if (marker !== undefined) return 'There is nothing after this marker.';
  if (reference !== undefined) {
    return `No request of ${name} has reached ${printable(reference)}.`;
  }
  if (status !== undefined) return `No request of ${name} has the status ${status}.`;
  return `${name} has presented nothing yet. Try: ${nextCommand(firstPresentation(name), asked)}`;
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
