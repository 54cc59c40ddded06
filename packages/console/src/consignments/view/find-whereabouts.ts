// Where a house consignment is, by its facts and its history.
import type { HouseConsignment, HouseConsignmentEvent, PresentationLevel } from '@landfall/client';

/** Where it is: presented at a customs office, or expected at the one of first entry. */
export type Whereabouts =
  | {
      status: 'presented';
      /** Absent where the history does not have it. */
      office: string | undefined;
      level: PresentationLevel | undefined;
      at: string;
      by: string;
    }
  | { status: 'expected'; office: string | undefined; eta: string | undefined };

export function findWhereabouts(
  { presented, customsOfficeOfFirstEntry, estimatedTimeOfArrival }: HouseConsignment,
  history: readonly HouseConsignmentEvent[],
): Whereabouts {
  if (presented === undefined) {
    return { status: 'expected', office: customsOfficeOfFirstEntry, eta: estimatedTimeOfArrival };
  }
  // It was reported last where it is now.
  const last = history.findLast(({ event }) => event === 'PRESENTED');
  // The cast is true because the service writes both into the details of this event.
  const details = (last?.details ?? {}) as {
    customsOfficeOfPresentation?: string;
    level?: PresentationLevel;
  };
  return {
    status: 'presented',
    office: details.customsOfficeOfPresentation,
    level: details.level,
    at: last?.at ?? presented.at,
    by: last?.organisation ?? presented.by,
  };
}
