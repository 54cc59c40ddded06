// Decides on one house consignment, on what its author has seen: a decision that was changed meanwhile is not overwritten.
import { type HouseConsignment, mrnOf, type RoutingDecisionResult } from '@landfall/client';
import { useSending } from '../../forms/use-sending.js';
import { useLandfall } from '../../session/session-context.js';
import { currentDecision, type Decision, isSameDecision } from './effect-of-decision.js';

/** The outcome of a decision. */
export type Outcome =
  /** Somebody else has decided meanwhile; nothing was stored. */
  | { kind: 'conflict'; current: Decision | undefined }
  | { kind: 'result'; result: RoutingDecisionResult };

/** A decision, and the one that was current when its author chose it. */
type Deciding = {
  consignment: Pick<
    HouseConsignment,
    'id' | 'entrySummaryDeclarationMRN' | 'houseConsignmentMRN' | 'transportDocumentHouseLevel'
  >;
  before: Decision | undefined;
  decision: Decision;
  reason: string;
};

export function useDeciding(onDecided: () => Promise<void>) {
  const landfall = useLandfall();
  return useSending({
    mutationFn: async ({ consignment, before, decision, reason }: Deciding): Promise<Outcome> => {
      const now = await landfall.getHouseConsignment(consignment.id);
      const current = currentDecision(now);
      if (!isSameDecision(current, before)) return { kind: 'conflict', current };
      const { routing, routingControlLocation } = decision;
      const results = await landfall.postRoutingDecisions([
        {
          mrn: mrnOf(consignment),
          transportDocumentHouseLevel: consignment.transportDocumentHouseLevel,
          routing,
          ...(routingControlLocation && { routingControlLocation }),
          reason,
          // If the request is repeated, or somebody decides between these two calls.
          decisionId: crypto.randomUUID(),
          expected: now.decision?.number ?? null,
        },
      ]);
      const [result] = await results.toArray();
      if (result === undefined) throw new Error('the service has returned no result');
      if (result.status !== 'CONFLICT') return { kind: 'result', result };
      const { routing: other = 'UNDECIDED', routingControlLocation: where } = result.current ?? {};
      return {
        kind: 'conflict',
        current:
          other === 'UNDECIDED' ? undefined : { routing: other, routingControlLocation: where },
      };
    },
    // Whatever the outcome is, the page shows what is stored.
    onSettled: onDecided,
  });
}
