// The form to decide on a house consignment, with what the decision will do before it is made.
import {
  Button,
  Field,
  Fieldset,
  Heading,
  Label,
  Paragraph,
  Radio,
  Select,
  Textarea,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import type {
  HouseConsignment,
  HouseConsignmentEvent,
  IssuedRouting,
  RoutingControlLocation,
} from '@landfall/client';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { messages as feedMessages } from '../../feeds/messages.js';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { useSession } from '../../session/session-context.js';
import { isUncertain } from '../../states/is-uncertain.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import {
  currentDecision,
  type Decision,
  type Effect,
  effectOfDecision,
} from './effect-of-decision.js';
import { messages } from './messages.js';
import { useRoutings } from './routings.js';
import { type Outcome, useDeciding } from './use-deciding.js';
import styles from './view.module.css';

/** The longest reason, in characters. */
const MAX_REASON = 500;

const LOCATIONS: readonly RoutingControlLocation[] = ['ON_ENTRY', 'AFTER_ENTRY'];

/** What the form has; without a routing, nothing was chosen yet. */
type Values = {
  routing: IssuedRouting | '';
  location: RoutingControlLocation | '';
  reason: string;
  /** The decision that was current when this was chosen. */
  before?: Decision | undefined;
};

const NOTHING: Values = { routing: '', location: '', reason: '' };

type Props = {
  consignment: HouseConsignment;
  history: readonly HouseConsignmentEvent[];
  onDecided: () => Promise<void>;
};

export function Decide(props: Props) {
  const text = useMessages(messages);
  const { scopes } = useSession();
  const current = currentDecision(props.consignment);
  return (
    <>
      <Paragraph>
        {text.decision}: <DecisionName decision={current} />
      </Paragraph>
      {scopes.includes('authority/routing') ? (
        <DecisionForm {...props} />
      ) : (
        <Notice color="info" title={text.mayNotTitle} text={text.mayNot} />
      )}
    </>
  );
}

function DecisionForm({ consignment, history, onDecided }: Props) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const routings = useRoutings();
  const [values, setValues, discard] = useDraft(`decide ${consignment.id}`, () => NOTHING);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const reason = useRef<HTMLTextAreaElement>(null);
  const deciding = useDeciding(onDecided);
  const decision = decisionOf(values);
  const effect = decision && effectOfDecision(consignment, history, decision);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (deciding.isSuccess || deciding.isError) result.current?.focus();
  }, [deciding.isSuccess, deciding.isError]);

  const change = (changed: Partial<Values>) => {
    setValues({ ...values, ...changed, before: currentDecision(consignment) });
    if (changed.reason !== undefined) setReasonMissing(false);
    // The outcome of a decision that was sent is always shown.
    if (!deciding.isPending) deciding.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (decision === undefined) return;
    if (values.reason.trim() === '') {
      setReasonMissing(true);
      reason.current?.focus();
      return;
    }
    deciding.mutate(
      { consignment, before: values.before, decision, reason: values.reason.trim() },
      {
        onSuccess: (outcome) => {
          if (outcome.kind === 'conflict') {
            setValues({ ...values, before: outcome.current });
          } else if (outcome.result.status !== 'REFUSED') {
            setValues(NOTHING);
            discard();
          }
        },
      },
    );
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Fieldset>
        <Fieldset.Legend>{text.routing}</Fieldset.Legend>
        {routings.map((routing) => (
          <Radio
            key={routing}
            name="routing"
            label={names[routing]}
            value={routing}
            checked={values.routing === routing}
            onChange={() => change({ routing })}
          />
        ))}
      </Fieldset>
      {values.routing === 'TO_CONTROL' && (
        <Field>
          <Label>{text.location}</Label>
          <Select
            value={values.location}
            onChange={({ target: { value } }) =>
              change({ location: LOCATIONS.find((location) => location === value) ?? '' })
            }
          >
            <Select.Option value="">{text.anyLocation}</Select.Option>
            {LOCATIONS.map((location) => (
              <Select.Option key={location} value={location}>
                {names[location]}
              </Select.Option>
            ))}
          </Select>
        </Field>
      )}
      <Field>
        <Label>{text.reason}</Label>
        <Field.Description>{text.reasonHelp}</Field.Description>
        <Textarea
          ref={reason}
          rows={2}
          maxLength={MAX_REASON}
          value={values.reason}
          onChange={({ target: { value } }) => change({ reason: toOneLine(value) })}
        />
        {isReasonMissing && (
          <ValidationMessage>
            {text.reason} {text.reasonMissing}
          </ValidationMessage>
        )}
      </Field>
      {effect !== undefined && decision !== undefined && (
        <EffectText effect={effect} before={currentDecision(consignment)} after={decision} />
      )}
      <Button
        type="submit"
        className={styles.submit}
        loading={deciding.isPending}
        disabled={decision === undefined || effect?.kind === 'none'}
      >
        {deciding.isPending
          ? text.sending
          : effect?.kind === 'changes'
            ? text.submitChange
            : text.submitDecide}
      </Button>
      <div ref={result} tabIndex={-1} className={styles.result} aria-live="polite">
        {deciding.isSuccess && <OutcomeText outcome={deciding.data} />}
        {deciding.isError &&
          (isUncertain(deciding.error) ? (
            <Notice color="warning" title={text.uncertainTitle} text={text.uncertain} />
          ) : (
            <Failed error={deciding.error} />
          ))}
      </div>
    </form>
  );
}

