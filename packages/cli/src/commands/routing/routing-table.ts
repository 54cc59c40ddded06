// Routing signals as a table.
import { mrnOf, type RoutingSignal } from '@landfall/client';
import { readableTime } from '../../output/output.js';
import type { Column } from '../../output/table.js';

/** The columns. Their widths fit most values when signals are printed one by one. */
export const routingColumns: readonly Column<RoutingSignal>[] = [
  {
    heading: 'document',
    value: ({ transportDocumentHouseLevel: document }) => document.documentNumber,
    width: 16,
  },
  { heading: 'type', value: ({ transportDocumentHouseLevel: document }) => document.type },
  { heading: 'MRN', value: mrnOf, width: 18 },
  {
    heading: 'receptacle, containers',
    value: ({ receptacleId, containerId = [] }) =>
      [receptacleId, ...containerId].filter((id) => id !== undefined).join(' ') || '-',
    width: 29,
  },
  {
    heading: 'routing',
    value: ({ routingResult: { routing, routingControlLocation: location } }) =>
      location === undefined ? routing : `${routing} (${location})`,
    // Highlighted: these goods must not be released.
    colour: ({ routingResult }, colours) =>
      routingResult.routing === 'TO_ENTRY'
        ? colours.green
        : (text) => colours.bgYellow(colours.black(text)),
    width: 24,
  },
  {
    heading: 'issued',
    value: ({ routingResult }) => readableTime(routingResult.documentIssueDate),
    width: 20,
  },
  { heading: 'id', value: ({ routingResult }) => routingResult.id, width: 36 },
];
