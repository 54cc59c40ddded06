// The public interface of @landfall/client.
export { asTexts } from './connection/as-texts.js';
export { Connection } from './connection/connection.js';
export { inMode } from './connection/in-mode.js';
export { Lines } from './connection/lines.js';
export { type List, readList } from './connection/list.js';
export type { Operation, OperationInput } from './connection/operation.js';
export type { ConnectionOptions, RequestOptions } from './connection/options.js';
export type { Page } from './connection/page.js';
export { type ModeName, modes } from './contract/modes.js';
export { mrnOf } from './contract/mrn-of.js';
export type * from './contract/types.js';
export { ApiError } from './errors/api-error.js';
export { ConnectionError, TimeoutError } from './errors/connection-error.js';
export { EntryPendingError } from './errors/entry-pending-error.js';
export {
  ConfigurationError,
  LandfallError,
  type LandfallErrorCode,
  UnexpectedResponseError,
} from './errors/landfall-error.js';
export { MarkerExpiredError } from './errors/marker-expired-error.js';
export {
  MovementUnknownError,
  OutcomeUnknownError,
  PresentationUnknownError,
} from './errors/outcome-unknown-error.js';
export { PushError, type PushErrorCode } from './errors/push-error.js';
export { RoutingPendingError } from './errors/routing-pending-error.js';
export { TokenError, type TokenStep } from './errors/token-error.js';
export {
  followGoodsItems,
  followMovementStatuses,
  followRouting,
  followStatuses,
} from './following/follow-feeds.js';
export type { FollowMode } from './following/follow-mode.js';
export type { FollowOptions, FollowState } from './following/follow-options.js';
export { followGoodsItemTexts } from './following/follow-texts.js';
export { Following } from './following/following.js';
export {
  type FollowedFeed,
  type MarkerStore,
  MemoryMarkerStore,
} from './following/marker-store.js';
export {
  type GoodsItemKey,
  type GoodsItemTarget,
  type MirrorOptions,
  mirrorGoodsItems,
} from './following/mirror-goods-items.js';
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from './http/hooks.js';
export type { CollectedResponse, OpenResponse } from './http/open-response.js';
export { platformFetch } from './http/platform-fetch.js';
export type { RetryPolicy } from './http/retry.js';
export type { Fetch } from './http/send-request.js';
export type { LineSource, TextSource } from './http/upload.js';
export { Landfall, type LandfallOptions } from './landfall.js';
export { lodgeMovement, replaceMovement, settleMovement } from './movement/lodge.js';
export {
  type Journey,
  type JourneyOutcome,
  type LodgeJourneyOptions,
  lodgeJourney,
} from './movement/lodge-journey.js';
export {
  digestOfMovement,
  type LodgeManyOptions,
  type LodgingOutcome,
  lodgeMany,
} from './movement/lodge-many.js';
export {
  isHouseConsignment,
  isMasterConsignment,
  isTransport,
  type LodgeOptions,
  levelOfMovement,
  type MovementLevel,
  type MovementMessage,
} from './movement/movement-message.js';
export type * from './operations/operations.js';
export { present, settlePresentation } from './presentation/present.js';
export {
  type PresentInBatchesOptions,
  presentInBatches,
} from './presentation/present-in-batches.js';
export {
  type PresentationOutcome,
  type PresentManyOptions,
  presentMany,
} from './presentation/present-many.js';
export type {
  Presentation,
  PresentOptions,
  WithoutRequestId,
} from './presentation/presentation.js';
export type { PushedEntries, VerifiedPush } from './push/verified-push.js';
export { type PushRequest, type VerifyPushOptions, verifyPush } from './push/verify-push.js';
export { digestOf } from './settling/digest.js';
export { type Journal, type JournalEntry, MemoryJournal } from './settling/journal.js';
export type { Source } from './settling/map-concurrently.js';
export type { SendManyOptions } from './settling/send-many.js';
export type { SettleOptions } from './settling/settled-request.js';
export type { GrantAlgorithm } from './tokens/algorithms.js';
export type {
  Credentials,
  DomesticCredentials,
  ForeignCredentials,
  IdentityProvider,
} from './tokens/credentials.js';
export { GrantTokens, type GrantTokensOptions } from './tokens/grant-tokens.js';
export type { ExportableKey, PlatformKey } from './tokens/platform-keys.js';
export type { PrivateJwk } from './tokens/private-jwk.js';
export type { Signer, SigningKey } from './tokens/signing-key.js';
export { fixedToken, type TokenSource } from './tokens/token-source.js';
export type { StoredToken, TokenStore } from './tokens/token-store.js';
export { type UploadLinesOptions, uploadLines } from './uploading/upload-lines.js';
export type { HouseReference } from './waiting/awaited-documents.js';
export { type WaitForEntryOptions, waitForEntry } from './waiting/wait-for-entry.js';
export {
  type RoutedDocument,
  RoutingWait,
  type WaitForRoutingOptions,
  waitForRouting,
} from './waiting/wait-for-routing.js';
