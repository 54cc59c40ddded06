// Routing runs: one decision on many house consignments, which the service makes in the background.
import { type Static, Type } from 'typebox';
import { ValidationErrorCode } from './errors.js';
import { HouseConsignment, HouseConsignmentQuery } from './house-consignment.js';
import { declarationMrns, UUID_PATTERN } from './identifiers.js';
import { OrganisationIdentifier } from './organisation.js';
import { paging } from './paging.js';
import { OneLine } from './patterns.js';
import { Count, Instant } from './quantities.js';
import { RoutingControlLocation } from './routing.js';
import { CurrentDecision, DecidedRouting, DecisionOrigin } from './routing-decision.js';
import { TransportDocument } from './transport-document.js';

/** Maximum number of house consignments of a run. */
export const RUN_SIZE = 100_000;

/** Maximum number of ids in the selection of a run. */
export const RUN_IDS = 10_000;

/** How many house consignments are examined at most to select those of a run. */
export const RUN_EXAMINED = 1_000_000;

/** How many house consignments a preview shows. */
export const PREVIEWED = 100;

const runId = Type.String({ format: 'uuid', description: 'The id of the run' });

const { marker: _, limit: __, state: ___, ...filters } = HouseConsignmentQuery.properties;

const selectionFilters = {
  ...filters,
  state: Type.Optional(
    Type.Enum(['PRE_NOTIFIED', 'DECIDED', 'PRESENTED', 'SIGNALLED'], {
      description: 'The state of the house consignments when the run is created',
    }),
  ),
};

/** The filters of a run. */
export const RoutingRunFilters = Type.Object(selectionFilters, {
  $id: 'RoutingRunFilters',
  description:
    'The filters by which a run has selected; none if it was created with `houseConsignmentIds` alone. The results have the ids',
});
export type RoutingRunFilters = Static<typeof RoutingRunFilters>;

/** Which house consignments a run decides on. */
export const RoutingRunSelection = Type.Object(
  {
    ...selectionFilters,
    houseConsignmentIds: Type.Optional(
      Type.Array(Type.String({ format: 'uuid', pattern: UUID_PATTERN }), {
        minItems: 1,
        maxItems: RUN_IDS,
        uniqueItems: true,
        description:
          'Exactly these house consignments, as a list has shown them. With filters, each must still match all of them: else the run is refused with `REFERENCE_NOT_FOUND` for each that does not',
      }),
    ),
  },
  {
    $id: 'RoutingRunSelection',
    description:
      'Filters of the list of house consignments, all of which match, or `houseConsignmentIds`, or both',
  },
);
export type RoutingRunSelection = Static<typeof RoutingRunSelection>;

const Reason = OneLine(500, 'The reason of every decision; only the authority can read it');

const runMembers = {
  reason: Reason,
  expectedCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of house consignments that a preview has shown. With another number, no run is created: `COUNT_DIFFERS`',
    }),
  ),
  preview: Type.Optional(
    Type.Boolean({
      description: 'With `true`, nothing is changed: the response is what the run would decide on',
    }),
  ),
};

/** A run as it is requested. */
export const NewRoutingRun = Type.Object(
  {
    select: RoutingRunSelection,
    routing: DecidedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    ...runMembers,
  },
  {
    $id: 'NewRoutingRun',
    description: 'A run; `routingControlLocation` requires `TO_CONTROL`',
    examples: [
      {
        select: { office: 'NO351001', state: 'PRESENTED' },
        routing: 'TO_ENTRY',
        reason: 'the risk engine was away',
        expectedCount: 42,
      },
    ],
  },
);
export type NewRoutingRun = Static<typeof NewRoutingRun>;

/** A reversal as it is requested. */
export const NewRoutingRunReversal = Type.Object(runMembers, {
  $id: 'NewRoutingRunReversal',
  description: 'The reversal of a run',
  examples: [{ reason: 'the wrong office was selected', expectedCount: 42 }],
});
export type NewRoutingRunReversal = Static<typeof NewRoutingRunReversal>;

/** Whether a run goes on. */
export const RoutingRunState = Type.Enum(
  ['PROPOSED', 'RUNNING', 'PAUSED', 'GIVEN_UP', 'COMPLETED'],
  {
    $id: 'RoutingRunState',
    description:
      '`PROPOSED`: it decides nothing until another officer has confirmed it; `RUNNING`: it decides, also after a restart of the servers; `PAUSED`: it decides nothing until it is resumed; `GIVEN_UP`: it decides nothing more, and what it has decided remains; `COMPLETED`: every house consignment has a result',
  },
);
export type RoutingRunState = Static<typeof RoutingRunState>;

/** Who has let a run decide that was proposed. */
export const RoutingRunConfirmation = Type.Object(
  {
    organisation: OrganisationIdentifier,
    client: Type.String({
      description: 'The client of the organisation; in the console, the subject of the person',
    }),
    at: Instant('When it was confirmed'),
  },
  {
    $id: 'RoutingRunConfirmation',
    description: 'The other officer who has confirmed a run that was proposed',
  },
);
export type RoutingRunConfirmation = Static<typeof RoutingRunConfirmation>;

