// The reversal of a run that has ended: a reason of its own, a preview, and its confirmation.
import { Button, Paragraph, Textfield } from '@digdir/designsystemet-react';
import type { RoutingRun, RoutingRunPreview } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useDraft } from '../../forms/use-draft.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { RUNS_KEY } from '../../run-queries/use-runs.js';
import { useLandfall } from '../../session/session-context.js';
import { isUncertain } from '../../states/is-uncertain.js';
import { Failed, Notice } from '../../states/states.js';
import { messages } from './messages.js';
import styles from './runs.module.css';

/** The length of a reason, by the contract. */
const MAX_REASON = 500;

export function ReverseRun({ run }: { run: RoutingRun }) {
  const text = useMessages(messages);
  if (run.decided === 0) {
    return (
      <Part title={text.reverse} className={styles.section}>
        <Notice
          color="info"
          title={text.nothingToReverse}
          text={text.nothingToReverseText}
          isQuiet
        />
      </Part>
    );
  }
  return <ReversalForm run={run} />;
}

function ReversalForm({ run: { id } }: { run: RoutingRun }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [reason, setReason, discard] = useDraft(`reverse ${id}`, () => '');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState<RoutingRunPreview>();
  const previewing = useSending({
    mutationFn: () => landfall.reverseRoutingRun(id, { reason: reason.trim(), preview: true }),
    onSuccess: (preview) => {
      if ('count' in preview) setAsked(preview);
    },
  });
  const creating = useSending({
    mutationFn: ({ count }: RoutingRunPreview) =>
      landfall.reverseRoutingRun(id, { reason: reason.trim(), expectedCount: count }),
    onSettled: () => queries.invalidateQueries({ queryKey: [RUNS_KEY] }),
    onSuccess: (created) => {
      discard();
      if ('id' in created) navigate(`/runs?id=${created.id}`);
    },
  });
  const isSending = previewing.isPending || creating.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (reason.trim() === '') {
      setReasonMissing(true);
      field.current?.focus();
      return;
    }
    creating.reset();
    previewing.mutate();
  };
  return (
    <Part title={text.reverse} className={styles.section}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Paragraph>{text.reverseText}</Paragraph>
        <Textfield
          ref={field}
          label={text.reverseReason}
          description={text.reverseReasonHelp}
          value={reason}
          maxLength={MAX_REASON}
          error={isReasonMissing && text.reverseReasonMissing}
          autoComplete="off"
          onChange={({ target: { value } }) => {
            setReason(value);
            setReasonMissing(false);
          }}
        />
        <Button type="submit" variant="secondary" className={styles.start} loading={isSending}>
          {text.preview}
        </Button>
      </form>
      {previewing.isError && <Failed error={previewing.error} />}
      {creating.isError && <NotReversed error={creating.error} />}
      {asked !== undefined && (
        <Question
          preview={asked}
          onConfirm={() => {
            setAsked(undefined);
            creating.mutate(asked);
          }}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </Part>
  );
}

function Question({
  preview: { count, toControl, toEntry, undecided, needsConfirmation },
  onConfirm,
  onCancel,
}: {
  preview: RoutingRunPreview;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const text = useMessages(messages);
  return (
    <ConfirmDialog
      title={text.reverseTitle(count)}
      action={needsConfirmation ? text.proposeAction(count) : text.reverseAction(count)}
      isDanger
      expected={String(count)}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <ul className={styles.effect}>
        {toControl > 0 && <li>{text.nowControl(toControl)}</li>}
        {toEntry > 0 && <li>{text.nowEntry(toEntry)}</li>}
        {undecided > 0 && <li>{text.nowUndecided(undecided)}</li>}
      </ul>
      <Paragraph>{text.reverseSince}</Paragraph>
      {toEntry > 0 && <Paragraph>{text.reverseReleased}</Paragraph>}
      {needsConfirmation && (
        <Notice color="info" title={text.needsConfirmation} text={text.needsConfirmationText} />
      )}
    </ConfirmDialog>
  );
}

function NotReversed({ error }: { error: unknown }) {
  const text = useMessages(messages);
  if (!isUncertain(error)) return <Failed error={error} />;
  return (
    <>
      <Notice color="warning" title={text.uncertain} text={text.uncertainText} />
      <Link className="ds-link" href="/runs">
        {text.back}
      </Link>
    </>
  );
}
