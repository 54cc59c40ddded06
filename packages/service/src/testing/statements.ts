// Every named statement, made with sample arguments. `docs/sql/` is generated from it, and a test prepares each of them.
// A statement whose text varies is listed once for each variant. Filters that can be combined are listed one by one.

import * as playgroundData from '../../../playground/dist/data-queries.js';
import * as playgroundGroups from '../../../playground/dist/dataset/group-queries.js';
import * as playgroundDataset from '../../../playground/dist/dataset/queries.js';
import * as playgroundDecisions from '../../../playground/dist/decisions/queries.js';
import * as playgroundHosting from '../../../playground/dist/hosting/queries.js';
import * as identityProvider from '../../../playground/dist/identity-provider/queries.js';
import * as playgroundMovements from '../../../playground/dist/movements/queries.js';
import * as playgroundSpaces from '../../../playground/dist/spaces/queries.js';
import * as playgroundUndo from '../../../playground/dist/undo-queries.js';
import * as numberedParties from '../access/numbered-party-queries.js';
import * as organisations from '../access/organisation-queries.js';
import * as access from '../access/queries.js';
import * as audit from '../audit/queries.js';
import * as removal from '../audit/removal-queries.js';
import * as rows from '../audit/row-queries.js';
import * as verification from '../audit/verification-queries.js';
import * as codeLists from '../code-lists/queries.js';
import * as codeListReading from '../code-lists/reading-queries.js';
import * as unloCodes from '../code-lists/unlo-code-queries.js';
import * as arrivals from '../consignments/arrival-queries.js';
import { waysOfStep } from '../consignments/candidate-queries.js';
import * as exportedDecisions from '../consignments/decision-export-queries.js';
import * as keptDecisions from '../consignments/decision-queries.js';
import * as history from '../consignments/history-queries.js';
import * as consignments from '../consignments/queries.js';
import * as consoleSessions from '../console/session-queries.js';
import type { SignedIn } from '../console/sessions.js';
import type { Statement } from '../database/database.js';
import * as partitions from '../database/partition-queries.js';
import * as database from '../database/queries.js';
import * as removalTime from '../database/removal-queries.js';
import * as standbys from '../database/standby-queries.js';
import * as documents from '../documents/queries.js';
import * as feedLocks from '../feed/lock-queries.js';
import * as feed from '../feed/queries.js';
import * as timelines from '../feed/timeline-queries.js';
import { feedKinds } from '../feed-kinds.js';
import * as currentItems from '../goods-items/current-item-queries.js';
import * as expiry from '../goods-items/expiry-queries.js';
import { UNKNOWN_FACTS } from '../goods-items/item-facts.js';
import * as publication from '../goods-items/publication-queries.js';
import * as views from '../goods-items/view-queries.js';
import type { Figures } from '../monitoring/figures.js';
import * as monitoring from '../monitoring/queries.js';
import * as transportArrivals from '../movements/arrival-queries.js';
import * as authorityMovements from '../movements/authority-queries.js';
import * as changing from '../movements/changing-queries.js';
import * as descendants from '../movements/descendant-queries.js';
import * as lodging from '../movements/lodging-queries.js';
import * as movements from '../movements/queries.js';
import * as relations from '../movements/relation-queries.js';
import * as waiting from '../movements/waiting-queries.js';
import * as houses from '../presentation/house-queries.js';
import * as levels from '../presentation/level-queries.js';
import * as reached from '../presentation/reached-queries.js';
import { validationStatuses } from '../presentation/status-feed.js';
import * as statuses from '../presentation/status-queries.js';
import * as production from '../production/queries.js';
import * as subscriptions from '../push/queries.js';
import * as pushSending from '../push/sending-queries.js';
import * as referenceDocuments from '../reference-documents/queries.js';
import * as declarations from '../registry/declaration-queries.js';
import * as entered from '../registry/entered-queries.js';
import * as registryHouses from '../registry/house-queries.js';
import * as housesAsRegistered from '../registry/registered-house-queries.js';
import * as withdrawals from '../registry/withdrawal-queries.js';
import * as relay from '../relay/queries.js';
import { relayedGoodsItems, relayedSignals } from '../relay/relayed-feeds.js';
import * as relayedViews from '../relay/view-queries.js';
import * as retainedDocuments from '../retention/document-queries.js';
import * as retainedEntries from '../retention/entry-queries.js';
import * as retainedHouses from '../retention/house-consignment-queries.js';
import * as endings from '../retention/movement-queries.js';
import * as retainedReferences from '../retention/reference-queries.js';
import * as retainedRegistrations from '../retention/registration-queries.js';
import * as retainedRuns from '../retention/run-queries.js';
import * as unpresented from '../retention/unpresented-queries.js';
import * as decisions from '../routing/decision-queries.js';
import * as explanation from '../routing/explanation-queries.js';
import * as presentedGoods from '../routing/presented-queries.js';
import * as profiles from '../routing/profile-queries.js';
import * as release from '../routing/release-queries.js';
import * as sameGoods from '../routing/same-goods-queries.js';
import * as runAccess from '../runs/access-queries.js';
import * as runs from '../runs/queries.js';
import { presentationRequest } from './present-requests.js';

