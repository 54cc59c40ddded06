// The decision on all of the list: what it is, what it does, its preview by the service, and its confirmation.
import {
  Button,
  Field,
  Fieldset,
  Heading,
  Label,
  Paragraph,
  Radio,
  Select,
  Textfield,
} from '@digdir/designsystemet-react';
import type {
  IssuedRouting,
  ListHouseConsignmentsQuery,
  NewRoutingRun,
  RoutingControlLocation,
} from '@landfall/client';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { Listed } from '../../consignments/collect-consignments.js';
import { useRoutings } from '../../consignments/view/routings.js';
import { useDecisionText } from '../../feeds/decision-text.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { ListChangedError, useRunCreation, useRunPreview } from '../../run-queries/use-new-run.js';
import { isUncertain } from '../../states/is-uncertain.js';
import { Failed, Notice } from '../../states/states.js';
import styles from './decide.module.css';
import { EffectText } from './effect-text.js';
import { messages } from './messages.js';
import { isAsListed, makeRun } from './new-run.js';
import { type CommonDecision, planDecisions } from './plan-decisions.js';

/** What is entered. */
type Values = {
  /** Nothing is chosen for whoever decides. */
  routing?: IssuedRouting | undefined;
  location?: RoutingControlLocation | undefined;
  reason: string;
};

/** The length of a reason, by the contract. */
const MAX_REASON = 500;

export function DecisionForm({
  list: { consignments },
  query,
}: {
  /** A complete list. */
  list: Listed;
  /** The filters by which it was made. */
  query: ListHouseConsignmentsQuery;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const routings = useRoutings();
  const decisionText = useDecisionText();
  const [{ routing, location, reason }, setValues, discard] = useDraft<Values>(
    `decide ${useSearch()}`,
    () => ({ reason: '' }),
  );
  const [isReasonMissing, setReasonMissing] = useState(false);
  const reasonField = useRef<HTMLInputElement>(null);
  /** What is being confirmed: it is what was previewed, whatever happens to the form. */
  const [asked, setAsked] = useState<NewRoutingRun>();
  const previewing = useRunPreview((preview) => isAsListed(consignments, preview));
  const [, navigate] = useLocation();
  const creating = useRunCreation((id) => {
    discard();
    navigate(`/runs?id=${id}`);
  });
  const isSending = previewing.isPending || creating.isPending;
  const change = (changed: Partial<Values>) => {
    setValues({ routing, location, reason, ...changed });
    if (changed.reason !== undefined) setReasonMissing(false);
    previewing.reset();
    creating.reset();
  };
  const decision: CommonDecision | undefined = routing && {
    routing,
    routingControlLocation: routing === 'TO_CONTROL' ? location : undefined,
  };
  const count = consignments.length;
  const effect = decision && planDecisions(consignments, decision);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (decision === undefined || isSending) return;
    if (reason.trim() === '') {
      setReasonMissing(true);
      reasonField.current?.focus();
      return;
    }
    creating.reset();
    const run = makeRun(consignments, query, decision, reason);
    previewing.mutate(run, { onSuccess: () => setAsked(run) });
  };
  return (
    <>
      <form className={styles.section} onSubmit={submit} noValidate aria-labelledby="decision">
        <Heading level={2} data-size="sm" id="decision">
          {text.decision}
        </Heading>
        <Fieldset>
          <Fieldset.Legend>{text.routing}</Fieldset.Legend>
          {routings.map((value) => (
            <Radio
              key={value}
              name="routing"
              value={value}
              label={names[value]}
              checked={routing === value}
              onChange={() => change({ routing: value })}
            />
          ))}
        </Fieldset>
        {routing === 'TO_CONTROL' && (
          <Field className={styles.field}>
            <Label>{text.location}</Label>
            <Select
              value={location ?? ''}
              // The cast is true because the options have no other values.
              onChange={(event) =>
                change({
                  location: (event.target.value || undefined) as RoutingControlLocation | undefined,
                })
              }
            >
              <Select.Option value="">{text.noLocation}</Select.Option>
              <Select.Option value="ON_ENTRY">{names.ON_ENTRY}</Select.Option>
              <Select.Option value="AFTER_ENTRY">{names.AFTER_ENTRY}</Select.Option>
            </Select>
          </Field>
        )}
        <Textfield
          ref={reasonField}
          className={styles.field}
          label={text.reason}
          description={text.reasonHelp}
          value={reason}
          maxLength={MAX_REASON}
          error={isReasonMissing && text.reasonMissing}
          autoComplete="off"
          onChange={(event) => change({ reason: event.target.value })}
        />
        <div role="status">{effect !== undefined && <EffectText effect={effect} />}</div>
        <Button
          type="submit"
          className={styles.start}
          loading={isSending}
          disabled={effect === undefined || effect.unchanged === count}
        >
          {text.decide(count)}
        </Button>
        <NotCreated error={previewing.error ?? creating.error} mayExist={creating.isError} />
      </form>
      {asked !== undefined && decision !== undefined && previewing.data !== undefined && (
        <ConfirmDialog
          title={text.confirm(count, decisionText(decision))}
          action={previewing.data.needsConfirmation ? text.propose(count) : text.decide(count)}
          isDanger
          expected={String(count)}
          onConfirm={() => {
            setAsked(undefined);
            creating.mutate(asked);
          }}
          onCancel={() => setAsked(undefined)}
        >
          {effect !== undefined && <EffectText effect={effect} />}
          {previewing.data.needsConfirmation && (
            <Notice color="info" title={text.twoOfficers} text={text.twoOfficersText} />
          )}
          <Paragraph>{text.inBackground}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Why there is no run, and what to do. */
function NotCreated({
  error,
  mayExist,
}: {
  error: unknown;
  /** Whether the request that failed was one that creates the run. */
  mayExist: boolean;
}) {
  const text = useMessages(messages);
  if (error === null) return null;
  if (error instanceof ListChangedError) {
    return <Notice color="warning" title={text.listChanged} text={text.listChangedText} />;
  }
  if (!mayExist || !isUncertain(error)) return <Failed error={error} />;
  return (
    <>
      <Notice color="warning" title={text.uncertain} text={text.uncertainText} />
      <Link className="ds-link" href="/runs">
        {text.toRuns}
      </Link>
    </>
  );
}
