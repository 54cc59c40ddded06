// Every requirement, by area.

import type { Area } from '../suite/requirement.js';
import { arrivals } from './arrivals.js';
import { authorityMovements } from './authority-movements.js';
import { codeLists } from './code-lists.js';
import { currentGoodsItems } from './current-goods-items.js';
import { customsOffices } from './customs-offices.js';
import { customsTokens } from './customs-tokens.js';
import { decisions } from './decisions.js';
import { declarationItemFeed } from './declaration-item-feed.js';
import { documents } from './documents.js';
import { errors } from './errors.js';
import { goodsItemMessages } from './goods-item-messages.js';
import { goodsItemPublishing } from './goods-item-publishing.js';
import { goodsItemStream } from './goods-item-stream.js';
import { goodsItemViews } from './goods-item-views.js';
import { goodsToldTwice } from './goods-told-twice.js';
import { houseConsignments } from './house-consignments.js';
import { http } from './http.js';
import { identityProvider } from './identity-provider.js';
import { isolation } from './isolation.js';
import { lodgedGoods } from './lodged-goods.js';
import { movementBodies } from './movement-bodies.js';
import { movementChanges } from './movement-changes.js';
import { movementHabits } from './movement-habits.js';
import { movementKeys } from './movement-keys.js';
import { movementLists } from './movement-lists.js';
import { movementParties } from './movement-parties.js';
import { movementQueries } from './movement-queries.js';
import { movementRelations } from './movement-relations.js';
import { movementRequestIds } from './movement-request-ids.js';
import { movementRequests } from './movement-requests.js';
import { movementRulesArea } from './movement-rules.js';
import { movementStatusReaders } from './movement-status-readers.js';
import { movementStatuses } from './movement-statuses.js';
import { movementTexts } from './movement-texts.js';
import { organisations } from './organisations.js';
import { presentation } from './presentation.js';
import { presentationBatches } from './presentation-batches.js';
import { presentationFormats } from './presentation-formats.js';
import { presentedMovements } from './presented-movements.js';
import { presentingAgain } from './presenting-again.js';
import { publicClientAnswers } from './public-client-answers.js';
import { publicClientRequests } from './public-client-requests.js';
import { publicClientSearches } from './public-client-searches.js';
import { push } from './push.js';
import { readingSince } from './reading-since.js';
import { record } from './record.js';
import { referenceDocuments } from './reference-documents.js';
import { refusedPresentations } from './refused-presentations.js';
import { registeredClients } from './registered-clients.js';
import { registry } from './registry.js';
import { registryUploads } from './registry-uploads.js';
import { routingDelivery } from './routing-delivery.js';
import { routingFeed } from './routing-feed.js';
import { routingProfiles } from './routing-profiles.js';
import { routingRuns } from './routing-runs.js';
import { routingSignals } from './routing-signals.js';
import { tokenExchange } from './token-exchange.js';
import { transportArrivals } from './transport-arrivals.js';
import { validationStatus } from './validation-status.js';
import { waysOfReading } from './ways-of-reading.js';

export const allAreas: readonly Area[] = [
  identityProvider,
  tokenExchange,
  customsTokens,
  presentation,
  presentingAgain,
  presentationBatches,
  refusedPresentations,
  presentationFormats,
  validationStatus,
  routingSignals,
  routingFeed,
  routingDelivery,
  isolation,
  registry,
  registryUploads,
  organisations,
  registeredClients,
  customsOffices,
  referenceDocuments,
  codeLists,
  decisions,
  record,
  routingRuns,
  routingProfiles,
  houseConsignments,
  documents,
  movementRequests,
  movementRequestIds,
  movementBodies,
  movementTexts,
  movementRulesArea,
  movementStatuses,
  movementStatusReaders,
  movementKeys,
  movementChanges,
  movementParties,
  movementLists,
  movementRelations,
  movementQueries,
  movementHabits,
  publicClientRequests,
  publicClientAnswers,
  publicClientSearches,
  lodgedGoods,
  goodsToldTwice,
  presentedMovements,
  arrivals,
  transportArrivals,
  authorityMovements,
  goodsItemPublishing,
  goodsItemMessages,
  goodsItemStream,
  currentGoodsItems,
  goodsItemViews,
  push,
  waysOfReading,
  readingSince,
  declarationItemFeed,
  http,
  errors,
];
