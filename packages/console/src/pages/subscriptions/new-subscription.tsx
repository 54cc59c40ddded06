// The form of a new subscription.
import {
  Button,
  Field,
  Label,
  Paragraph,
  Select,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { ApiError, type Subscription } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { FormErrors } from '../../forms/form-errors.js';
import { useDraft } from '../../forms/use-draft.js';
import { useSending } from '../../forms/use-sending.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useMadeSecrets } from '../../made-secrets/made-secrets.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { FEED_SCOPES, feedsOf } from '../../session/subscribable-feeds.js';
import { isUncertain } from '../../states/is-uncertain.js';
import { Failed, Notice, Refused } from '../../states/states.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import {
  BEGINS,
  FIELDS,
  type FieldName,
  makeSubscription,
  type SubscriptionForm,
} from './subscription-form.js';
import styles from './subscriptions.module.css';
import { LIST_KEY } from './use-subscriptions.js';

const idOf = (field: string) => `subscription-${field}`;

export function NewSubscriptionForm({
  onCreated,
}: {
  /** Is not called after the form was left. */
  onCreated: (created: Subscription) => void;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const queries = useQueryClient();
  const { add } = useMadeSecrets();
  const { timeZone } = useSessionState().configuration;
  const feeds = feedsOf(useSession().scopes);
  const [values, setValues, discard] = useDraft<SubscriptionForm>('subscription', () => ({
    feed: feeds[0] ?? 'routing',
    url: '',
    begin: 'now',
    at: '',
    marker: '',
    signature: 'v1',
  }));
  const change = (changed: Partial<SubscriptionForm>) => setValues({ ...values, ...changed });
  const creating = useSending({
    mutationFn: () => landfall.createSubscription(makeSubscription(values, timeZone)),
    onSuccess: (created) => {
      discard();
      add(created);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: LIST_KEY }),
  });
  const errors = useFieldErrors(creating.error);
  const errorOf = (field: FieldName) => errors.find(({ name }) => name === field)?.sentence;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate(undefined, { onSuccess: onCreated });
  };
  if (feeds.length === 0) return <Refused scopes={Object.values(FEED_SCOPES).flat()} />;
  return (
    <>
      <Link className="ds-link" href="/subscriptions">
        {text.all}
      </Link>
      <form className={styles.form} onSubmit={submit} noValidate>
        {creating.isError &&
          (errors.length > 0 ? (
            <FormErrors
              errors={errors.map(({ name, sentence }) => ({ id: idOf(name), sentence }))}
              refusal={creating.error}
            />
          ) : isUncertain(creating.error) ? (
            <Notice color="warning" title={text.uncertain} text={text.uncertainCreated} />
          ) : (
            <Failed error={creating.error} />
          ))}
        <Choice
          field="feed"
          label={text.feed}
          value={values.feed}
          options={feeds.map((feed) => [feed, text[feed]])}
          error={errorOf('feed')}
          onChange={(feed) => change({ feed })}
        />
        <Textfield
          id={idOf('url')}
          className={IDENTIFIER_FIELD}
          label={text.url}
          description={text.urlHelp}
          type="url"
          value={values.url}
          error={errorOf('url')}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => change({ url: target.value })}
        />
        <Choice
          field="begin"
          label={text.begin}
          value={values.begin}
          options={BEGINS.map((begin) => [begin, text[begin]])}
          error={undefined}
          onChange={(begin) => change({ begin })}
        />
        {values.begin === 'time' && (
          <Textfield
            id={idOf('since')}
            label={text.since}
            description={text.sinceHelp(timeZone)}
            type="datetime-local"
            value={values.at}
            error={errorOf('since')}
            onChange={({ target }) => change({ at: target.value })}
          />
        )}
        {values.begin === 'marker' && (
          <Textfield
            id={idOf('marker')}
            className={IDENTIFIER_FIELD}
            label={text.marker}
            description={text.markerHelp}
            value={values.marker}
            error={errorOf('marker')}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change({ marker: target.value })}
          />
        )}
        <Choice
          field="signature"
          label={text.signature}
          value={values.signature}
          options={(['v1', 'v1a'] as const).map((signature) => [signature, text[signature]])}
          error={errorOf('signature')}
          onChange={(signature) => change({ signature })}
        />
        <Paragraph>{text.verified}</Paragraph>
        <Button type="submit" className={styles.start} loading={creating.isPending}>
          {text.subscribe}
        </Button>
      </form>
    </>
  );
}

function Choice<Value extends string>({
  field,
  label,
  value,
  options,
  error,
  onChange,
}: {
  field: string;
  label: ReactNode;
  value: Value;
  options: readonly (readonly [value: Value, name: string])[];
  error: string | undefined;
  onChange: (value: Value) => void;
}) {
  return (
    <Field>
      <Label>{label}</Label>
      <Select
        id={idOf(field)}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find(([one]) => one === target.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([one, name]) => (
          <Select.Option key={one} value={one}>
            {name}
          </Select.Option>
        ))}
      </Select>
      {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
    </Field>
  );
}

/** What the service refused, in the order of the form. */
function useFieldErrors(error: Error | null): { name: FieldName; sentence: string }[] {
  const text = useMessages(messages);
  const sentenceOf = useRuleSentence();
  const rules = error instanceof ApiError ? error.validationErrors : [];
  return FIELDS.flatMap((name) =>
    rules
      .filter(({ field }) => field === name)
      .map((rule) => ({ name, sentence: sentenceOf(text[name], rule) })),
  );
}
