// What is presented, at any of the five levels.
import type { Operation, OperationInput } from '../connection/operation.js';
import type {
  ContainerPresentation,
  EntrySummaryDeclarationPresentation,
  HouseConsignmentPresentation,
  MasterConsignmentPresentation,
  PresentationAccepted,
  ReceptaclePresentation,
} from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import {
  presentContainer,
  presentEntrySummaryDeclaration,
  presentHouseConsignment,
  presentMasterConsignment,
  presentReceptacle,
} from '../operations/operations.js';
import type { SettleOptions } from '../settling/settled-request.js';

/** A presentation whose requestId the client makes if it is left out. */
export type WithoutRequestId<Body extends { requestId: string }> = Omit<Body, 'requestId'> & {
  /** A UUID that the organisation has never used. */
  requestId?: string | undefined;
};

/** A presentation at any level. Its reference says which: a document, a container, a receptacle or an MRN alone. */
export type Presentation =
  | WithoutRequestId<HouseConsignmentPresentation>
  | WithoutRequestId<MasterConsignmentPresentation>
  | WithoutRequestId<ContainerPresentation>
  | WithoutRequestId<ReceptaclePresentation>
  | WithoutRequestId<EntrySummaryDeclarationPresentation>;

/** Options of presenting. */
export type PresentOptions = SettleOptions;

/** An operation that presents. */
export type PresentOperation = Operation<OperationInput, PresentationAccepted>;

/** The operation of the presentation's level. */
export function operationOf(presentation: Presentation): PresentOperation {
  if ('transportDocumentHouseLevel' in presentation) return presentHouseConsignment;
  if ('transportDocumentMasterLevel' in presentation) return presentMasterConsignment;
  if ('containerId' in presentation) return presentContainer;
  if ('receptacleId' in presentation) return presentReceptacle;
  if ('mrn' in presentation) return presentEntrySummaryDeclaration;
  throw new ConfigurationError('the presentation has no reference to goods');
}
