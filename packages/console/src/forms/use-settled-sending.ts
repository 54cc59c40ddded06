// Sends what a form has, once, with a requestId: a request whose outcome is unknown is settled, not sent as a new one.
import { ApiError, OutcomeUnknownError } from '@landfall/client';
import { useEffect, useRef, useState } from 'react';
import { useLink } from '../session/link.js';
import { useSending } from './use-sending.js';

/**
 * How long the outcome is determined once it is unknown, in milliseconds. After that the page says that it is unknown, and
 * goes on when the connection is back.
 */
export const SETTLE_WITHIN_MS = 5_000;

/** After how long it is attempted again, in milliseconds, and how often. */
const [SETTLE_INTERVAL_MS, MAX_SETTLED] = [1_000, 100];

/** What was sent, and what came of it: `error` is why it was not carried out, or is not known to be. */
export type Sent<Values, Content, Outcome extends { error: unknown }> = Outcome & {
  values: Values;
  content: Content;
};

/**
 * Sends, and says what was sent last.
 *
 * @param contentOf what values are sent as, with the requestId
 * @param isSame whether two values are sent as the same
 * @param send sends it; `isRepeated`: it was sent before, and its outcome is unknown. It does not throw
 */
export function useSettledSending<Values, Content, Outcome extends { error: unknown }>({
  contentOf,
  isSame,
  send,
}: {
  contentOf: (values: Values, requestId: string) => Content;
  isSame: (one: Values, other: Values) => boolean;
  send: (content: Content, isRepeated: boolean) => Promise<Outcome>;
}) {
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const [sent, setSent] = useState<Sent<Values, Content, Outcome>>();
  const sending = useSending({
    mutationFn: async ({
      values,
      onDone,
    }: {
      values: Values;
      onDone: (outcome: Outcome) => void;
    }) => {
      const isRepeated = sent !== undefined && isUnknown(sent.error) && isSame(sent.values, values);
      const content = isRepeated ? sent.content : contentOf(values, requestId);
      const outcome = await send(content, isRepeated);
      if (outcome.error === undefined) onDone(outcome);
      setSent({ ...outcome, values, content });
      // A refusal consumes the requestId too.
      if (!isRepeated) setRequestId(crypto.randomUUID());
    },
  });
  const { lostSince } = useLink();
  const whenDone = useRef<(outcome: Outcome) => void>(() => {});
  const attempts = useRef(0);
  const settles =
    sent?.error instanceof OutcomeUnknownError && !sending.isPending && lostSince === undefined;
  const { mutate } = sending;
  // When the connection is back, and again while something else is in the way. The same request is never carried out twice.
  useEffect(() => {
    if (!settles || sent === undefined || attempts.current >= MAX_SETTLED) return undefined;
    const timer = setTimeout(() => {
      attempts.current++;
      mutate({ values: sent.values, onDone: whenDone.current });
    }, SETTLE_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [settles, sent, mutate]);
  return {
    requestId,
    sent,
    isBusy: sending.isPending,
    send: (values: Values, onDone: (outcome: Outcome) => void) => {
      whenDone.current = onDone;
      attempts.current = 0;
      sending.mutate({ values, onDone });
    },
    /** Forgets what was sent. */
    clear: () => setSent(undefined),
  };
}

/** Whether a request may have been carried out although the call failed. */
export function isUnknown(error: unknown): boolean {
  return error instanceof OutcomeUnknownError || (error instanceof ApiError && error.status >= 500);
}
