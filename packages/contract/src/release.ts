// Whether goods may be released: the routing of everything that one identifier identifies. Decision 0110.
import { type Static, Type } from 'typebox';
import { ContainerId, declarationMrns, ReceptacleOfGoods } from './identifiers.js';
import { Identifier } from './patterns.js';
import { Count } from './quantities.js';
import { IssuedRouting, RoutingControlLocation, RoutingSignal } from './routing.js';
import { TransportDocument } from './transport-document.js';

/** Maximum number of house consignments that one check examines. */
export const MAX_CHECKED_CONSIGNMENTS = 5_000;

/** Maximum number of house consignments that the response of a check lists. */
export const MAX_LISTED_CONSIGNMENTS = 50;

/** The query of a check. */
export const ReleaseQuery = Type.Object({
  identifier: Identifier(
    100,
    'Number of a house or master document, MRN, receptacle or container. Capitals and blanks do not matter',
    ['HC001'],
  ),
});
export type ReleaseQuery = Static<typeof ReleaseQuery>;

/** What may be done with the goods. */
export const ReleaseOutcome = Type.Enum(
  [
    'TO_ENTRY',
    'TO_CONTROL',
    'ENTRY_DENIED',
    'UNDECIDED',
    'ENTRY_PENDING',
    'NOT_PRESENTED',
    'TOO_MANY',
    'UNKNOWN',
  ],
  {
    $id: 'ReleaseOutcome',
    description: `What applies to all of the goods. \`TO_ENTRY\`: they may be released when other customs procedures are fulfilled; \`TO_CONTROL\`: at least one house consignment goes to control; \`ENTRY_DENIED\`: none goes to control, and at least one may not enter; \`UNDECIDED\`: neither, and at least one is not decided; \`ENTRY_PENDING\`: at least one waits for its entry, and all others go to entry or are not presented; \`NOT_PRESENTED\`: the others go to entry, and at least one is not presented (for the authority, and for the declarant and representative who know others of the goods); \`TOO_MANY\`: the ${MAX_CHECKED_CONSIGNMENTS.toLocaleString('en-GB')} that were examined go to entry, and there are more; \`UNKNOWN\`: this organisation may know of none. Goods are released with \`TO_ENTRY\` alone`,
  },
);
export type ReleaseOutcome = Static<typeof ReleaseOutcome>;

const CheckedConsignmentState = Type.Enum([...IssuedRouting.enum, 'UNDECIDED', 'NOT_PRESENTED'], {
  $id: 'CheckedConsignmentState',
  description:
    'The routing of the house consignment; `UNDECIDED` if it is presented but not decided, `NOT_PRESENTED` if it is not presented',
});

/** A house consignment that the identifier identifies. */
export const CheckedConsignment = Type.Object(
  {
    ...declarationMrns,
    receptacleId: Type.Optional(ReceptacleOfGoods),
    transportDocumentHouseLevel: RoutingSignal.properties.transportDocumentHouseLevel,
    transportDocumentMasterLevel: Type.Optional(TransportDocument),
    containerId: Type.Optional(Type.Array(ContainerId)),
    estimatedTimeOfArrival: RoutingSignal.properties.estimatedTimeOfArrival,
    activeBorderTransportMeans: RoutingSignal.properties.activeBorderTransportMeans,
    state: CheckedConsignmentState,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    documentIssueDate: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the signal was issued to this organisation; absent for the authority',
      }),
    ),
  },
  { $id: 'CheckedConsignment', description: 'A house consignment that the identifier identifies' },
);
export type CheckedConsignment = Static<typeof CheckedConsignment>;

/** What may be done with the goods of an identifier. */
export const ReleaseCheck = Type.Object(
  {
    outcome: ReleaseOutcome,
    routingControlLocation: Type.Optional(
      Type.Enum(['ON_ENTRY', 'AFTER_ENTRY'], {
        description: 'Where the control takes place, if it is the same for all that go to control',
      }),
    ),
    toEntry: Count('How many house consignments go to entry'),
    toControl: Count('How many go to control'),
    entryPending: Type.Optional(Count('How many are `ENTRY_PENDING`; absent if there are none')),
    entryDenied: Type.Optional(Count('How many are `ENTRY_DENIED`; absent if there are none')),
    undecided: Count('How many are presented and not decided'),
    notPresented: Count('How many are not presented; for the authority alone, otherwise 0'),
    complete: Type.Boolean({
      description:
        'Whether all were examined, are presented as far as the caller lodged them, and nothing holds them that entered what the caller presented. If not, there is more than was counted',
    }),
    houseConsignments: Type.Array(CheckedConsignment, {
      maxItems: MAX_LISTED_CONSIGNMENTS,
      description: `At most ${MAX_LISTED_CONSIGNMENTS} of them: first those that go to control, then those that are not decided or not presented`,
    }),
  },
  {
    $id: 'ReleaseCheck',
    description: 'Whether goods may be released, and the routing of each house consignment',
  },
);
export type ReleaseCheck = Static<typeof ReleaseCheck>;
