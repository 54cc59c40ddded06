// Presentation: reports that goods have arrived, at one of five levels.
import { type Static, Type } from 'typebox';
import { ValidationError } from './errors.js';
import { ContainerId, Mrn, ReceptacleId, RequestId } from './identifiers.js';
import { keysOf } from './keys-of.js';
import { TransportDocument } from './transport-document.js';

const common = {
  requestId: RequestId,
  customsOfficeOfPresentation: Type.String({
    minLength: 1,
    maxLength: 100,
    // Only that it is not blank: the code list decides whether the office exists.
    pattern: '\\S',
    description: 'Customs office of presentation, code list CL141',
    examples: ['NO351001'],
  }),
};

/** An example that works in the playground: its documents are in the playground's dataset. */
const exampleOfCommon = {
  requestId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  customsOfficeOfPresentation: 'NO351001',
};

/** Presents one house consignment by its transport document. `mrn` is required if the document is under several ENS. */
export const HouseConsignmentPresentation = Type.Object(
  {
    ...common,
    transportDocumentHouseLevel: TransportDocument,
    mrn: Type.Optional(Mrn),
  },
  {
    $id: 'HouseConsignmentPresentation',
    description:
      'Presents one house consignment. `mrn` is required if the document is under several ENS',
    examples: [
      {
        ...exampleOfCommon,
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
      },
    ],
  },
);

/** Presents all house consignments under a master document. `mrn` is required if the document is under several ENS. */
export const MasterConsignmentPresentation = Type.Object(
  {
    ...common,
    transportDocumentMasterLevel: TransportDocument,
    mrn: Type.Optional(Mrn),
  },
  {
    $id: 'MasterConsignmentPresentation',
    description:
      'Presents all house consignments under a master document. `mrn` is required if the document is under several ENS',
    examples: [
      {
        ...exampleOfCommon,
        transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
      },
    ],
  },
);

/** Presents all house consignments in a container. */
export const ContainerPresentation = Type.Object(
  { ...common, containerId: ContainerId },
  { $id: 'ContainerPresentation', description: 'Presents all house consignments in a container' },
);

/** Presents all house consignments in a postal receptacle. */
export const ReceptaclePresentation = Type.Object(
  { ...common, receptacleId: ReceptacleId },
  {
    $id: 'ReceptaclePresentation',
    description: 'Presents all house consignments in a postal receptacle',
  },
);

/** Presents all house consignments of an entry summary declaration. */
export const EntrySummaryDeclarationPresentation = Type.Object(
  { ...common, mrn: Mrn },
  {
    $id: 'EntrySummaryDeclarationPresentation',
    description: 'Presents all house consignments of an entry summary declaration',
  },
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
    noun: 'transport document',
  },
  'master-consignment': {
    body: MasterConsignmentPresentation,
    level: 'MASTER_CONSIGNMENT',
    reference: 'transportDocumentMasterLevel',
    noun: 'transport document',
  },
  container: {
    body: ContainerPresentation,
    level: 'CONTAINER',
    reference: 'containerId',
    noun: 'container',
  },
  receptacle: {
    body: ReceptaclePresentation,
    level: 'RECEPTACLE',
    reference: 'receptacleId',
    noun: 'receptacle',
  },
  'entry-summary-declaration': {
    body: EntrySummaryDeclarationPresentation,
    level: 'ENTRY_SUMMARY_DECLARATION',
    reference: 'mrn',
    noun: 'entry summary declaration',
  },
} as const;

/** The last segment of a presentation path, such as `house-consignment`. */
export type PresentationPath = keyof typeof presentationLevels;

/** The name of a level of presentation in validation statuses. */
export const PresentationLevel = Type.Enum(
  keysOf(presentationLevels).map((path) => presentationLevels[path].level),
  { $id: 'PresentationLevel', description: 'The level that was presented' },
);
export type PresentationLevel = Static<typeof PresentationLevel>;

/** A presentation at any level. */
export type Presentation =
  | Static<typeof HouseConsignmentPresentation>
  | Static<typeof MasterConsignmentPresentation>
  | Static<typeof ContainerPresentation>
  | Static<typeof ReceptaclePresentation>
  | Static<typeof EntrySummaryDeclarationPresentation>;

/** The response to an accepted presentation. It is sent after the presentation is durable. */
export const PresentationAccepted = Type.Object(
  { requestId: RequestId },
  { $id: 'PresentationAccepted', description: 'The presentation is durable' },
);
export type PresentationAccepted = Static<typeof PresentationAccepted>;

/** Why no goods are found for a reference. */
export type ReferenceProblem = 'REFERENCE_NOT_FOUND' | 'REFERENCE_AMBIGUOUS';

/** The error for a reference for which no goods are found. */
export function referenceError(path: PresentationPath, problem: ReferenceProblem): ValidationError {
  const { noun, reference } = presentationLevels[path];
  return {
    field: reference,
    error:
      problem === 'REFERENCE_NOT_FOUND'
        ? `no such ${noun} is pre-notified`
        : 'is under more than one entry summary declaration: add mrn',
    code: problem,
  };
}

/** The result of one line of a batch. */
export const PresentationResult = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Number of the line in the request, from 1' }),
    requestId: Type.Optional({
      ...RequestId,
      description: 'The requestId of the line, if it can be read',
    }),
    status: Type.Enum([202, 400], {
      description:
        '`202`: the presentation is durable; `400`: the line presented nothing, and `validationErrors` has the reasons',
    }),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: 'Broken rules, at most 100' }),
    ),
  },
  { $id: 'PresentationResult', description: 'The result of one line of a batch of presentations' },
);
export type PresentationResult = Static<typeof PresentationResult>;
