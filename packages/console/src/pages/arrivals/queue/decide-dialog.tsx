// The decision on one of the goods of the queue, or on many as one run: its reason, and for many their number.
import {
  Button,
  Dialog,
  Field,
  Heading,
  Label,
  Paragraph,
  Select,
  Textfield,
} from '@digdir/designsystemet-react';
import type { RoutingControlLocation, UndecidedArrival } from '@landfall/client';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Outcome, useDeciding } from '../../../consignments/view/use-deciding.js';
import { useDecisionText } from '../../../feeds/decision-text.js';
import { messages as feedMessages } from '../../../feeds/messages.js';
import { useModal } from '../../../forms/use-modal.js';
import { useMessages } from '../../../language/language-context.js';
import {
  ListChangedError,
  useRunCreation,
  useRunPreview,
} from '../../../run-queries/use-new-run.js';
import { isUncertain } from '../../../states/is-uncertain.js';
import { Failed, Notice } from '../../../states/states.js';
import { useRuleText } from '../../../states/validation-texts.js';
import { messages } from './messages.js';
import styles from './queue.module.css';
import { type Decided, makeQueueRun } from './queue-decision.js';

/** The length of a reason, by the contract. */
const MAX_REASON = 500;

const LOCATIONS: readonly RoutingControlLocation[] = ['ON_ENTRY', 'AFTER_ENTRY'];