/** A run and how far it is. */
export const RoutingRun = Type.Object(
  {
    id: runId,
    state: RoutingRunState,
    problem: Type.Optional(
      Type.Enum(['ACCESS_ENDED'], {
        description:
          'Why Landfall has paused it. `ACCESS_ENDED`: the organisation that has created it is blocked, or no longer has the scope. Repair that, then resume it',
      }),
    ),
    createdAt: Instant('When it was created'),
    changedAt: Instant('When its state changed last'),
    select: Type.Optional(RoutingRunFilters),
    routing: Type.Optional(DecidedRouting),
    routingControlLocation: Type.Optional(RoutingControlLocation),
    reason: Type.String(),
    origin: DecisionOrigin,
    decidedBy: OrganisationIdentifier,
    client: Type.String({ description: 'The client of the organisation' }),
    requestId: Type.String({ description: 'The id of the request' }),
    confirmedBy: Type.Optional(RoutingRunConfirmation),
    reverses: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The run that it reverses; it has no `select` and no `routing` then',
      }),
    ),
    houseConsignments: Count('How many house consignments it has'),
    pending: Count('How many of them have no result yet'),
    decided: Count('How many got another routing'),
    unchanged: Count('How many had the routing already'),
    conflicts: Count('How many somebody else has decided since the run was created'),
    refused: Count('How many could not be decided'),
    signals: Count('How many signals it has issued'),
    etag: Type.String({
      description:
        'Another one after each change of the state, not after each decision: sent as `If-Match`, which a change requires, only this state is changed',
    }),
  },
  { $id: 'RoutingRun', description: 'A routing run and its progress' },
);
export type RoutingRun = Static<typeof RoutingRun>;

/** What a run would decide on. */
export const RoutingRunPreview = Type.Object(
  {
    count: Count('How many house consignments the run would have; send it as `expectedCount`'),
    undecided: Count('How many of them nobody has decided'),
    toControl: Count('How many of them are `TO_CONTROL` now'),
    toEntry: Count('How many of them are `TO_ENTRY` now'),
    entryPending: Type.Optional(
      Count('How many of them are `ENTRY_PENDING` now; absent if there are none'),
    ),
    entryDenied: Type.Optional(
      Count('How many of them are `ENTRY_DENIED` now; absent if there are none'),
    ),
    needsConfirmation: Type.Boolean({
      description: 'Whether the run would be `PROPOSED`, so that another officer has to confirm it',
    }),
    houseConsignments: Type.Array(HouseConsignment, {
      maxItems: PREVIEWED,
      description: `The first ${PREVIEWED} of them, in the order in which they were pre-notified`,
    }),
  },
  { $id: 'RoutingRunPreview', description: 'What a run would decide on' },
);
export type RoutingRunPreview = Static<typeof RoutingRunPreview>;

/** A change of the state of a run. */
export const RoutingRunChange = Type.Object(
  {
    state: Type.Enum(['RUNNING', 'PAUSED', 'GIVEN_UP'], {
      description: '`RUNNING` confirms a run that is proposed, and resumes one that is paused',
    }),
  },
  { $id: 'RoutingRunChange', description: 'The state that a run is to have' },
);
export type RoutingRunChange = Static<typeof RoutingRunChange>;

/** The query of runs. */
export const RoutingRunQuery = Type.Object({
  state: Type.Optional(RoutingRunState),
  newestFirst: Type.Optional(
    Type.Boolean({ description: 'With `true`, the run that was created last is the first' }),
  ),
  ...paging('The id of the last run'),
});
export type RoutingRunQuery = Static<typeof RoutingRunQuery>;

/** What has become of one house consignment. */
export const RoutingRunStatus = Type.Enum(
  ['PENDING', 'DECIDED', 'UNCHANGED', 'CONFLICT', 'REFUSED'],
  {
    $id: 'RoutingRunStatus',
    description:
      "`PENDING`: nothing has been done; `DECIDED`: the run has changed its routing; `UNCHANGED`: it had the routing already; `CONFLICT`: nothing was decided, because somebody has decided since the run was created, or the decision is an officer's and a system created the run; `REFUSED`: it cannot be decided, `code` says why",
  },
);
export type RoutingRunStatus = Static<typeof RoutingRunStatus>;

/** The result of a run for one house consignment. */
export const RoutingRunResult = Type.Object(
  {
    houseConsignmentId: Type.String({ format: 'uuid' }),
    ...declarationMrns,
    transportDocumentHouseLevel: Type.Optional(TransportDocument),
    status: RoutingRunStatus,
    code: Type.Optional(ValidationErrorCode),
    before: Type.Optional(CurrentDecision),
    after: Type.Optional(CurrentDecision),
    current: Type.Optional(CurrentDecision),
  },
  {
    $id: 'RoutingRunResult',
    description:
      'The result of a run for one house consignment. `before` is the current decision when the run was created, absent if there was none; `after` the decision of the run, absent if it has stored none; `current`, with `CONFLICT`, the decision that remained. The document is absent after retention has removed the house consignment',
  },
);
export type RoutingRunResult = Static<typeof RoutingRunResult>;

/** The query of the results of a run. */
export const RoutingRunResultQuery = Type.Object({
  status: Type.Optional(RoutingRunStatus),
  ...paging('The id of the last house consignment'),
});
export type RoutingRunResultQuery = Static<typeof RoutingRunResultQuery>;
