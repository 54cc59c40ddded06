// Every requirement, by area.
import type { Area } from '../suite/requirement.js';
import { currentGoodsItems } from './current-goods-items.js';
import { customsOffices } from './customs-offices.js';
import { customsTokens } from './customs-tokens.js';
import { decisions } from './decisions.js';
import { errors } from './errors.js';
import { goodsItemMessages } from './goods-item-messages.js';
import { goodsItemPublishing } from './goods-item-publishing.js';
import { goodsItemStream } from './goods-item-stream.js';
import { houseConsignments } from './house-consignments.js';
import { http } from './http.js';
import { identityProvider } from './identity-provider.js';
import { isolation } from './isolation.js';
import { organisations } from './organisations.js';
import { presentation } from './presentation.js';
import { presentationFormats } from './presentation-formats.js';
import { presentingAgain } from './presenting-again.js';
import { record } from './record.js';
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
import { validationStatus } from './validation-status.js';
import { waysOfReading } from './ways-of-reading.js';

export const allAreas: readonly Area[] = [
  identityProvider,
  tokenExchange,
  customsTokens,
  presentation,
  presentingAgain,
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
  decisions,
  record,
  routingRuns,
  routingProfiles,
  houseConsignments,
  goodsItemPublishing,
  goodsItemMessages,
  goodsItemStream,
  currentGoodsItems,
  waysOfReading,
  http,
  errors,
];
