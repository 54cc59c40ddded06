// Arrivals: house consignments by their first presentation.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import { ContainerId, declarationMrns, ReceptacleOfGoods } from './identifiers.js';
import { OrganisationIdentifier } from './organisation.js';
import { paging } from './paging.js';
import { Count, Instant } from './quantities.js';
import { TransportDocument } from './transport-document.js';

/** Maximum range of time of a count of arrivals, in hours. */
export const MAX_ARRIVAL_HOURS = 7 * 24;

/** Default range of time of a count of arrivals, in hours. */
export const DEFAULT_ARRIVAL_HOURS = 24;

const office = Type.Optional(
  Type.String({ pattern: CUSTOMS_OFFICE_PATTERN, description: 'Customs office of presentation' }),
);

/** The query of the numbers of arrivals. */
export const ArrivalQuery = Type.Object({
  from: Type.Optional(
    Instant(
      `Presented at this time or later, at most ${MAX_ARRIVAL_HOURS} hours before \`to\`; default ${DEFAULT_ARRIVAL_HOURS} hours before it`,
    ),
  ),
  to: Type.Optional(Instant('Presented before this time; default now')),
  office,
});
export type ArrivalQuery = Static<typeof ArrivalQuery>;

/** The arrivals of an hour at a customs office. */
export const ArrivalCount = Type.Object(
  {
    customsOfficeOfPresentation: Type.String(),
    hour: Instant('The beginning of the hour'),
    presented: Count('House consignments that were presented for the first time'),
    toControl: Count('Of these, that go to control by the current decision'),
    toEntry: Count('Of these, that go to entry by the current decision'),
    entryPending: Type.Optional(
      Count('Of these, that wait for their entry; absent if there are none'),
    ),
    entryDenied: Type.Optional(Count('Of these, that may not enter; absent if there are none')),
    undecided: Count('Of these, without a decision'),
    oldestUndecided: Type.Optional(Instant('When the first of the undecided was presented')),
  },
  {
    $id: 'ArrivalCount',
    description: 'House consignments by the hour of their first presentation',
  },
);

/** The numbers of arrivals in a range of time. */
export const ArrivalCounts = Type.Object(
  {
    from: Instant('The beginning of the range'),
    to: Instant('The end of the range'),
    arrivals: Type.Array(ArrivalCount, {
      description: 'By hour and office; hours without arrivals are missing',
    }),
  },
  { $id: 'ArrivalCounts', description: 'The numbers of arrivals in a range of time' },
);
export type ArrivalCounts = Static<typeof ArrivalCounts>;

/** The query of the goods that wait for a decision. */
export const UndecidedArrivalQuery = Type.Object({
  office,
  ...paging('The id of the last house consignment'),
});
export type UndecidedArrivalQuery = Static<typeof UndecidedArrivalQuery>;

/** A presented house consignment that waits for a decision. */
export const UndecidedArrival = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    presentedAt: Instant('When it was presented for the first time, which it waits since'),
    customsOfficeOfPresentation: Type.String(),
    customsOfficeOfFirstEntry: Type.Optional(
      Type.String({ description: 'Absent for goods that were lodged as a house consignment' }),
    ),
    declarant: OrganisationIdentifier,
    ...declarationMrns,
    transportDocumentHouseLevel: TransportDocument,
    receptacleId: Type.Optional(ReceptacleOfGoods),
    containerId: Type.Optional(Type.Array(ContainerId)),
  },
  {
    $id: 'UndecidedArrival',
    description: 'A presented house consignment that waits for a decision',
  },
);
export type UndecidedArrival = Static<typeof UndecidedArrival>;
