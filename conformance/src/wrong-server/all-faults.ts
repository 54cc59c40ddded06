// Every fault of the wrong server.
import { accessFaults } from './access-faults.js';
import { arrivalFaults } from './arrival-faults.js';
import { authorityFaults } from './authority-faults.js';
import { authorityMovementFaults } from './authority-movement-faults.js';
import { clientAnswerFaults } from './client-answer-faults.js';
import { clientRequestFaults } from './client-request-faults.js';
import { documentFaults } from './document-faults.js';
import type { Fault } from './fault.js';
import { goodsItemFaults } from './goods-item-faults.js';
import { goodsItemViewFaults } from './goods-item-view-faults.js';
import { httpFaults } from './http-faults.js';
import { identityProviderFaults } from './identity-provider-faults.js';
import { lodgedGoodsFaults } from './lodged-goods-faults.js';
import { movementChangeFaults } from './movement-change-faults.js';
import { movementFaults } from './movement-faults.js';
import { movementQueryFaults } from './movement-query-faults.js';
import { movementRequestFaults } from './movement-request-faults.js';
import { generatedRuleFaults } from './movement-rule-faults.js';
import { presentationBatchFaults } from './presentation-batch-faults.js';
import { presentationFaults } from './presentation-faults.js';
import { pushFaults } from './push-faults.js';
import { generatedReadingFaults } from './reading-faults.js';
import { generatedSinceFaults } from './reading-since-faults.js';
import { referenceDocumentFaults } from './reference-document-faults.js';
import { relationFaults } from './relation-faults.js';
import { routingFaults } from './routing-faults.js';
import { routingFeedFaults } from './routing-feed-faults.js';
import { statusFaults } from './status-faults.js';
import { toldTwiceFaults } from './told-twice-faults.js';
import { transportArrivalFaults } from './transport-arrival-faults.js';

export const allFaults: readonly Fault[] = [
  ...identityProviderFaults,
  ...accessFaults,
  ...presentationFaults,
  ...presentationBatchFaults,
  ...statusFaults,
  ...routingFaults,
  ...routingFeedFaults,
  ...authorityFaults,
  ...referenceDocumentFaults,
  ...documentFaults,
  ...goodsItemFaults,
  ...goodsItemViewFaults,
  ...movementRequestFaults,
  ...movementFaults,
  ...movementQueryFaults,
  ...movementChangeFaults,
  ...relationFaults,
  ...clientRequestFaults,
  ...clientAnswerFaults,
  ...lodgedGoodsFaults,
  ...arrivalFaults,
  ...transportArrivalFaults,
  ...authorityMovementFaults,
  ...toldTwiceFaults,
  ...pushFaults,
  ...httpFaults,
  ...generatedReadingFaults,
  ...generatedSinceFaults,
  ...generatedRuleFaults,
];
