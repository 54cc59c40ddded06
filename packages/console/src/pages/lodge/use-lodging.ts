// Lodges what the form has, or replaces a message by it, once; and cancels a message.
import type { ModeName, MovementLevel, MovementMessage, MovementStatus } from '@landfall/client';
import { useSending } from '../../forms/use-sending.js';
import {
  SETTLE_WITHIN_MS,
  type Sent as SentForm,
  useSettledSending,
} from '../../forms/use-settled-sending.js';
import { useLandfall } from '../../session/session-context.js';
import type { Draft } from './steps.js';

/** What a request is about. */
export type Subject = {
  mode: ModeName;
  level: MovementLevel;
  /** Of the message that it replaces. */
  mrn: string | undefined;
};

/** What was sent, and the status of the request, if it has one. */
export type Sent = SentForm<
  Draft,
  MovementMessage,
  { error: unknown; status: MovementStatus | undefined }
>;

/** Lodges or replaces, and what was sent last. */
export function useLodging(
  { mode, level, mrn }: Subject,
  messageOf: (draft: Draft) => MovementMessage,
) {
  const landfall = useLandfall();
  return useSettledSending({
    contentOf: (draft: Draft, requestId) => ({ ...messageOf(draft), requestId }),
    isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
    send: async (message, isRepeated) => {
      const options = { level, settleWithinMs: SETTLE_WITHIN_MS };
      try {
        const status = await (isRepeated
          ? landfall.settleMovement(mode, message.requestId ?? '', message, { ...options, mrn })
          : mrn === undefined
            ? landfall.lodgeMovement(mode, message, { ...options, isNew: true })
            : landfall.replaceMovement(mode, mrn, message, { ...options, isNew: true }));
        return { error: undefined, status };
      } catch (error) {
        return { error, status: undefined };
      }
    },
  });
}

/** Cancels a message. Cancelling what was cancelled changes nothing, so a lost response does no harm. */
export function useCancelling({ mode, level, mrn = '' }: Subject) {
  const landfall = useLandfall();
  return useSending({ mutationFn: () => landfall.cancelMovement(mode, level, mrn) });
}
