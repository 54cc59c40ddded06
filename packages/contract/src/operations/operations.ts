// The table of operations. Routes, the OpenAPI document, the client library and the command are derived from it.
import { accessOperations } from './access.js';
import { arrivalOperations } from './authority/arrivals.js';
import { codeListOperations } from './authority/code-lists.js';
import { authorityDocumentOperations } from './authority/documents.js';
import { entrySummaryDeclarationOperations } from './authority/entry-summary-declarations.js';
import { goodsItemViewOperations } from './authority/goods-item-views.js';
import { houseConsignmentOperations } from './authority/house-consignments.js';
import { authorityMovementOperations } from './authority/movements.js';
import { organisationOperations } from './authority/organisations.js';
import { referenceDocumentOperations } from './authority/reference-documents.js';
import { routingDecisionOperations } from './authority/routing-decisions.js';
import { routingProfileOperations } from './authority/routing-profiles.js';
import { routingRunOperations } from './authority/routing-runs.js';
import { serviceStatusOperations } from './authority/service-status.js';
import { transportArrivalOperations } from './authority/transport-arrivals.js';
import { documentOperations } from './documents.js';
import { goodsItemOperations } from './goods-items.js';
import { movementOperations } from './movement.js';
import { presentationOperations } from './presentation.js';
import { routingOperations } from './routing.js';
import { serviceOperations } from './service.js';
import { subscriptionOperations } from './subscriptions.js';

/** Every operation of the service, by operationId. */
export const operations = {
  ...presentationOperations,
  ...routingOperations,
  ...movementOperations,
  ...goodsItemOperations,
  ...subscriptionOperations,
  ...documentOperations,
  ...accessOperations,
  ...organisationOperations,
  ...goodsItemViewOperations,
  ...entrySummaryDeclarationOperations,
  ...houseConsignmentOperations,
  ...arrivalOperations,
  ...codeListOperations,
  ...referenceDocumentOperations,
  ...authorityDocumentOperations,
  ...transportArrivalOperations,
  ...authorityMovementOperations,
  ...routingDecisionOperations,
  ...routingRunOperations,
  ...routingProfileOperations,
  ...serviceStatusOperations,
  ...serviceOperations,
};