const at = new Date(0);
/** The kinds of feed whose entries are removed some time after they were added. */
const expiringKinds = feedKinds.flatMap(({ expiry, ...kind }) =>
  expiry === undefined ? [] : [{ ...kind, expiry }],
);
const id = '00000000-0000-0000-0000-000000000000';
const item = { declaration: '', number: 1 };
const asking: descendants.Asking = { organisationId: 1, mode: 'road', expectedOnly: false };
const movement: lodging.MovementRow = {
  level: 'HOUSE_CONSIGNMENT',
  mode: 'road',
  submitter: 1,
  representative: undefined,
  key: '',
  requestId: '00000000-0000-0000-0000-000000000000',
  documentNumber: undefined,
  documentType: undefined,
  carrier: undefined,
  means: undefined,
  conveyance: undefined,
  estimatedAt: undefined,
  scheduledAt: undefined,
  office: undefined,
  importProcedure: undefined,
  outgoingProcedure: undefined,
  consignorCountry: undefined,
  weight: undefined,
  listed: '{}',
  reasons: [],
};
const actor = { organisationId: 1, organisation: '', client: '' };
const decider = {
  at,
  origin: 'ENGINE',
  organisationId: 1,
  organisation: '',
  clientId: '',
  requestId: id,
} as const;
const document: documents.NewDocument = {
  organisationId: 1,
  declarationId: '',
  documentId: id,
  documentType: 'invoice',
  fileName: '',
  kind: 'txt',
  size: 1,
  sha256: '',
  content: Buffer.alloc(1),
  clientId: '',
  requestId: '',
};
const digest = Buffer.alloc(32);
const holder: subscriptions.Holder = { organisationId: 1, kinds: [2] };
const attempt: subscriptions.Attempt = {
  kind: 'TEST',
  webhookId: '',
  entries: 0,
  marker: undefined,
  outcome: 'TIMEOUT',
  status: undefined,
  durationMs: 0,
};
const person: SignedIn = {
  kind: 'person',
  subject: '',
  name: '',
  organisation: '',
  scopes: [],
  assignments: [],
};
const stored = { digest, sealedTokens: digest, now: at, endsAt: at, confirmAfter: at };
const noFigures: Figures = {
  seconds: 60,
  requests: 0,
  refused: 0,
  failed: 0,
  latencies: {},
  commits: 0,
  committed: 0,
  queued: 0,
  poolSessions: undefined,
  poolWaiting: undefined,
  processorShare: 0,
  memoryBytes: 0,
  droppedConnections: 0,
  backgroundFailures: {},
};
const foundLevel: levels.FoundLevel = {
  reused: false,
  problem: null,
  declarations: [],
  houses: 0,
  one_ens: null,
  one_mrn: null,
  repeated: false,
  organisations: [],
};