/** What the decision will do. It is read out when it changes. */
function EffectText({
  effect,
  before,
  after,
}: {
  effect: Effect;
  before: Decision | undefined;
  after: Decision;
}) {
  const text = useMessages(messages);
  const nameOf = useDecisionName();
  const id = useId();
  return (
    <section className={styles.effect} aria-labelledby={id} aria-live="polite">
      <Heading level={3} data-size="2xs" id={id}>
        {text.effect}
      </Heading>
      {effect.kind === 'none' ? (
        <Paragraph>{text.effectNone}</Paragraph>
      ) : (
        <>
          <Paragraph>
            {effect.kind === 'decides'
              ? text.effectDecides(nameOf(after))
              : text.effectChanges(nameOf(before), nameOf(after))}
          </Paragraph>
          {effect.waits && <Paragraph>{text.effectWaits}</Paragraph>}
          <Organisations label={text.effectFirst} organisations={effect.first} />
          <Organisations label={text.effectFurther} organisations={effect.further} />
        </>
      )}
    </section>
  );
}

function Organisations({
  label,
  organisations,
}: {
  label: string;
  organisations: readonly string[];
}) {
  const id = useId();
  if (organisations.length === 0) return null;
  return (
    <>
      <Paragraph id={id}>{label}</Paragraph>
      <ul aria-labelledby={id}>
        {organisations.map((organisation) => (
          <li key={organisation}>{organisation}</li>
        ))}
      </ul>
    </>
  );
}

function OutcomeText({ outcome }: { outcome: Outcome }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  if (outcome.kind === 'conflict') {
    return <Notice color="warning" title={text.conflictTitle} text={text.conflict} />;
  }
  const { status, signals = 0, validationErrors = [] } = outcome.result;
  switch (status) {
    case 'DECIDED':
      return <Notice color="success" title={text.decidedTitle} text={text.decided(signals)} />;
    case 'UNCHANGED':
      return <Notice color="info" title={text.unchangedTitle} text={text.unchanged} />;
    case 'REFUSED':
      return (
        <Notice
          color="danger"
          title={text.refusedTitle}
          text={validationErrors.map((rule) => `${rule.field} ${textOf(rule)}`).join('; ')}
        />
      );
  }
}

function DecisionName({ decision }: { decision: Decision | undefined }) {
  return <strong>{useDecisionName()(decision)}</strong>;
}

/** Names a decision in words. */
function useDecisionName(): (decision: Decision | undefined) => string {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  return (decision) => {
    if (decision === undefined) return text.undecided;
    const { routing, routingControlLocation: location } = decision;
    return location === undefined
      ? names[routing]
      : `${names[routing]} (${names[location].toLowerCase()})`;
  };
}

/** The decision that the form has; `undefined` while nothing was chosen. */
function decisionOf({ routing, location }: Values): Decision | undefined {
  if (routing === '') return undefined;
  const hasLocation = routing === 'TO_CONTROL' && location !== '';
  return { routing, routingControlLocation: hasLocation ? location : undefined };
}

/** A reason is one line. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, ' ');
}
