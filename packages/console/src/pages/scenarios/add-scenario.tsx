// The form of a scenario, made from the schema of its kind.
import {
  Button,
  Field,
  Heading,
  Label,
  Paragraph,
  Select,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { FormErrors } from '../../forms/form-errors.js';
import { useDraft } from '../../forms/use-draft.js';
import { useSending } from '../../forms/use-sending.js';
import { useLanguage, useMessages } from '../../language/language-context.js';
import { addScenario, playground } from '../../playground/control.js';
import type { ScenarioKind, ScenarioMember } from '../../playground/scenarios.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import { makeScenario, membersOf, type ScenarioValues } from './scenario-form.js';
import { QUERY_KEY } from './scenario-list.js';
import {
  memberNames,
  norwegianClients,
  norwegianEffects,
  norwegianMember,
} from './scenario-texts.js';
import styles from './scenarios.module.css';

/** Kinds of which something comes later. */
const IN_MEMORY = [
  'late-decision',
  'changed-decision',
  'signal-bursts',
  'silent-register',
  'seen-arrival',
];

export function AddScenario({
  kinds,
  kind,
  identities,
  onChoose,
}: {
  kinds: readonly ScenarioKind[];
  kind: ScenarioKind;
  identities: readonly string[];
  onChoose: (kind: string) => void;
}) {
  const text = useMessages(messages);
  const queries = useQueryClient();
  const [values, setValues, discard] = useDraft<ScenarioValues>(
    `scenario ${kind.kind}`,
    () => ({}),
  );
  const adding = useSending({
    mutationFn: () => playground.call(addScenario, { body: makeScenario(kind, values) }),
    onSuccess: () => {
      discard();
      return queries.invalidateQueries({ queryKey: QUERY_KEY });
    },
  });
  const errorOf = useErrors(adding.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <form className={styles.column} onSubmit={submit} noValidate>
      <Field>
        <Label>{text.kind}</Label>
        <Select value={kind.kind} onChange={(event) => onChoose(event.target.value)}>
          {kinds.map(({ kind: name }) => (
            <Select.Option key={name} value={name}>
              {name}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Meaning kind={kind} />
      {adding.isError && (
        <Refusal error={adding.error} names={membersOf(kind).map(([name]) => name)} />
      )}
      {membersOf(kind).map(([name, member]) => (
        <Member
          key={name}
          kind={kind.kind}
          name={name}
          member={name === 'identity' ? { ...member, enum: [...identities] } : member}
          isRequired={kind.schema.required?.includes(name) ?? false}
          value={values[name] ?? ''}
          error={errorOf(name)}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <Button type="submit" className={styles.submit} loading={adding.isPending}>
        {text.add}
      </Button>
      <div role="status">
        {adding.isSuccess && <Notice color="success" title={text.added} text={text.addedText} />}
      </div>
    </form>
  );
}

/** What happens, and what a client must do. */
function Meaning({ kind: { kind, effect, client } }: { kind: ScenarioKind }) {
  const text = useMessages(messages);
  return (
    <>
      <Translated text={effect} norwegian={norwegianEffects[kind]} />
      {IN_MEMORY.includes(kind) && <Paragraph>{text.memory}</Paragraph>}
      <div>
        <Heading level={2} data-size="2xs">
          {text.clientTitle}
        </Heading>
        <Translated text={client} norwegian={norwegianClients[kind]} />
      </div>
    </>
  );
}

/** A text of the playground, which is in English, in the language of the user if it is known. */
function Translated({ text, norwegian }: { text: string; norwegian: string | undefined }) {
  const translated = useLanguage().language === 'nb' ? norwegian : undefined;
  return (
    <Paragraph lang={translated === undefined ? 'en' : undefined}>{translated ?? text}</Paragraph>
  );
}

/** One member: a choice where there are only some values. */
function Member({
  kind,
  name,
  member,
  isRequired,
  value,
  error,
  onChange,
}: {
  kind: string;
  name: string;
  member: ScenarioMember;
  isRequired: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  const label = memberNames[language][name] ?? name;
  const description = language === 'en' ? member.description : norwegianMember(kind, name);
  const options = member.type === 'boolean' ? ['true', 'false'] : member.enum;
  const labels: Record<string, string> = { true: text.yes, false: text.no };
  if (options === undefined) {
    return (
      <Textfield
        id={idOf(name)}
        label={label}
        description={description}
        inputMode={member.type === 'integer' ? 'numeric' : 'text'}
        value={value}
        error={error}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <Field>
      <Label>{label}</Label>
      {description !== undefined && <Field.Description>{description}</Field.Description>}
      <Select id={idOf(name)} value={value} onChange={(event) => onChange(event.target.value)}>
        <Select.Option value="" disabled={isRequired}>
          {text.notGiven}
        </Select.Option>
        {options.map((option) => (
          <Select.Option key={option} value={option}>
            {labels[option] ?? option}
          </Select.Option>
        ))}
      </Select>
      {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
    </Field>
  );
}

/** Why the playground refused it: the errors of fields in the order of the form, then those of the whole. */
function Refusal({ error, names }: { error: Error; names: readonly string[] }) {
  const sentenceOf = useRuleSentence();
  const labels = memberNames[useLanguage().language];
  if (!(error instanceof ApiError) || error.validationErrors.length === 0) {
    return <Failed error={error} />;
  }
  const positionOf = (field: string) => (names.includes(field) ? names.indexOf(field) : Infinity);
  const errors = error.validationErrors
    .toSorted((one, other) => positionOf(one.field) - positionOf(other.field) || 0)
    .map((rule) => ({
      id: idOf(rule.field),
      sentence: sentenceOf(labels[rule.field] ?? rule.field, rule),
    }));
  return <FormErrors errors={errors} refusal={error} />;
}

/** The id of the field of a member. */
function idOf(name: string): string {
  return `scenario-${name}`;
}

/** What is wrong with a member, by the refusal of the playground. */
function useErrors(error: Error | null): (name: string) => string | undefined {
  const sentenceOf = useRuleSentence();
  const labels = memberNames[useLanguage().language];
  const rules = error instanceof ApiError ? error.validationErrors : [];
  return (name) => {
    const rule = rules.find(({ field }) => field === name);
    return rule && sentenceOf(labels[name] ?? name, rule);
  };
}
