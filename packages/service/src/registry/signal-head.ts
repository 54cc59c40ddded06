// The signal head of a house consignment: the text of its routing signals up to the routing result.
import {
  keysOf,
  type PreNotifiedHouseConsignment,
  type TransportDocument,
} from '@landfall/contract';
import type { DeclarationMembers } from './read-incoming.js';

/** Members of a declaration that the signals of its house consignments contain. */
type SignalMembers = Pick<
  DeclarationMembers,
  'mrn' | 'kind' | 'estimatedTimeOfArrival' | 'activeBorderTransportMeans'
>;

/**
 * Renders the head as JSON text without the closing brace. It is stored with the house consignment, so that issuing a
 * signal serialises nothing. It contains everything that is registered of the consignment except its subheadings and
 * routing: two consignments are equal in the rest exactly if their heads are equal.
 */
export function renderSignalHead(
  { mrn, kind, estimatedTimeOfArrival, activeBorderTransportMeans: means }: SignalMembers,
  house: PreNotifiedHouseConsignment,
): string {
  const { documentNumber, type } = house.transportDocumentHouseLevel;
  const { transportDocumentMasterLevel: master, containerId } = house;
  const signal = {
    entrySummaryDeclarationMRN: kind === undefined ? mrn : undefined,
    houseConsignmentMRN: kind === 'HOUSE' ? mrn : undefined,
    receptacleId: house.receptacleId,
    transportDocumentHouseLevel: { documentNumber, referenceNumber: documentNumber, type },
    transportDocumentMasterLevel: master && onlyDocument(master),
    containerId: containerId?.length === 0 ? undefined : containerId,
    estimatedTimeOfArrival,
    activeBorderTransportMeans: means && {
      identificationNumber: means.identificationNumber,
      typeOfIdentification: means.typeOfIdentification,
    },
  };
  return JSON.stringify(signal).slice(0, -1);
}

/** The same head for a declaration whose members have changed. */
export function updateSignalHead(head: string, declaration: SignalMembers): string {
  return renderSignalHead(declaration, parseSignalHead(head));
}

/**
 * Which members of a house consignment differ from those in a head.
 *
 * @param spellingOf what of a document number is compared
 */
export function compareWithHead(
  head: string,
  house: PreNotifiedHouseConsignment,
  spellingOf: (documentNumber: string) => string,
): string[] {
  const existing = parseSignalHead(head);
  const spell = ({ documentNumber, type }: TransportDocument) => ({
    documentNumber: spellingOf(documentNumber),
    type,
  });
  const textOf = {
    transportDocumentHouseLevel: (of) => JSON.stringify(spell(of.transportDocumentHouseLevel)),
    transportDocumentMasterLevel: ({ transportDocumentMasterLevel: master }) =>
      JSON.stringify(master && spell(master)),
    receptacleId: ({ receptacleId }) => receptacleId,
    containerId: ({ containerId = [] }) => JSON.stringify(containerId),
  } satisfies Record<string, (of: PreNotifiedHouseConsignment) => string | undefined>;
  return keysOf(textOf).filter((member) => textOf[member](existing) !== textOf[member](house));
}

/** Whether a change of these members of an ENS changes the signals of its house consignments. */
export function changesSignals(members: readonly string[]): boolean {
  return (
    members.includes('estimatedTimeOfArrival') || members.includes('activeBorderTransportMeans')
  );
}

function parseSignalHead(head: string): PreNotifiedHouseConsignment {
  // The cast is true because heads are written by `renderSignalHead` only.
  return JSON.parse(`${head}}`) as PreNotifiedHouseConsignment;
}

/** Leaves out members that are not stored. */
function onlyDocument({ documentNumber, type }: TransportDocument): TransportDocument {
  return { documentNumber, type };
}
