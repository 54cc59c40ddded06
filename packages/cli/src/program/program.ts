// The `landfall` command with all its subcommands.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addAdminAuditDecisions } from '../commands/admin/audit/decisions.js';
import { addAdminAuditExport } from '../commands/admin/audit/export.js';
import { addAdminAuditVerify } from '../commands/admin/audit/verify.js';
import { addAdminBootstrap } from '../commands/admin/bootstrap.js';
import { addAdminCheckProvider } from '../commands/admin/check-provider.js';
import { addAdminKeysChangePassphrase } from '../commands/admin/keys/change-passphrase.js';
import { addAdminKeysList } from '../commands/admin/keys/list.js';
import { addAdminKeysRotate } from '../commands/admin/keys/rotate.js';
import { addAdminMigrate } from '../commands/admin/migrate.js';
import { addAdminRestored } from '../commands/admin/restored.js';
import { addAdminStatus } from '../commands/admin/status.js';
import { addAuthorityArrive } from '../commands/authority/arrive.js';
import { addAuthorityDecide } from '../commands/authority/decide.js';
import { addAuthorityGenerate } from '../commands/authority/generate.js';
import { addAuthorityImport } from '../commands/authority/import.js';
import { addAuthorityMovementCancel } from '../commands/authority/movement/cancel.js';
import { addAuthorityMovementShow } from '../commands/authority/movement/show.js';
import { addAuthorityTransportList } from '../commands/authority/transport/list.js';
import { addCodelistImport } from '../commands/codelist/import.js';
import { addCodelistList } from '../commands/codelist/list.js';
import { addCodelistView } from '../commands/codelist/view.js';
import { addCompletion } from '../commands/completion/completion.js';
import { addConsignmentList } from '../commands/consignment/list.js';
import { addConsignmentView } from '../commands/consignment/view.js';
import { addDatasetGenerate } from '../commands/dataset/generate.js';
import { addDatasetList } from '../commands/dataset/list.js';
import { addDatasetView } from '../commands/dataset/view.js';
import { addDoctor } from '../commands/doctor/doctor.js';
import { addDocumentFind } from '../commands/document/find.js';
import { addDocumentList } from '../commands/document/list.js';
import { addDocumentRead } from '../commands/document/read.js';
import { addDocumentUpload } from '../commands/document/upload.js';
import { addFeedFollow } from '../commands/feed/follow.js';
import { addFeedGenerate } from '../commands/feed/generate.js';
import { addFeedImport } from '../commands/feed/import.js';
import { addFeedList } from '../commands/feed/list.js';
import { addFeedValidate } from '../commands/feed/validate.js';
import { addGoodsItemViewGet } from '../commands/goods-item/view-get.js';
import { addGoodsItemViewList } from '../commands/goods-item/view-list.js';
import { addGoodsItemViewRemove } from '../commands/goods-item/view-remove.js';
import { addGoodsItemViewSet } from '../commands/goods-item/view-set.js';
import { addGoodsItemViewTry } from '../commands/goods-item/view-try.js';
import { addMovementArrive } from '../commands/movement/arrive.js';
import { addMovementCancel } from '../commands/movement/cancel.js';
import { addMovementCheck } from '../commands/movement/check.js';
import { addMovementDocuments } from '../commands/movement/documents.js';
import { addMovementEntry } from '../commands/movement/entry.js';
import { addMovementGenerate } from '../commands/movement/generate.js';
import { addMovementList } from '../commands/movement/list.js';
import { addMovementLodge } from '../commands/movement/lodge.js';
import { addMovementRelate, addMovementUnrelate } from '../commands/movement/relate.js';
import { addMovementReplace } from '../commands/movement/replace.js';
import { addMovementRules } from '../commands/movement/rules.js';
import { addMovementShow } from '../commands/movement/show.js';
import {
  addMovementStatusFollow,
  addMovementStatusList,
  addMovementStatusView,
} from '../commands/movement/status.js';
import { addMovementView } from '../commands/movement/view.js';
import { addOrganisationAddKey } from '../commands/organisation/add-key.js';
import { addOrganisationBlock } from '../commands/organisation/block.js';
import { addOrganisationCreate } from '../commands/organisation/create.js';
import { addOrganisationGrant } from '../commands/organisation/grant.js';
import { addOrganisationList } from '../commands/organisation/list.js';
import { addOrganisationNames } from '../commands/organisation/names.js';
import { addOrganisationRevoke } from '../commands/organisation/revoke.js';
import { addOrganisationUnblock } from '../commands/organisation/unblock.js';
import { addOrganisationUpdate } from '../commands/organisation/update.js';
import { addOrganisationView } from '../commands/organisation/view.js';
import { addPlayground } from '../commands/playground/playground.js';
import { addPresent } from '../commands/present/present.js';
import { addProfileAdd } from '../commands/profile/add.js';
import { addProfileList } from '../commands/profile/list.js';
import { addProfileRemove } from '../commands/profile/remove.js';
import { addProfileUse } from '../commands/profile/use.js';
import { addPushAttempts } from '../commands/push/attempts.js';
import { addPushCreate } from '../commands/push/create.js';
import { addPushDelete } from '../commands/push/delete.js';
import { addPushList } from '../commands/push/list.js';
import { addPushListen } from '../commands/push/listen.js';
import { addPushRotate } from '../commands/push/rotate.js';
import { addPushTest } from '../commands/push/test.js';
import { addPushUpdate } from '../commands/push/update.js';
import { addPushView } from '../commands/push/view.js';
import { addReferenceDocumentGenerate } from '../commands/reference-document/generate.js';
import { addReferenceDocumentImport } from '../commands/reference-document/import.js';
import { addReferenceDocumentList } from '../commands/reference-document/list.js';
import { addRoutingExplain } from '../commands/routing/explain.js';
import { addRoutingFollow } from '../commands/routing/follow.js';
import { addRoutingList } from '../commands/routing/list.js';
import { addRoutingRelease } from '../commands/routing/release.js';
import { addRoutingWait } from '../commands/routing/wait.js';
import { addRoutingProfileActivate } from '../commands/routing-profile/activate.js';
import { addRoutingProfileApply } from '../commands/routing-profile/apply.js';
import { addRoutingProfileCreate } from '../commands/routing-profile/create.js';
import { addRoutingProfileDeactivate } from '../commands/routing-profile/deactivate.js';
import { addRoutingProfileDryRun } from '../commands/routing-profile/dry-run.js';
import { addRoutingProfileList } from '../commands/routing-profile/list.js';
import {
  addRoutingRunConfirm,
  addRoutingRunGiveUp,
  addRoutingRunPause,
  addRoutingRunResume,
} from '../commands/routing-run/change-state.js';
import { addRoutingRunCreate } from '../commands/routing-run/create.js';
import { addRoutingRunList } from '../commands/routing-run/list.js';
import { addRoutingRunResults } from '../commands/routing-run/results.js';
import { addRoutingRunReverse } from '../commands/routing-run/reverse.js';
import { addRoutingRunView } from '../commands/routing-run/view.js';
import { addScenarioCreate } from '../commands/scenario/create.js';
import { addScenarioDelete } from '../commands/scenario/delete.js';
import { addScenarioList } from '../commands/scenario/list.js';
import { addServe } from '../commands/serve/serve.js';
import { addSnapshotCreate } from '../commands/snapshot/create.js';
import { addSnapshotDelete } from '../commands/snapshot/delete.js';
import { addSnapshotList } from '../commands/snapshot/list.js';
import { addSnapshotRestore } from '../commands/snapshot/restore.js';
import { addSpaceDelete } from '../commands/space/delete.js';
import { addSpaceList } from '../commands/space/list.js';
import { addStatusFollow } from '../commands/status/follow.js';
import { addStatusList } from '../commands/status/list.js';
import { addStatusView } from '../commands/status/view.js';
import { addTokenCreate } from '../commands/token/create.js';
import { addTokenDoctor } from '../commands/token/doctor.js';
import { addTrialProvider } from '../commands/trial-provider/trial-provider.js';
import { describeExitCodes } from '../process/exit-codes.js';