/** @param props `targets`: what still waits of what was chosen; the dialog closes when none is left */
export function DecideDialog({
  routing,
  targets,
  onDecided,
  onChanged,
  onClose,
}: {
  routing: 'TO_CONTROL' | 'TO_ENTRY';
  targets: readonly UndecidedArrival[];
  onDecided: (decided: Decided) => void;
  /** Something was decided by somebody else: the list is read again. */
  onChanged: () => Promise<void>;
  onClose: () => void;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const decisionText = useDecisionText();
  const dialog = useModal();
  const [location, setLocation] = useState<RoutingControlLocation>();
  const [reason, setReason] = useState('');
  const [entered, setEntered] = useState('');
  const [missing, setMissing] = useState<'reason' | 'count'>();
  const reasonField = useRef<HTMLInputElement>(null);
  const countField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    reasonField.current?.focus();
  }, []);

  const count = targets.length;
  const decision = {
    routing,
    routingControlLocation: routing === 'TO_CONTROL' ? location : undefined,
  };
  const name = decisionText(decision);
  const [first] = targets;
  const deciding = useDeciding(async () => undefined);
  const previewing = useRunPreview(
    (preview) => preview.count === count && preview.undecided === count,
  );
  const creating = useRunCreation((id) => onDecided({ kind: 'run', id, count, decision }));
  const isSending = deciding.isPending || previewing.isPending || creating.isPending;
  const needsOther = previewing.data?.needsConfirmation === true;
  const hasChanged = [previewing.error, creating.error].some(
    (error) => error instanceof ListChangedError,
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (first === undefined || isSending) return;
    if (reason.trim() === '') {
      setMissing('reason');
      reasonField.current?.focus();
      return;
    }
    if (count > 1 && entered.trim() !== String(count)) {
      setMissing('count');
      countField.current?.focus();
      return;
    }
    if (count === 1) {
      deciding.mutate(
        { consignment: first, before: undefined, decision, reason: reason.trim() },
        {
          onSuccess: (outcome) => {
            if (outcome.kind === 'conflict') void onChanged();
            else if (outcome.result.status !== 'REFUSED') {
              onDecided({ kind: 'one', arrival: first, decision, result: outcome.result });
            }
          },
        },
      );
      return;
    }
    const run = makeQueueRun(targets, decision, reason);
    const onError = (error: unknown) => {
      setEntered('');
      if (error instanceof ListChangedError) void onChanged();
    };
    // That another officer has to confirm it is said before it is created.
    if (needsOther) creating.mutate(run, { onError });
    else {
      previewing.mutate(run, {
        onError,
        onSuccess: ({ needsConfirmation }) => {
          if (!needsConfirmation) creating.mutate(run, { onError });
        },
      });
    }
  };

  // What was sent cannot be taken back: the dialog stays until it says what has become of it.
  const close = () => {
    if (isSending) dialog.current?.showModal();
    else onClose();
  };

  return (
    <Dialog ref={dialog} closeButton={!isSending && text.cancel} onClose={close}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Heading level={2} data-size="sm">
          {first === undefined
            ? text.changedTitle
            : count === 1
              ? text.decideOne(first.transportDocumentHouseLevel.documentNumber, name)
              : text.decideMany(count, name)}
        </Heading>
        {routing === 'TO_CONTROL' && (
          <Field>
            <Label>{text.location}</Label>
            <Select
              value={location ?? ''}
              onChange={({ target: { value } }) =>
                setLocation(LOCATIONS.find((one) => one === value))
              }
            >
              <Select.Option value="">{text.anyLocation}</Select.Option>
              {LOCATIONS.map((one) => (
                <Select.Option key={one} value={one}>
                  {names[one]}
                </Select.Option>
              ))}
            </Select>
          </Field>
        )}
        <Textfield
          ref={reasonField}
          label={text.reason}
          description={text.reasonHelp}
          value={reason}
          maxLength={MAX_REASON}
          autoComplete="off"
          error={missing === 'reason' && text.reasonMissing}
          onChange={({ target }) => {
            setReason(target.value);
            setMissing(undefined);
          }}
        />
        {count > 1 && (
          <>
            <Paragraph>{text.oneRun}</Paragraph>
            {needsOther && (
              <Notice color="info" title={text.twoOfficers} text={text.twoOfficersText} />
            )}
            <Textfield
              ref={countField}
              label={text.enter(String(count))}
              value={entered}
              autoComplete="off"
              inputMode="numeric"
              error={missing === 'count' && text.enterMissing(String(count))}
              onChange={({ target }) => {
                setEntered(target.value);
                setMissing(undefined);
              }}
            />
          </>
        )}
        {hasChanged ? (
          <Notice color="warning" title={text.changedTitle} text={text.changed(count)} />
        ) : (
          <NotDecided
            error={deciding.error ?? previewing.error ?? creating.error}
            mayHaveRun={creating.isError}
          />
        )}
        {deciding.data !== undefined && <NotOne outcome={deciding.data} />}
        <div className={styles.bar}>
          <Button type="submit" loading={isSending} disabled={count === 0}>
            {needsOther ? text.propose(count) : text.action(count)}
          </Button>
          <Button type="button" variant="secondary" disabled={isSending} onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function NotDecided({
  error,
  mayHaveRun,
}: {
  error: unknown;
  /** Whether it was the creation of a run that failed. */
  mayHaveRun: boolean;
}) {
  const text = useMessages(messages);
  if (error === null) return null;
  if (!isUncertain(error)) return <Failed error={error} />;
  return (
    <>
      <Notice
        color="warning"
        title={text.uncertainTitle}
        text={mayHaveRun ? text.uncertainMany : text.uncertainOne}
      />
      {mayHaveRun && (
        <Link className="ds-link" href="/runs">
          {text.toRuns}
        </Link>
      )}
    </>
  );
}

/** Why one of the goods was not decided. */
function NotOne({ outcome }: { outcome: Outcome }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  if (outcome.kind === 'conflict') {
    return <Notice color="warning" title={text.conflictTitle} text={text.conflict} />;
  }
  const { status, validationErrors = [] } = outcome.result;
  if (status !== 'REFUSED') return null;
  return (
    <Notice
      color="danger"
      title={text.refusedTitle}
      text={validationErrors.map((rule) => `${rule.field} ${textOf(rule)}`).join('; ')}
    />
  );
}
