// An entry summary declaration (ENS) and its house consignments as the registry compares and keeps them.
import type {
  EntrySummaryDeclaration,
  PreNotifiedHouseConsignment,
  TransportDocument,
} from '@landfall/contract';

/** What an ENS says beside its house consignments; times as `Date` prints them. */
export type DeclarationMembers = Omit<EntrySummaryDeclaration, 'houseConsignments'>;

/** One entry of a registration: an ENS, or house consignments of one that stands. */
export type Registrable = {
  mrn: string;
  /** Left out where only house consignments are told. */
  declaration?: DeclarationMembers;
  houses: readonly PreNotifiedHouseConsignment[];
  /** Whether these are all house consignments of the ENS, so that others are removed. */
  whole: boolean;
};

/** Members of an ENS that its signals carry. */
type SignalMembers = Pick<
  DeclarationMembers,
  'mrn' | 'estimatedTimeOfArrival' | 'activeBorderTransportMeans'
>;

/**
 * What a routing signal says of a house consignment, up to its routing result: JSON text without the closing
 * brace. It is kept with the consignment, so that issuing a signal serialises nothing, and it holds all that is
 * registered of the consignment but its subheadings and its routing: two that agree in these are the same exactly when
 * their heads are. Wire contract, section 5.
 */
export function renderSignalHead(
  { mrn, estimatedTimeOfArrival, activeBorderTransportMeans: means }: SignalMembers,
  house: PreNotifiedHouseConsignment,
): string {
  const { documentNumber, type } = house.transportDocumentHouseLevel;
  const { transportDocumentMasterLevel: master, containerId } = house;
  const signal = {
    entrySummaryDeclarationMRN: mrn,
    receptacleId: house.receptacleId,
    transportDocumentHouseLevel: { documentNumber, referenceNumber: documentNumber, type },
    transportDocumentMasterLevel: master && documentOf(master),
    containerId: containerId?.length === 0 ? undefined : containerId,
    estimatedTimeOfArrival,
    activeBorderTransportMeans: means && {
      identificationNumber: means.identificationNumber,
      typeOfIdentification: means.typeOfIdentification,
    },
  };
  return JSON.stringify(signal).slice(0, -1);
}

/** The subheadings of a house consignment as they are kept: none where the list is empty. */
export function keptSubheadings({
  harmonizedSystemSubheadingCode: subheadings,
}: PreNotifiedHouseConsignment): readonly string[] | undefined {
  return subheadings?.length === 0 ? undefined : subheadings;
}

/** The same head under a declaration whose members have changed. */
export function moveSignalHead(head: string, declaration: SignalMembers): string {
  // The cast is true because heads are what `renderSignalHead` has written.
  const house = JSON.parse(`${head}}`) as PreNotifiedHouseConsignment;
  return renderSignalHead(declaration, house);
}

/** Which members of a house consignment are not what its head says. */
export function changedHouseMembers(head: string, house: PreNotifiedHouseConsignment): string[] {
  // The cast is true because heads are what `renderSignalHead` has written.
  const known = JSON.parse(`${head}}`) as PreNotifiedHouseConsignment;
  return (['transportDocumentMasterLevel', 'receptacleId', 'containerId'] as const).filter(
    (member) => {
      const only = (of: PreNotifiedHouseConsignment) =>
        renderSignalHead(
          { mrn: '' },
          {
            transportDocumentHouseLevel: house.transportDocumentHouseLevel,
            [member]: of[member],
          },
        );
      return only(known) !== only(house);
    },
  );
}

/** Which members of an ENS differ, apart from its house consignments. */
export function changedMembers(before: DeclarationMembers, after: DeclarationMembers): string[] {
  return declarationMembers.filter(
    (member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]),
  );
}

const declarationMembers = [
  'customsOfficeOfFirstEntry',
  'declarant',
  'representative',
  'carrier',
  'presenters',
  'estimatedTimeOfArrival',
  'activeBorderTransportMeans',
] as const satisfies readonly (keyof DeclarationMembers)[];

/** Whether a change of these members changes what signals say. */
export function changesSignals(members: readonly string[]): boolean {
  return (
    members.includes('estimatedTimeOfArrival') || members.includes('activeBorderTransportMeans')
  );
}

/** Members that say who may present, and so may change when goods are presented. */
export const presenterMembers: readonly string[] = ['carrier', 'presenters'];

/** Every organisation that a declaration names, each once. */
export function namedOrganisations(declaration: DeclarationMembers): string[] {
  const { declarant, representative, carrier, presenters = [] } = declaration;
  const named = [declarant, representative, carrier, ...presenters];
  return [...new Set(named.filter((one) => one !== undefined))];
}

/** A document as it is kept: a number and a type, and nothing else that was sent beside. */
function documentOf({ documentNumber, type }: TransportDocument): TransportDocument {
  return { documentNumber, type };
}