/** Prints what commander says of wrong arguments, or leaves it to the error as JSON. */
const quiet = { outputError: () => undefined, writeErr: () => undefined };

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

const examples = `
Start a playground, then try it from another terminal:
  $ landfall playground
  $ landfall present house-consignment --document HC001 --type N740
  $ landfall routing list

Settings: an option, else its environment variable, else the profile (landfall profile --help), else the default.

Exit codes:
${describeExitCodes()}
With --json, an error is the last line on standard error, as JSON: {"error":{"ending","exitCode","message",...}}.`;

/** The nouns, each with its verbs. */
const groups: Record<string, { description: string; commands: readonly AddCommand[] }> = {
  token: {
    description: 'customs tokens: obtain and check them',
    commands: [addTokenCreate, addTokenDoctor],
  },
  status: {
    description: 'validation statuses of presentation requests',
    commands: [addStatusList, addStatusView, addStatusFollow],
  },
  routing: {
    description: 'routing signals: whether consignments go to control or to entry',
    commands: [
      addRoutingList,
      addRoutingFollow,
      addRoutingWait,
      addRoutingExplain,
      addRoutingRelease,
    ],
  },
  feed: {
    description: 'goods-item stream: validate, generate, import and read messages',
    commands: [addFeedList, addFeedImport, addFeedFollow, addFeedValidate, addFeedGenerate],
  },
  push: {
    description: 'subscriptions: feeds that are sent to a receiver, as Standard Webhooks',
    commands: [
      addPushCreate,
      addPushList,
      addPushView,
      addPushUpdate,
      addPushTest,
      addPushRotate,
      addPushAttempts,
      addPushDelete,
      addPushListen,
    ],
  },
  document: {
    description:
      'documents of customs declarations: upload them, and for the authority find and read them',
    commands: [addDocumentUpload, addDocumentList, addDocumentFind, addDocumentRead],
  },
  movement: {
    description: 'movement messages: lodge transports, master and house consignments',
    commands: [
      addMovementLodge,
      addMovementReplace,
      addMovementCancel,
      addMovementRelate,
      addMovementUnrelate,
      addMovementArrive,
      addMovementShow,
      addMovementList,
      addMovementView,
      addMovementDocuments,
      addMovementEntry,
      addMovementCheck,
      addMovementRules,
      addMovementGenerate,
    ],
  },
  dataset: {
    description: 'datasets for playgrounds and tests: generate, view, list what can be presented',
    commands: [addDatasetGenerate, addDatasetView, addDatasetList],
  },
  scenario: {
    description: 'scenarios of a playground: what goes wrong, to test a client',
    commands: [addScenarioList, addScenarioCreate, addScenarioDelete],
  },
  space: {
    description: 'spaces of a hosted playground, for its operator',
    commands: [addSpaceList, addSpaceDelete],
  },
  snapshot: {
    description: 'snapshots of a playground: states to which tests return',
    commands: [addSnapshotList, addSnapshotCreate, addSnapshotRestore, addSnapshotDelete],
  },
  consignment: {
    description: 'customs authority: house consignments, their state and history',
    commands: [addConsignmentList, addConsignmentView],
  },
  authority: {
    description:
      'customs authority: pre-notifications, routing decisions, arrivals and movement messages',
    commands: [addAuthorityImport, addAuthorityDecide, addAuthorityArrive, addAuthorityGenerate],
  },
  'routing-profile': {
    description: 'customs authority: rules that decide consignments without a decision',
    commands: [
      addRoutingProfileList,
      addRoutingProfileCreate,
      addRoutingProfileDryRun,
      addRoutingProfileActivate,
      addRoutingProfileDeactivate,
      addRoutingProfileApply,
    ],
  },
  'routing-run': {
    description: 'customs authority: decide on many house consignments, and reverse that',
    commands: [
      addRoutingRunCreate,
      addRoutingRunList,
      addRoutingRunView,
      addRoutingRunResults,
      addRoutingRunPause,
      addRoutingRunResume,
      addRoutingRunConfirm,
      addRoutingRunGiveUp,
      addRoutingRunReverse,
    ],
  },
  organisation: {
    description: 'customs authority: organisations, their scopes, keys and blocks',
    commands: [
      addOrganisationList,
      addOrganisationView,
      addOrganisationNames,
      addOrganisationCreate,
      addOrganisationUpdate,
      addOrganisationGrant,
      addOrganisationRevoke,
      addOrganisationBlock,
      addOrganisationUnblock,
      addOrganisationAddKey,
    ],
  },
  'goods-item': {
    description: 'customs authority: what each organisation sees of the goods-item stream',
    commands: [],
  },
  codelist: {
    description: 'code lists: show them, and import them as the customs authority',
    commands: [addCodelistImport, addCodelistList, addCodelistView],
  },
  'reference-document': {
    description: 'customs authority: documents of other registers, which movement messages cite',
    commands: [addReferenceDocumentImport, addReferenceDocumentList, addReferenceDocumentGenerate],
  },
  profile: {
    description: 'settings of the services that this user calls',
    commands: [addProfileAdd, addProfileList, addProfileUse, addProfileRemove],
  },
  admin: {
    description: 'operator of a server: its database and signing keys, without HTTP',
    commands: [
      addAdminBootstrap,
      addAdminCheckProvider,
      addAdminMigrate,
      addAdminRestored,
      addAdminStatus,
    ],
  },
};

