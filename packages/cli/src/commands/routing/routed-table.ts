// House consignments that have their routing, as a table.
import { type HouseReference, mrnOf, type RoutedDocument } from '@landfall/client';
import type { Column } from '../../output/table.js';

/** A document that was waited for. */
export type RoutedReference = RoutedDocument<HouseReference>;

/** The columns. Their widths fit most values when documents are printed one by one. */
export const routedColumns: readonly Column<RoutedReference>[] = [
  {
    heading: 'document',
    value: ({ item }) => item.transportDocumentHouseLevel.documentNumber,
    width: 16,
  },
  { heading: 'type', value: ({ item }) => item.transportDocumentHouseLevel.type },
  {
    heading: 'MRN',
    value: ({ item, signal }) => (signal && mrnOf(signal)) ?? item.mrn ?? '-',
    width: 18,
  },
  {
    heading: 'routing',
    value: ({ routing, routingControlLocation: location }) =>
      location === undefined ? routing : `${routing} (${location})`,
    // Highlighted: these goods must not be released.
    colour: ({ routing }, colours) =>
      routing === 'TO_ENTRY' ? colours.green : (text) => colours.bgYellow(colours.black(text)),
    width: 24,
  },
];
