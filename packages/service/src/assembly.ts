// The parts of the service, for a program that assembles it with parts of its own, as the playground does.

export { type OwnAddresses, oneAddress } from './access/addresses.js';
export { getOrganisation } from './access/get-organisation.js';
export {
  admitAddress,
  forbidCaching,
  readForm,
  sendOAuthErrors,
} from './access/oauth-http.js';
export { putOrganisation } from './access/put-organisation.js';
export type { KeyLocation } from './access/signing-keys/key-file.js';
export {
  findKeyIn,
  type KeyRing,
  type KeySet,
  openKeyRing,
} from './access/signing-keys/key-ring.js';
export type { TokenIssuer } from './access/verify-subject-token.js';
export { type App, makeApp, type TokenRequestContext } from './app.js';
export { AuditTrail } from './audit/audit-trail.js';
export { CustomsOffices } from './code-lists/customs-offices.js';
export { findUnlistedPlaces } from './code-lists/find-unlisted-places.js';
export { listHouseConsignments } from './consignments/list-house-consignments.js';
export type { ConsoleSettings, SignInContext } from './console/console-settings.js';
export { Batch } from './database/batch.js';
export { createTables } from './database/create-tables.js';
export type { Database, Queryable, Statement, Transaction } from './database/database.js';
export { SESSION_LOCKS } from './database/locks.js';
export { migrate } from './database/migrate.js';
export { FeedWatch } from './feed/watch-feeds.js';
export { makeFolder } from './files/make-folder.js';
export { openFile } from './files/open-file.js';
export type { BackgroundFailures } from './http/background-failures.js';
export type { Caller } from './http/caller.js';
export { CompressibleText } from './http/compressible-text.js';
export { addPublicOperation, compileQueryCheck } from './http/operation.js';
export { HttpError, ValidationFailedError } from './http/problem.js';
export { addressKey } from './http/rate-limit.js';
export { refuseOtherSites } from './http/refuse-other-sites.js';
export type { MessageKind } from './movements/message-kind.js';
export { makeNewId, newId } from './new-id.js';
export type { SendDelivery } from './push/send-to-receiver.js';
export { readMetricsAccess } from './read-metrics-access.js';
export { makeFindRegisters } from './reference-documents/find-registers.js';
export { postReferenceDocuments } from './reference-documents/post-reference-documents.js';
export { postEntrySummaryDeclarations } from './registry/post-entry-summary-declarations.js';
export { readDeclarations } from './registry/read-existing.js';
export { type Incoming, type IsCustomsOffice, readIncomingLine } from './registry/read-incoming.js';
export { register } from './registry/register.js';
export { removeStream } from './relay/jetstream.js';
export { DecisionCommits } from './routing/commit-decisions.js';
export { postRoutingDecisions } from './routing/post-routing-decisions.js';
export type { FileScanner } from './scanning/file-scanner.js';