/** The statements of every file with SQL, by its path in `src`; those of the playground's package as `playground/...`. */
export const statements: Readonly<Record<string, readonly Statement[]>> = {
  'access/organisation-queries.ts': [
    organisations.readOrganisation(''),
    organisations.addOrganisation(''),
    organisations.lockOrganisation(''),
    organisations.selectOrganisations('', 1),
    organisations.selectOrganisationNames(['']),
    organisations.updateOrganisation('', '', '', false),
    organisations.removeOtherScopes(1, []),
    organisations.addScopes(1, []),
    organisations.ensureOrganisation('', '', ''),
    organisations.removeOtherClients(1, []),
    organisations.keepClients(1, []),
    organisations.putClient(1, { client_id: '' }),
    organisations.removeOtherNumbers(1, []),
    organisations.addNumbers(1, []),
    organisations.selectTakenNumbers(1, []),
  ],
  'access/numbered-party-queries.ts': [numberedParties.findNumberedOrganisations([])],
  'access/queries.ts': [access.findOrganisations([])],
  'audit/queries.ts': [
    audit.selectChainEnds([]),
    audit.insertRecord('', true, at, []),
    audit.insertFeedAccesses('', []),
    audit.appendKeptRecord,
  ],
  'reference-documents/queries.ts': [
    referenceDocuments.storeDocuments([], at),
    referenceDocuments.lockDocuments([], true),
    referenceDocuments.selectDocuments([]),
    referenceDocuments.findDocuments([], '', 1),
  ],
  'consignments/decision-export-queries.ts': [
    exportedDecisions.collectRecords(at),
    exportedDecisions.selectExported(at, at, undefined, 1),
    exportedDecisions.selectChainEnds,
  ],
  'audit/removal-queries.ts': [
    removal.keepRows(at),
    removal.selectRemovals,
    removal.upsertRemoval({ kind: 'records', until: at, ends: [] }),
    removal.selectExport(at),
    removal.upsertExport(at, '', []),
    removal.awaitChain(1),
    removal.selectMonthRecords(1, 0, { from: at, until: at }, 1),
    removal.selectMonthEvents(1, 1, { from: at, until: at }),
  ],
  'audit/row-queries.ts': [
    rows.selectDifferences(1),
    rows.selectRowBase,
    ...[...rows.rowRules, rows.feedStateRule(feedKinds)].map((rule) =>
      rows.selectContradicting(rule, 1),
    ),
  ],
  'audit/verification-queries.ts': [
    verification.selectChains,
    verification.selectRecords(1, 0, 1),
    verification.selectDigests([], []),
    verification.digestListed(feedKinds, []),
    verification.findRemoved([]),
    verification.selectStoredEnds,
    verification.selectEvents(1, 1),
    verification.selectFeedAccesses(1, 1),
    verification.recordVerification({ at, records: 0, breaks: 0, recordsOnly: false }),
    verification.selectFeedStarts,
    verification.selectTrailBegin,
    verification.selectVerification,
  ],
  'code-lists/queries.ts': [
    codeLists.selectImport,
    codeLists.selectOffices,
    codeLists.lockImports,
    codeLists.recordImport('cl141', at, 1),
    ...codeLists.replaceOffices([]),
  ],
  'code-lists/reading-queries.ts': [
    codeListReading.selectImports,
    codeListReading.selectOfficePage({ limit: 1 }),
    codeListReading.selectUnloCodePage({ limit: 1 }),
  ],
  'code-lists/unlo-code-queries.ts': [
    unloCodes.selectUnloCodeGroups('', 1),
    unloCodes.putUnloCodeGroups([]),
    unloCodes.deleteUnloCodeGroups([]),
    unloCodes.findUnloCodes([]),
  ],
  'console/session-queries.ts': [
    consoleSessions.useSession(digest, { now: at, idleSince: at, recordSince: at }),
    consoleSessions.selectCurrentSession(digest, at, at),
    consoleSessions.insertSession(person, stored),
    consoleSessions.reassignSession(digest, stored, person, at),
    consoleSessions.lockSession(digest, at),
    consoleSessions.deleteAllSessions,
    consoleSessions.beginConfirmation(digest, { now: at, retryAt: at, until: at }),
    consoleSessions.endConfirmation(digest),
    consoleSessions.storeConfirmation(person, stored),
    consoleSessions.deleteSession(digest),
    consoleSessions.selectSessionOf([digest], at, at),
    consoleSessions.deleteSessionOf([digest]),
    consoleSessions.deleteEndedSessions(at, at, 1),
    consoleSessions.deleteOldestSessions('', 1),
    consoleSessions.deleteSessionsOfSubject(''),
    consoleSessions.deleteProviderSession('', ''),
    consoleSessions.lockSignIn(1),
    consoleSessions.selectSignInTime,
    consoleSessions.insertLogout({ tokenId: '', endsAt: at, subject: '', providerSession: '' }, 1),
    consoleSessions.selectLogoutSince(person, at, 1),
    consoleSessions.deleteEndedLogouts(at, 1),
  ],
  'consignments/arrival-queries.ts': [
    arrivals.countByHour(at, at, undefined),
    arrivals.selectFirstPresentation(id),
    arrivals.selectUndecided({ at, id }, 1, undefined),
  ],
  'consignments/decision-queries.ts': [
    keptDecisions.selectDecisions(id),
    keptDecisions.selectDecisionTime({ house: id, number: 1 }),
    keptDecisions.findDecisions({}, undefined, 1, 1),
    keptDecisions.findDecisions({ run: id }, undefined, 1, 1),
    keptDecisions.findDecisions({ decidedBy: '', decisionId: id }, undefined, 1, 1),
  ],
  'consignments/history-queries.ts': [history.selectHistory(id, 1, 1)],
  'consignments/queries.ts': [
    ...[
      {},
      { documentNumber: '' },
      { containerId: '' },
      { receptacleId: '' },
      { masterDocumentNumber: '' },
      { mrn: '' },
      { mrn: '', ids: [] },
      { mrn: '', containerId: '', masterDocumentNumber: '' },
      { ids: [] },
      { state: 'WITHDRAWN' as const },
      { state: 'WITHDRAWN' as const, containerId: '' },
      { state: 'WITHDRAWN' as const, mrn: '', ids: [] },
    ].flatMap((filters) =>
      waysOfStep(filters, 1).flatMap((way) => [
        consignments.findPage(filters, undefined, 1, way),
        consignments.selectMatching(filters, undefined, way),
      ]),
    ),
    consignments.selectByBeginning('', 1),
  ],
  'database/partition-queries.ts': [
    partitions.selectPartitions('audit_record'),
    partitions.recordDetaching(1, 'audit_record', at),
    partitions.forgetDetaching(1),
    partitions.forgetAttached('audit_record'),
    partitions.selectDetached('audit_record', at),
    ...['audit_record', 'consignment_event', 'feed_access'].map(partitions.selectHasRows),
  ],
  'database/queries.ts': [
    database.verifySession,
    database.selectDatabaseTime,
    database.requireTransaction,
    database.beginSession({}),
    database.confirmCommit,
    database.selectDatabaseVersion,
    database.findWorkingBackends([]),
    database.announce(''),
    database.tryLock(1),
    database.findMigrationTable,
    database.selectAppliedMigrations,
    database.insertMigration('', '', ''),
    database.selectBackfillProgress(''),
    database.saveBackfillProgress('', { position: '', rows: 0 }),
    database.deleteBackfillProgress(''),
    database.selectEstimatedRows(''),
    database.selectIndexState(''),
    database.selectNotedRows,
    database.recordMigratedRows,
  ],
  'database/removal-queries.ts': [removalTime.advanceRemovalTime],
  'database/standby-queries.ts': [
    standbys.selectPrimary,
    standbys.insertHistory,
    standbys.selectStandby,
    standbys.selectHistory,
    standbys.selectHistories,
  ],
  'documents/queries.ts': [
    documents.lockDocuments(document),
    documents.storeDocument(document, 1, at),
    documents.selectOwnDocuments(document, 1),
    documents.selectDocuments({ declarationId: '' }, 1),
    documents.selectDocument(id),
    documents.selectContent(id, 0, 1),
  ],
  'feed/lock-queries.ts': [feedLocks.lockFeeds([], 1), feedLocks.selectFree([])],
  'feed/queries.ts': [
    ...feedKinds.flatMap((kind) => [
      feed.selectPage({ kind, owner: 1 }, 0, 1, 'json'),
      feed.selectPage({ kind, owner: 1 }, 0, 1, 'ndjson'),
      feed.selectPage({ kind, owner: 1 }, 0, 1, 'events'),
      feed.selectPage({ kind, owner: 1 }, 0, 1, 'delivery'),
      feed.selectIdAt({ kind, owner: 1 }, 1),
      feed.selectMarker({ kind, owner: 1 }, id),
      feed.selectPositionBefore({ kind, owner: 1 }, '2026-01-01T00:00:00Z'),
    ]),
    ...[
      { requestId: id },
      { mrn: '' },
      { status: 'FAILURE' as const },
      { status: 'SUCCESS' as const },
    ].map((query) =>
      feed.selectPage(
        { kind: validationStatuses, owner: 1 },
        0,
        1,
        'json',
        statuses.makeStatusFilter(query),
      ),
    ),
    feed.selectFeedEnds(validationStatuses, []),
    feed.selectWrites,
  ],
  'feed/timeline-queries.ts': [
    timelines.selectTimeline,
    timelines.selectCommonEnd({ kind: validationStatuses, owner: 1 }, id),
    timelines.selectLastRestoration({ kind: validationStatuses, owner: 1 }),
    timelines.insertTimeline,
    timelines.countServerSessions,
  ],
  'goods-items/current-item-queries.ts': (['json', 'ndjson'] as const).flatMap((framing) => [
    currentItems.selectItems(undefined, undefined, 1, framing),
    currentItems.selectItems(undefined, '', 1, framing),
  ]),
  'goods-items/expiry-queries.ts': [expiry.selectExpired(at, 1, 1), expiry.expireEvents([])],
  'goods-items/view-queries.ts': [
    views.selectView(''),
    views.selectViews('', 1),
    views.selectCurrentViews([1]),
    views.lockViewOf(''),
    views.writeView(1, { chapters: ['22'] }, { at, organisation: '', client: '' }),
    views.selectShown({}, { after: 0, upTo: 1, limit: 1 }, 1),
    views.selectLastShown({}, 1),
    views.selectStreamEnds,
    views.selectShownItems({}, undefined, undefined, 1),
    views.selectShownItems({}, undefined, '', 1),
    views.selectLastMessages(1),
  ],
  'goods-items/publication-queries.ts': [
    publication.lockStream,
    publication.checkEvents([]),
    publication.selectEntries([]),
    ...publication.storeBlock(
      {
        events: [],
        removedEvents: [id],
        removedItems: [item],
        addedItems: [{ item, ordinal: 1, facts: UNKNOWN_FACTS }],
      },
      at,
    ),
  ],
  'push/queries.ts': [
    subscriptions.selectSubscriptions(holder),
    subscriptions.selectSubscription(id, holder),
    subscriptions.lockSubscription(id, holder),
    subscriptions.lockSubscriptions(1),
    subscriptions.countSubscriptions(1),
    subscriptions.insertSubscription(
      {
        ...{ id, organisationId: 1, clientId: '', kind: 2, owner: 1, url: '', signature: 'v1' },
        ...{ position: 0, marker: undefined, key: digest },
      },
      at,
    ),
    subscriptions.updateSubscription(
      id,
      { clientId: '', url: '', state: 'PAUSED', isVerified: false },
      at,
    ),
    subscriptions.removeSubscription(id),
    subscriptions.rotateSecret(id, digest, { kept: 1, oldHours: 24 }, at),
    subscriptions.suspendSubscription(id, 1, 'NOT_CONFIRMED'),
    subscriptions.insertAttempt(id, attempt, 1),
    subscriptions.selectAttempts(id, undefined, undefined, 1),
  ],
  'push/sending-queries.ts': [
    pushSending.selectFeedsWithDue(undefined, 1),
    pushSending.selectDue([], 1),
    pushSending.claimDue(id, [], new Map()),
    pushSending.storeSteps(id, [], new Map(), 1),
    pushSending.releaseAll(id),
    pushSending.selectPushFigures,
  ],
  'relay/queries.ts': [
    ...[relayedGoodsItems, relayedSignals].flatMap((feeds) => [
      relay.selectCandidates(feeds, new Map([[1, 0]]), 1),
      relay.selectEntries(feeds, new Map([['', id]])),
    ]),
    relay.selectEndsAfter(relayedSignals, 0, 1),
    relay.selectProgress(relayedSignals),
    relay.selectLags(relayedSignals, [], 0, 1),
    relay.selectRelayed(''),
    relay.selectRelayedStreams(''),
    relay.recordRelayed('', []),
    relay.forgetRelayedAfter('', 0),
  ],
  'relay/view-queries.ts': [
    relayedViews.selectAnyView,
    relayedViews.selectRelayedViews,
    relayedViews.selectMessagePositions([]),
    relayedViews.selectStreamEnds,
    relayedViews.forgetViews('', []),
    relayedViews.selectViewProgress(''),
  ],
  'playground/data-queries.ts': [
    playgroundData.findSavedData,
    playgroundData.selectRecordedStreams,
    playgroundData.selectKept(''),
    playgroundData.keep('', ''),
  ],
  'playground/dataset/group-queries.ts': (
    ['ENTRY_SUMMARY_DECLARATION', 'MASTER_CONSIGNMENT', 'RECEPTACLE', 'CONTAINER'] as const
  ).flatMap((level) => [
    playgroundGroups.findGroups(level, {}, { reference: '', type: '' }, 1),
    playgroundGroups.findGroups(level, { mrn: '' }, { reference: '', type: '' }, 1),
  ]),
  'playground/dataset/queries.ts': [
    playgroundDataset.findReferences([]),
    playgroundDataset.findLodged([]),
    playgroundDataset.findCurrentKeys([]),
    playgroundDataset.selectFailures([]),
  ],
  'playground/hosting/queries.ts': [
    playgroundHosting.listHostedSpaces,
    playgroundHosting.insertHostedSpace({
      name: '',
      organisation: '',
      code: Buffer.alloc(0),
      address: '',
      createdAt: at,
      usedAt: at,
    }),
    playgroundHosting.deleteHostedSpace(''),
    playgroundHosting.keepUse([], []),
    playgroundHosting.measureSchemas([]),
  ],
  'playground/movements/queries.ts': [
    playgroundMovements.selectExpectedTransport(1, id),
    playgroundMovements.selectStillExpected(''),
  ],
  'playground/spaces/queries.ts': [playgroundSpaces.findSchemas, playgroundSpaces.findSchema('')],
  'playground/decisions/queries.ts': [
    ...(
      [
        ['house-consignment', '', '', null],
        ['master-consignment', '', '', null],
        ['container', ''],
        ['receptacle', ''],
        ['entry-summary-declaration', ''],
      ] as const
    ).flatMap(([path, ...values]) => [
      playgroundDecisions.selectDecided({ path, values }, 1),
      playgroundDecisions.takeDecisionsBack({ path, values }, 1, at),
      playgroundDecisions.selectPresented({ path, values }, 1),
    ]),
    playgroundDecisions.settleDecisions([], at),
    playgroundDecisions.findOrganisationNumber(''),
  ],
  'playground/identity-provider/queries.ts': [
    identityProvider.findClient(''),
    identityProvider.consumeGrants([{ clientId: '', jti: '', usedAt: at, endsAt: at }]),
    identityProvider.findGrantUse({ clientId: '', jti: '' }, at),
    identityProvider.deleteExpiredGrants(at),
  ],
  'playground/undo-queries.ts': [
    playgroundUndo.selectPosition('public'),
    playgroundUndo.undoTo('public', 0),
    playgroundUndo.setPosition('public', 0),
    playgroundUndo.selectSequences('public'),
    playgroundUndo.setSequences('public', '{}'),
    playgroundUndo.selectCopySize,
  ],
  'monitoring/queries.ts': [
    monitoring.insertFigures({
      at,
      server: '',
      startedAt: at,
      version: '',
      isStopped: false,
      figures: noFigures,
      callers: [],
      removeBefore: at,
    }),
    monitoring.selectMinutes(at),
    monitoring.selectServers(at),
    monitoring.selectCallers(at, 1),
    monitoring.selectBackups,
    monitoring.selectReplicas,
    monitoring.selectStarts(at, 1),
    monitoring.selectFailedRequests(at, 1, ''),
  ],
  'movements/queries.ts': [
    movements.selectMovementStatus(1, id),
    movements.selectMovement(1, { mode: 'road', level: 'transport' }, ''),
    movements.selectMarked(1, ''),
    ...(['party', 'document', 'means'] as const).map((way) =>
      movements.findMovements(1, { mode: 'road', level: 'transport' }, way, {
        after: undefined,
        limit: 1,
        examined: 1,
      }),
    ),
  ],
  'presentation/house-queries.ts': [
    houses.lockHouseConsignments([], false, 0),
    houses.commitHouseConsignments([], false, '', at),
  ],
  'presentation/level-queries.ts': [
    levels.findLevel('container', presentationRequest('container', 1, {}), false),
    levels.lockLevel([], presentationRequest('container', 1, {})),
    levels.recordLevel(
      'container',
      presentationRequest('container', 1, {}),
      foundLevel,
      false,
      '',
      at,
    ),
    levels.commitLevel('container', presentationRequest('container', 1, {}), false, '', at),
  ],
  'presentation/status-queries.ts': [statuses.selectStatus(1, id)],
  'production/queries.ts': [
    production.selectServerSettings,
    production.selectLockTableSize,
    production.selectTime,
    production.selectDatabaseState,
    production.selectCertificates,
    production.limitLockWait(1000),
    production.selectSharedKeys(1),
  ],
  'movements/arrival-queries.ts': [
    transportArrivals.selectReported('', 1),
    transportArrivals.recordArrival(1, {
      at: '',
      office: '',
      recordedAt: at,
      requestId: id,
      signal: '',
    }),
    ...[
      { identificationNumber: '', conveyanceReferenceNumber: undefined },
      { identificationNumber: undefined, conveyanceReferenceNumber: '' },
      { identificationNumber: '', conveyanceReferenceNumber: '' },
    ].map((numbers) =>
      transportArrivals.findSeenTransports({ mode: 'road', ...numbers }, { at: '', office: '' }, 1),
    ),
  ],
  'presentation/reached-queries.ts': [
    reached.findReached({ transport: 1 }, false, 1),
    reached.findReached({ transport: 1, houses: [] }, false, 1),
    reached.presentReached({ transport: 1 }, [], false, 1, at),
    reached.presentReached({ transport: 1, houses: [] }, [], false, 1, at),
    reached.selectArrivals({ id: 1, at }, 1),
    reached.selectLodgedAfter({ id: 1, at }, 1),
    reached.selectReaching([], false, 1, at),
  ],
  'movements/authority-queries.ts': [
    ...(['time', 'office', 'means'] as const).map((way) =>
      authorityMovements.findTransports({}, way, { after: undefined, limit: 1, examined: 1 }),
    ),
    authorityMovements.selectMarkedTransport(''),
    authorityMovements.selectAnyMovement('', false, 1),
    authorityMovements.selectChanged(''),
  ],
  'movements/changing-queries.ts': [
    changing.selectLodged('', 1, { mode: 'road', level: 'transport' }),
    changing.selectPresentedUnder(1),
    changing.selectPartiesUnder([]),
    changing.selectExisting(''),
    changing.updateMovement(1, movement, '', at),
    changing.deleteReferences(1),
    changing.selectRemovedReferences(1, []),
    changing.endMovement(1, 'CANCELLED', id, at),
  ],
  'movements/descendant-queries.ts': [
    descendants.selectTransportDescendants('', asking),
    descendants.selectMasterDescendants('', asking),
    descendants.selectMasterDocuments('', asking),
    descendants.selectHouseDocumentsOfTransport('', asking),
    ...[{ mrn: '' }, { documentNumber: '', type: '', carrierId: '' }].flatMap((named) => [
      descendants.selectHouseDocumentsOfMaster(named, asking),
      descendants.selectHouseDocument(named, asking),
    ]),
    descendants.selectHouseDocumentsOfReceptacle('', asking),
    descendants.selectEntryStatus('', asking),
  ],
  'movements/relation-queries.ts': [
    relations.selectRelatable([''], 'road'),
    relations.selectRelationOf(1, 1),
    relations.insertRelation({ mrn: '', parent: 1, child: 1, maker: 1, requestId: id }, at),
    relations.selectRelation(''),
    relations.selectPresentedByRelation('', false),
    relations.endRelation('', at),
  ],
  'movements/waiting-queries.ts': [
    waiting.insertAwaited([]),
    waiting.deleteAwaited(1),
    waiting.selectWaiting([]),
    waiting.deleteFound([], []),
    waiting.removeReasons([], [], at),
  ],
  'movements/lodging-queries.ts': [
    lodging.beginRecording([], at),
    lodging.claimKeys([], at),
    lodging.selectByKeys([]),
    lodging.insertLodged([], at),
    lodging.insertReferences([]),
    lodging.appendStatuses([], ''),
  ],
  'registry/declaration-queries.ts': [
    declarations.lockDeclarations([], null),
    declarations.lockInTurn(''),
    declarations.selectFreeDeclarations([]),
    declarations.selectDeclarations([]),
    declarations.selectPresentedDeclarations([]),
    declarations.insertOrganisations([]),
    declarations.selectOrganisationIds([]),
    declarations.insertRegistration({ at, actor, requestId: id }),
    declarations.insertDeclarations([], 1),
    declarations.updateDeclarations([]),
    declarations.updateVersions([], 1),
  ],
  'registry/house-queries.ts': [
    registryHouses.compareHouses([]),
    registryHouses.insertHouses([]),
    registryHouses.updateHouses([]),
    registryHouses.updateHeads([], []),
    registryHouses.updateRoutings([]),
    registryHouses.insertContainers([]),
    registryHouses.deleteContainers([]),
  ],
  'registry/registered-house-queries.ts': [
    housesAsRegistered.selectHousesOfDeclaration(1, undefined, 1),
    housesAsRegistered.selectHousePage(1, undefined, 1, { before: '', after: '', between: '' }),
    housesAsRegistered.selectRegisteredHouses([]),
  ],
  'registry/withdrawal-queries.ts': [
    withdrawals.selectUnlistedHouses([], [], 1),
    withdrawals.keepControls({ withdrawnFrom: [1], listed: [], changed: [], partiesOf: [] }, at),
    withdrawals.withdrawHouses(1, [], 1, 1, undefined),
    withdrawals.selectKeptForParties(1, false),
    withdrawals.withdrawDeclarations([1], 1),
    withdrawals.selectWithdrawnHouses([]),
    withdrawals.deleteWithdrawnHouses([]),
  ],
  'registry/entered-queries.ts': [
    entered.lockReferences([], true),
    entered.selectPresented([]),
    entered.deleteEntered([]),
    entered.insertEntered([], []),
    entered.flagForPresenters(1, []),
  ],
  'retention/movement-queries.ts': [
    ...(['EXPIRED', 'CLOSED'] as const).flatMap((state) =>
      (['TRANSPORT', 'MASTER_CONSIGNMENT', 'HOUSE_CONSIGNMENT'] as const).flatMap((level) => [
        endings.selectEnding({ state, level }, at, endings.beforeAllMovements, 1),
        endings.endDue({ state, level }, at, [], [], at),
      ]),
    ),
    endings.removeTexts(at, 1, at),
    endings.selectClosed(at, endings.beforeAllMovements, 1),
    endings.deleteClosed([]),
  ],
  'retention/unpresented-queries.ts': [
    unpresented.selectUnpresented(at, id, id, 1),
    unpresented.deleteUnpresented([], [], at),
    unpresented.selectEmptyDeclarations(at, 1, 1),
    unpresented.deleteEmptyUnpresented([], at),
    unpresented.changeVersions([]),
  ],
  'retention/registration-queries.ts': [retainedRegistrations.expireRegistrations(0, at, 1)],
  'retention/document-queries.ts': [retainedDocuments.deleteExpiredDocuments(at, 1)],
  'retention/entry-queries.ts': expiringKinds.flatMap((feed) => [
    retainedEntries.selectDueFeeds(feed, 0, at, 1),
    retainedEntries.countDueFeeds(feed, [], at),
    retainedEntries.expireEntries(feed, [], at, 1, undefined),
    retainedEntries.expireEntries(feed, [], at, 1, ['SIGNALS']),
  ]),
  'retention/house-consignment-queries.ts': [
    retainedHouses.selectCandidates(at, retainedHouses.beforeAll, 1),
    retainedHouses.lockDeclarationsOf([]),
    retainedHouses.deleteExpiredHouses([], [], at),
    retainedHouses.deleteEmptyDeclarations([]),
    retainedHouses.deleteWithdrawnHouses(at, 1),
    retainedHouses.deleteWithdrawnDeclarations(at, 1),
  ],
  'retention/reference-queries.ts': [
    retainedReferences.lockOldReferences(at, 0, 1),
    retainedReferences.deleteReferences([1]),
  ],
  'retention/run-queries.ts': [retainedRuns.deleteExpiredRun(at, undefined)],
  'routing/decision-queries.ts': [
    decisions.lockAffected([], decider, false, false, 50),
    decisions.lockBeside([], false),
    decisions.selectDecided([], decider, false),
    decisions.writeDecisions([], decider, ''),
    decisions.keepDecisionRecord(''),
    decisions.insertRegisteredDecisions([], () => ({ at, actor, requestId: id }), undefined),
    decisions.selectDecidedBefore([]),
  ],
  'routing/same-goods-queries.ts': [
    sameGoods.selectSameGoods([], false),
    sameGoods.selectRecords([]),
  ],
  'routing/presented-queries.ts': [
    presentedGoods.selectCompletedLodged({ at, id: 1 }, 1),
    presentedGoods.selectPresentedLodged([]),
    presentedGoods.selectUndecidedLodged({ at, id }, 1),
  ],
  'runs/access-queries.ts': [runAccess.selectRunAccess(id)],
  'runs/queries.ts': [
    runs.insertRun(
      {
        id,
        needsConfirmation: false,
        selection: '{}',
        routing: '',
        routingControlLocation: '',
        reason: '',
        reverses: undefined,
      },
      [],
      decider,
    ),
    runs.selectRun(id),
    runs.confirmRun(id, decider),
    runs.lockRun(id),
    runs.selectRuns({}, 1),
    runs.selectRuns({ newestFirst: true }, 1),
    runs.updateRunState(id, 'PAUSED', undefined, at),
    runs.selectResults(id, {}, 1),
    runs.selectReversible(id),
    runs.selectRunning,
    runs.selectOpenItems(id, undefined, 1),
    runs.writeResults(id, [], at),
  ],
  'routing/release-queries.ts': [release.selectRelease(1, '', 1, 1)],
  'routing/explanation-queries.ts': [
    explanation.selectExplained(1, { key: '', types: [''], mrn: undefined }, 1),
    explanation.selectExplained(1, { key: '', types: [''], mrn: '' }, 1),
  ],
  'routing/profile-queries.ts': [
    profiles.lockProfiles,
    profiles.selectProfiles('', { name: '', version: 0 }, 1, 1),
    profiles.selectLiveProfile,
    profiles.selectProfile(''),
    profiles.insertProfile('', 1, '', at),
    profiles.clearLiveProfile,
    profiles.setLiveProfile('', 1, at),
    profiles.selectConsignmentFacts([id]),
    profiles.selectLatestConsignments(undefined, 1),
    profiles.selectUndecidedConsignments(undefined, 1, 1),
    profiles.selectLastOf(undefined, 1),
  ],
};