/**
 * Builds the command.
 *
 * @param json whether the caller reports errors as JSON, so that commander prints none
 */
export function makeProgram({ json = false }: { json?: boolean } = {}): Command {
  const program = new Command('landfall')
    .configureOutput(json ? quiet : {})
    .description('Present goods that arrive, and read whether they go to control or to entry.')
    .version(String(version))
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('(use --help for usage)')
    .addHelpText('after', examples);

  addPlayground(program);
  addServe(program);
  addTrialProvider(program);
  addPresent(program);
  addDoctor(program);
  for (const [name, { description, commands }] of Object.entries(groups)) {
    const group = addGroup(program, name, description, commands);
    if (name === 'movement') {
      addGroup(group, 'status', 'statuses of requests about movement messages', [
        addMovementStatusList,
        addMovementStatusView,
        addMovementStatusFollow,
      ]);
    }
    if (name === 'authority') {
      addGroup(group, 'transport', 'transports of all organisations', [addAuthorityTransportList]);
      addGroup(group, 'movement', 'movement messages of all organisations', [
        addAuthorityMovementShow,
        addAuthorityMovementCancel,
      ]);
    }
    if (name === 'goods-item') {
      addGroup(group, 'view', 'views of the goods-item stream', [
        addGoodsItemViewList,
        addGoodsItemViewGet,
        addGoodsItemViewSet,
        addGoodsItemViewRemove,
        addGoodsItemViewTry,
      ]);
    }
    if (name !== 'admin') continue;
    addGroup(group, 'keys', 'keys that sign tokens', [
      addAdminKeysList,
      addAdminKeysRotate,
      addAdminKeysChangePassphrase,
    ]);
    addGroup(group, 'audit', 'audit trail', [
      addAdminAuditDecisions,
      addAdminAuditExport,
      addAdminAuditVerify,
    ]);
  }
  addCompletion(program);
  return program;
}

type AddCommand = (group: Command) => void;

function addGroup(
  parent: Command,
  name: string,
  description: string,
  commands: readonly AddCommand[],
): Command {
  const group = parent.command(name).description(description);
  for (const add of commands) add(group);
  return group;
}
