// What can be done with a run that has not ended: confirm, pause, resume, give up.
import { Button, Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type RoutingRun } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { RUNS_KEY, settledOf } from '../../run-queries/use-runs.js';
import { useRunDecisionText } from '../../runs/run-decision.js';
import { useLandfall, useSession } from '../../session/session-context.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { useFormatTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './runs.module.css';
import { Selected } from './selected.js';

/** A state that is asked for, and the run as it was seen then: another one is not changed. */
type Asked = { state: 'RUNNING' | 'PAUSED' | 'GIVEN_UP'; run: RoutingRun };

/** Whether a run decides nothing more, whatever is done. */
export function isOver({ state }: RoutingRun): boolean {
  return state === 'COMPLETED' || state === 'GIVEN_UP';
}

export function RunActions({ run }: { run: RoutingRun }) {
  const text = useMessages(messages);
  const { subject } = useSession();
  const landfall = useLandfall();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const changing = useSending({
    mutationFn: ({ state, run: { id, etag } }: Asked) =>
      landfall.changeRoutingRun(id, { state }, { ifMatch: etag }),
    // The page shows how the run is now, whatever has become of the change.
    onSettled: () => queries.invalidateQueries({ queryKey: [RUNS_KEY] }),
  });
  const ask = (state: Asked['state']) => {
    changing.reset();
    setAsked({ state, run });
  };
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed may be gone: the keyboard continues here.
    if (changing.isSuccess || changing.isError) place.current?.focus();
  }, [changing.isSuccess, changing.isError]);
  return (
    <div ref={place} tabIndex={-1} className={styles.place}>
      {!isOver(run) && (
        <Part title={text.actions} className={styles.section}>
          <Choices
            run={run}
            isOwn={run.client === subject}
            isPending={changing.isPending}
            onAsk={ask}
            // Without a question: whoever stops something wants it now, and it can be resumed.
            onPause={() => changing.mutate({ state: 'PAUSED', run })}
          />
        </Part>
      )}
      {changing.isError && <NotChanged error={changing.error} />}
      {/* Also of a run that ends meanwhile: what somebody then does is refused, which is said. */}
      {asked !== undefined && (
        <Question
          asked={asked}
          onConfirm={() => {
            setAsked(undefined);
            changing.mutate(asked);
          }}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function Choices({
  run: { state },
  isOwn,
  isPending,
  onAsk,
  onPause,
}: {
  run: RoutingRun;
  /** Whether whoever has signed in has created it. */
  isOwn: boolean;
  isPending: boolean;
  onAsk: (state: Asked['state']) => void;
  onPause: () => void;
}) {
  const text = useMessages(messages);
  const isProposed = state === 'PROPOSED';
  const mayStart = state === 'PAUSED' || (isProposed && !isOwn);
  return (
    <>
      {isProposed && (
        <Notice
          color={isOwn ? 'info' : 'warning'}
          title={isOwn ? text.ownProposal : text.forYou}
          text={isOwn ? text.ownProposalText : text.forYouText}
        />
      )}
      <div className={styles.row}>
        {mayStart && (
          <Button loading={isPending} onClick={() => onAsk('RUNNING')}>
            {isProposed ? text.confirm : text.resume}
          </Button>
        )}
        {state === 'RUNNING' && (
          <Button loading={isPending} onClick={onPause}>
            {text.pause}
          </Button>
        )}
        <Button
          variant="secondary"
          data-color="danger"
          disabled={isPending}
          onClick={() => onAsk('GIVEN_UP')}
        >
          {text.giveUp}
        </Button>
      </div>
    </>
  );
}

function Question({
  asked: { state, run },
  onConfirm,
  onCancel,
}: {
  asked: Asked;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const text = useMessages(messages);
  const decisionOf = useRunDecisionText();
  const format = useFormatTime();
  const { houseConsignments: count, pending } = run;
  if (state === 'GIVEN_UP') {
    return (
      <ConfirmDialog
        title={text.giveUpTitle}
        action={text.giveUp}
        isDanger
        onConfirm={onConfirm}
        onCancel={onCancel}
      >
        <Paragraph>{text.giveUpText(pending, settledOf(run))}</Paragraph>
      </ConfirmDialog>
    );
  }
  if (run.state !== 'PROPOSED') {
    return (
      <ConfirmDialog
        title={text.resumeTitle}
        action={text.resume}
        onConfirm={onConfirm}
        onCancel={onCancel}
      >
        <Paragraph>{text.resumeText(pending)}</Paragraph>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={
        run.routing === undefined
          ? text.confirmReversalTitle(count)
          : text.confirmTitle(count, decisionOf(run))
      }
      action={text.confirm}
      isDanger
      expected={String(count)}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <Paragraph>{text.proposedBy(run.client, format(new Date(run.createdAt)))}</Paragraph>
      <Paragraph>{text.reasonIs(run.reason)}</Paragraph>
      {run.select !== undefined && <Selected filters={run.select} />}
      <Paragraph>{text.confirmText}</Paragraph>
    </ConfirmDialog>
  );
}

function NotChanged({ error }: { error: unknown }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  if (error instanceof ApiError && error.status === 412) {
    return <Notice color="warning" title={text.changedTitle} text={text.changedText} />;
  }
  const [rule] = error instanceof ApiError ? error.validationErrors : [];
  if (rule === undefined) return <Failed error={error} />;
  return <Notice color="danger" title={text.refusedTitle} text={`${rule.field} ${textOf(rule)}`} />;
}
