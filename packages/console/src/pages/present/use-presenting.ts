// Presents what the form has, once: a presentation whose outcome is unknown is settled, not sent as a new one.
import { type Presentation, present, settlePresentation } from '@landfall/client';
import { useMemo } from 'react';
import {
  SETTLE_WITHIN_MS,
  type Sent as SentForm,
  useSettledSending,
} from '../../forms/use-settled-sending.js';
import { useLandfall } from '../../session/session-context.js';
import { type FormValues, makePresentation } from './presentation-form.js';
import { type ReceivedResponse, ResponseRecorder } from './record-exchange.js';

/** What was sent, and what was received. */
export type Sent = SentForm<
  FormValues,
  Presentation,
  { error: unknown; response: ReceivedResponse | undefined }
>;

/** Presents, and what was presented last. */
export function usePresenting() {
  const recorder = useMemo(() => new ResponseRecorder(), []);
  const landfall = useLandfall(recorder.fetch);
  return useSettledSending({
    contentOf: makePresentation,
    isSame: (one: FormValues, other: FormValues) =>
      JSON.stringify(makePresentation(one, '')) === JSON.stringify(makePresentation(other, '')),
    send: async (presentation, isRepeated) => {
      recorder.last = undefined;
      const options = { settleWithinMs: SETTLE_WITHIN_MS };
      let error: unknown;
      try {
        if (isRepeated) {
          await settlePresentation(landfall, presentation.requestId ?? '', presentation, options);
        } else await present(landfall, presentation, { ...options, isNew: true });
      } catch (thrown) {
        error = thrown;
      }
      return { error, response: recorder.last };
    },
  });
}
