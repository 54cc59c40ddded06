// The methods of the client that present. They settle an unknown outcome; see `present`.
import type {
  ContainerPresentation,
  EntrySummaryDeclarationPresentation,
  HouseConsignmentPresentation,
  MasterConsignmentPresentation,
  PresentationAccepted,
  ReceptaclePresentation,
} from '../contract/types.js';
import { Operations } from '../operations/methods.js';
import * as operations from '../operations/operations.js';
import type { Source } from '../settling/map-concurrently.js';
import { presentWith, settlePresentation } from './present.js';
import { type PresentInBatchesOptions, presentInBatches } from './present-in-batches.js';
import { type PresentationOutcome, type PresentManyOptions, presentMany } from './present-many.js';
import type { Presentation, PresentOptions, WithoutRequestId } from './presentation.js';

/** The operations; those that present make a requestId and settle an unknown outcome. */
export class Presentations extends Operations {
  /** Presents a house consignment. Throws what `present` throws. */
  override presentHouseConsignment(
    body: WithoutRequestId<HouseConsignmentPresentation>,
    options?: PresentOptions,
  ): Promise<PresentationAccepted> {
    return presentWith(this, operations.presentHouseConsignment, body, options);
  }

  /** Presents all house consignments under a master document. Throws what `present` throws. */
  override presentMasterConsignment(
    body: WithoutRequestId<MasterConsignmentPresentation>,
    options?: PresentOptions,
  ): Promise<PresentationAccepted> {
    return presentWith(this, operations.presentMasterConsignment, body, options);
  }

  /** Presents all house consignments in a container. Throws what `present` throws. */
  override presentContainer(
    body: WithoutRequestId<ContainerPresentation>,
    options?: PresentOptions,
  ): Promise<PresentationAccepted> {
    return presentWith(this, operations.presentContainer, body, options);
  }

  /** Presents all house consignments in a receptacle. Throws what `present` throws. */
  override presentReceptacle(
    body: WithoutRequestId<ReceptaclePresentation>,
    options?: PresentOptions,
  ): Promise<PresentationAccepted> {
    return presentWith(this, operations.presentReceptacle, body, options);
  }

  /** Presents all house consignments of an entry summary declaration. Throws what `present` throws. */
  override presentEntrySummaryDeclaration(
    body: WithoutRequestId<EntrySummaryDeclarationPresentation>,
    options?: PresentOptions,
  ): Promise<PresentationAccepted> {
    return presentWith(this, operations.presentEntrySummaryDeclaration, body, options);
  }

  /** Finds the outcome of an earlier presentation, and presents if the service has not received it. */
  settlePresentation(
    requestId: string,
    presentation: Presentation,
    options?: PresentOptions,
  ): Promise<PresentationAccepted> {
    return settlePresentation(this, requestId, presentation, options);
  }

  /** Presents the items of a source, several at a time, and resumes from a journal. See `presentMany`. */
  presentMany<Item extends Presentation>(
    source: Source<Item>,
    options?: PresentManyOptions<Item>,
  ): AsyncGenerator<PresentationOutcome<Item>, void, undefined> {
    return presentMany(this, source, options);
  }

  /** Presents house consignments, up to 1,000 with one request, and resumes from a journal. See `presentInBatches`. */
  presentInBatches<Item extends WithoutRequestId<HouseConsignmentPresentation>>(
    source: Source<Item>,
    options?: PresentInBatchesOptions<Item>,
  ): AsyncGenerator<PresentationOutcome<Item>, void, undefined> {
    return presentInBatches(this, source, options);
  }
}
