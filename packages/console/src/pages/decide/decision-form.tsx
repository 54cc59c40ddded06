// The decision on all of the list: what it is, what it does, and its confirmation.
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
import type { Routing, RoutingControlLocation } from '@landfall/client';
import { type FormEvent, useState } from 'react';
import { useSearch } from 'wouter';
import { useDecisionText } from '../../feeds/decision-text.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { type Listed, MAX_COLLECTED } from './collect-consignments.js';
import { useCurrentRun } from './current-run.js';
import styles from './decide.module.css';
import { DecisionRun } from './decision-run.js';
import { messages } from './messages.js';
import { type CommonDecision, type Effect, planDecisions, toDecisions } from './plan-decisions.js';

/** What is entered. */
type Values = {
  routing: Routing;
  location?: RoutingControlLocation | undefined;
  reason: string;
};

/** The length of a reason, by the contract. */
const MAX_REASON = 500;

export function DecisionForm({ list: { consignments, extent } }: { list: Listed }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const landfall = useLandfall();
  const decisionText = useDecisionText();
  const [, setRun] = useCurrentRun();
  const [{ routing, location, reason }, setValues, discard] = useDraft<Values>(
    `decide ${useSearch()}`,
    () => ({ routing: 'TO_CONTROL', reason: '' }),
  );
  const change = (changed: Partial<Values>) => setValues({ routing, location, reason, ...changed });
  const [isConfirming, setConfirming] = useState(false);
  if (extent === 'more') return null;
  const decision: CommonDecision = {
    routing,
    routingControlLocation: routing === 'TO_CONTROL' ? location : undefined,
    reason,
  };
  const count = consignments.length;
  const effect = planDecisions(consignments, decision);
  const start = () => {
    const run = new DecisionRun(toDecisions(consignments, decision), discard);
    setRun(run);
    void run.resume((part) => landfall.postRoutingDecisions(part));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setConfirming(true);
  };
  return (
    <>
      <form className={styles.section} onSubmit={submit} aria-labelledby="decision">
        <Heading level={2} data-size="sm" id="decision">
          {text.decision}
        </Heading>
        <Fieldset>
          <Fieldset.Legend>{text.routing}</Fieldset.Legend>
          {(['TO_CONTROL', 'TO_ENTRY'] as const).map((value) => (
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
          className={styles.field}
          label={text.reason}
          description={text.reasonHelp}
          value={reason}
          maxLength={MAX_REASON}
          autoComplete="off"
          onChange={(event) => change({ reason: event.target.value })}
        />
        <div role="status">
          <EffectText effect={effect} />
        </div>
        <Button
          type="submit"
          className={styles.start}
          disabled={effect.unchanged === count || count > MAX_COLLECTED}
        >
          {text.decide(count)}
        </Button>
      </form>
      {isConfirming && (
        <ConfirmDialog
          title={text.confirm(count, decisionText(decision))}
          action={text.decide(count)}
          isDanger
          expected={String(count)}
          onConfirm={start}
          onCancel={() => setConfirming(false)}
        >
          <EffectText effect={effect} />
          <Paragraph>{text.replaced}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

function EffectText({ effect }: { effect: Effect }) {
  const text = useMessages(messages);
  const decisionText = useDecisionText();
  const { undecided, changed, unchanged, signalled } = effect;
  if (undecided === 0 && changed.length === 0) return <Paragraph>{text.nothing}</Paragraph>;
  return (
    <>
      <Heading level={3} data-size="2xs">
        {text.effect}
      </Heading>
      <ul className={styles.effect}>
        {undecided > 0 && <li>{text.effectUndecided(undecided)}</li>}
        {changed.map((current) => {
          const name = decisionText(current);
          return <li key={name}>{text.effectChanged(current.count, name)}</li>;
        })}
        {unchanged > 0 && <li>{text.effectUnchanged(unchanged)}</li>}
        <li>{signalled > 0 ? text.effectSignalled(signalled) : text.effectNotSignalled}</li>
      </ul>
    </>
  );
}
