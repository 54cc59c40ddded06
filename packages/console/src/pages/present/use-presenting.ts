// Presents what the form has, once: a presentation whose outcome is unknown is settled, not sent as a new one.
import {
  ApiError,
  type Presentation,
  PresentationUnknownError,
  present,
  settlePresentation,
} from '@landfall/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSending } from '../../forms/use-sending.js';
import { useLink } from '../../session/link.js';
import { useLandfall } from '../../session/session-context.js';
import { type FormValues, makePresentation } from './presentation-form.js';
import { type ReceivedResponse, ResponseRecorder } from './record-exchange.js';

/**
 * How long the outcome is determined once it is unknown, in milliseconds. After that the page says that it is unknown, and
 * goes on when the connection is back.
 */
const SETTLE_WITHIN_MS = 5_000;

/** After how long it is attempted again, in milliseconds, and how often. */
const [SETTLE_INTERVAL_MS, MAX_SETTLED] = [1_000, 100];

/** What was sent, and what was received. */
export type Sent = {
  values: FormValues;
  presentation: Presentation;
  response: ReceivedResponse | undefined;
  /** Why it was not presented, or is not known to be. */
  error: unknown;
};

/** Presents, and what was presented last. */
export function usePresenting() {
  const recorder = useMemo(() => new ResponseRecorder(), []);
  const landfall = useLandfall(recorder.fetch);
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const [sent, setSent] = useState<Sent>();
  const sending = useSending({
    mutationFn: async ({
      values,
      onPresented,
    }: {
      values: FormValues;
      onPresented: () => void;
    }) => {
      recorder.last = undefined;
      const options = { settleWithinMs: SETTLE_WITHIN_MS };
      const again = sent !== undefined && isUnknown(sent.error) ? sent.presentation : undefined;
      const sameAgain = makePresentation(values, again?.requestId ?? requestId);
      const isRepeated = JSON.stringify(again) === JSON.stringify(sameAgain);
      const presentation = isRepeated ? sameAgain : makePresentation(values, requestId);
      let error: unknown;
      try {
        if (isRepeated) {
          await settlePresentation(landfall, presentation.requestId ?? '', presentation, options);
        } else await present(landfall, presentation, { ...options, isNew: true });
      } catch (thrown) {
        error = thrown;
      }
      if (error === undefined) onPresented();
      setSent({ values, presentation, response: recorder.last, error });
      // A refusal consumes the requestId too.
      if (!isRepeated) setRequestId(crypto.randomUUID());
    },
  });
  const { lostSince } = useLink();
  const whenPresented = useRef(() => {});
  const attempts = useRef(0);
  const settles =
    sent?.error instanceof PresentationUnknownError &&
    !sending.isPending &&
    lostSince === undefined;
  const { mutate } = sending;
  // When the connection is back, and again while something else is in the way. The same request is never carried out twice.
  useEffect(() => {
    if (!settles || sent === undefined || attempts.current >= MAX_SETTLED) return undefined;
    const timer = setTimeout(() => {
      attempts.current++;
      mutate({ values: sent.values, onPresented: whenPresented.current });
    }, SETTLE_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [settles, sent, mutate]);
  return {
    requestId,
    sent,
    isBusy: sending.isPending,
    send: (values: FormValues, onPresented: () => void) => {
      whenPresented.current = onPresented;
      attempts.current = 0;
      sending.mutate({ values, onPresented });
    },
    /** Forgets what was sent. */
    clear: () => setSent(undefined),
  };
}

/** Whether the goods may be presented although the call failed. */
export function isUnknown(error: unknown): boolean {
  return (
    error instanceof PresentationUnknownError || (error instanceof ApiError && error.status >= 500)
  );
}
