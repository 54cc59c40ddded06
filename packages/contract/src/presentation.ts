// Presentation: the message that goods have arrived, at one of five levels. Wire contract, section 3.
import { type Static, Type } from 'typebox';
import { ContainerId, Mrn, ReceptacleId, RequestId } from './identifiers.js';
import { TransportDocument } from './transport-document.js';

const common = {
  requestId: RequestId,
  customsOfficeOfPresentation: Type.String({
    minLength: 1,
    maxLength: 100,
    // Not blank: whether there is such an office is for the code list to say.
    pattern: '\\S',
    description: 'Customs office of presentation, code list CL141',
    examples: ['NO351001'],
  }),
};

/** What a presentation to the playground may look like: its documents are of its dataset. */
const exampleOfCommon = {
  requestId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  customsOfficeOfPresentation: 'NO351001',
};

/** Present one house consignment by its transport document; `mrn` tells two ENS apart. */
export const HouseConsignmentPresentation = Type.Object(
  {
    ...common,
    transportDocumentHouseLevel: TransportDocument,
    mrn: Type.Optional(Mrn),
  },
  {
    $id: 'HouseConsignmentPresentation',
    examples: [
      {
        ...exampleOfCommon,
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
      },
    ],
  },
);

/** Present all house consignments under a master document; `mrn` tells two ENS apart. */
export const MasterConsignmentPresentation = Type.Object(
  {
    ...common,
    transportDocumentMasterLevel: TransportDocument,
    mrn: Type.Optional(Mrn),
  },
  {
    $id: 'MasterConsignmentPresentation',
    examples: [
      {
        ...exampleOfCommon,
        transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
      },
    ],
  },
);

/** Present all house consignments in a container. */
export const ContainerPresentation = Type.Object(
  { ...common, containerId: ContainerId },
  { $id: 'ContainerPresentation' },
);

/** Present all house consignments in a postal receptacle. */
export const ReceptaclePresentation = Type.Object(
  { ...common, receptacleId: ReceptacleId },
  { $id: 'ReceptaclePresentation' },
);

/** Present all house consignments of an entry summary declaration. */
export const EntrySummaryDeclarationPresentation = Type.Object(
  { ...common, mrn: Mrn },
  { $id: 'EntrySummaryDeclarationPresentation' },
);

/**
 * The five levels of presentation by the last segment of their path: the body's schema, the name of the level
 * in validation statuses, and the member that holds the reference.
 */
export const presentationLevels = {
  'house-consignment': {
    body: HouseConsignmentPresentation,
    level: 'HOUSE_CONSIGNMENT',
    reference: 'transportDocumentHouseLevel',
  },
  'master-consignment': {
    body: MasterConsignmentPresentation,
    level: 'MASTER_CONSIGNMENT',
    reference: 'transportDocumentMasterLevel',
  },
  container: { body: ContainerPresentation, level: 'CONTAINER', reference: 'containerId' },
  receptacle: { body: ReceptaclePresentation, level: 'RECEPTACLE', reference: 'receptacleId' },
  'entry-summary-declaration': {
    body: EntrySummaryDeclarationPresentation,
    level: 'ENTRY_SUMMARY_DECLARATION',
    reference: 'mrn',
  },
} as const;

/** The last segment of a presentation path, such as `house-consignment`. */
export type PresentationPath = keyof typeof presentationLevels;

/** A level of presentation as validation statuses name it. */
export type PresentationLevel = (typeof presentationLevels)[PresentationPath]['level'];

/** A presentation at any level. */
export type Presentation =
  | Static<typeof HouseConsignmentPresentation>
  | Static<typeof MasterConsignmentPresentation>
  | Static<typeof ContainerPresentation>
  | Static<typeof ReceptaclePresentation>
  | Static<typeof EntrySummaryDeclarationPresentation>;

/** The answer to an accepted presentation: by the time it is sent, all that it stands for is durable. */
export const PresentationAccepted = Type.Object(
  { requestId: RequestId },
  { $id: 'PresentationAccepted', description: 'The presentation is recorded' },
);
export type PresentationAccepted = Static<typeof PresentationAccepted>;
