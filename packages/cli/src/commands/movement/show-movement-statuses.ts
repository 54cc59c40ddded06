// Prints the statuses of requests about movement messages.
import type { MovementStatus } from '@landfall/client';
import { incompleteReasons, keysOf, movementSubjectCodes } from '@landfall/contract';
import { type Colours, coloursFor, print, printable, readableTime } from '../../output/output.js';
import type { Column } from '../../output/table.js';

/** The columns, with widths for statuses that are printed one by one. */
export const movementStatusColumns: readonly Column<MovementStatus>[] = [
  { heading: 'requestId', value: ({ requestId }) => requestId, width: 36 },
  { heading: 'status', value: ({ status }) => status, colour: colourOf, width: 7 },
  { heading: 'operation', value: ({ operation }) => operation, width: 9 },
  { heading: 'mode', value: ({ mode }) => mode, width: 8 },
  { heading: 'level', value: ({ level }) => levelOf(level), width: 18 },
  { heading: 'MRN', value: ({ mrn }) => mrn ?? '-', width: 18 },
  { heading: 'when', value: ({ notificationDate }) => readableTime(notificationDate), width: 20 },
];

/** The level as commands and addresses have it. */
function levelOf(code: MovementStatus['level']): string {
  return keysOf(movementSubjectCodes).find((level) => movementSubjectCodes[level] === code) ?? code;
}

/** Prints one status with all its details. */
export function showMovementStatus(status: MovementStatus): void {
  const { requestId, operation, mode, level, mrn, notificationDate } = status;
  print(`${colourOf(status, coloursFor())(status.status)}  ${requestId}`);
  print(`  operation  ${operation}`);
  print(`  message    ${levelOf(level)}, ${mode}`);
  if (mrn !== undefined) print(`  MRN        ${mrn}`);
  print(`  when       ${readableTime(notificationDate)}`);
  for (const line of statusLines(status)) print(`  ${line}`);
}

/** The lines below the row of a status. */
export function statusDetails(status: MovementStatus): string[] {
  return statusLines(status).map((line) => `    ${line}`);
}

/** Each broken rule as `field: error (CODE)`, and each reason why the message is incomplete. */
function statusLines(status: MovementStatus): string[] {
  const { cancelledBy, validationErrorList = [], incompleteDocumentationReasonList = [] } = status;
  return [
    ...(cancelledBy === undefined ? [] : ['cancelled by the customs authority']),
    ...validationErrorList.map(({ description, code, pointer }) =>
      printable(`${pointer.messageElementPath || 'message'}: ${description} (${code})`),
    ),
    ...incompleteDocumentationReasonList.map((reason) =>
      printable(`incomplete: ${incompleteReasons[reason]} (${reason})`),
    ),
  ];
}

function colourOf({ status }: MovementStatus, colours: Colours): (text: string) => string {
  return status === 'SUCCESS' ? colours.green : colours.red;
}
