// The public interface of the trial data.

export type { DatasetExample } from './dataset/find-example.js';
export {
  type DatasetKind,
  type DatasetOptions,
  type DatasetSize,
  datasetKinds,
  generateDataset,
} from './dataset/generate-dataset.js';
export {
  DatasetSummariser,
  type DatasetSummary,
  type Share,
  type Spread,
} from './dataset/summarise-dataset.js';
export { type BrokenMessage, breakMessage, type FaultKind } from './goods-items/break-message.js';
export { type GoodsItemHistory, generateGoodsItems } from './goods-items/generate-goods-items.js';
export {
  airWaybill,
  container,
  organisationNumber,
  type PostalDespatch,
  postalDespatch,
  postalItem,
  receptacle,
  shipNumber,
} from './identifiers.js';
export {
  generateJourney,
  type JourneyMessage,
  type JourneyOptions,
} from './journeys/generate-journey.js';
export { generateJourneyDataset, type JourneyDatasetOptions } from './journeys/journey-dataset.js';
export { type JourneyKind, journeyKinds } from './journeys/journey-kinds.js';
export {
  generatePreNotificationLines,
  generatePreNotifications,
  type PreNotificationOptions,
} from './pre-notifications.js';
export { makeRandom, type Random } from './random.js';
export {
  generateReferenceDocuments,
  type ReferenceDocumentOptions,
} from './reference-documents.js';
