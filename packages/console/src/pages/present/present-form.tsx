// The form of a presentation. It keeps what was entered, whatever becomes of the request.
import {
  Button,
  Field,
  Label,
  Select,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { ApiError, type PresentationLevel, type ValidationError } from '@landfall/client';
import type { FormEvent } from 'react';
import { messages as feedMessages } from '../../feeds/messages.js';
import { FormErrors } from '../../forms/form-errors.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useRuleText } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import styles from './present.module.css';
import {
  DOCUMENT_TYPES,
  exampleOf,
  type FieldName,
  type FormValues,
  fieldOf,
  LEVEL_NAMES,
  levels,
} from './presentation-form.js';

/** What is below a field. */
const helps: Partial<
  Record<FieldName, 'typeHelp' | 'containerHelp' | 'receptacleHelp' | 'officeHelp'>
> = {
  type: 'typeHelp',
  containerId: 'containerHelp',
  receptacleId: 'receptacleHelp',
  office: 'officeHelp',
};

export function PresentForm({
  values,
  error,
  isBusy,
  withExamples,
  onChange,
  onSubmit,
}: {
  values: FormValues;
  /** Why the last presentation was refused. */
  error: unknown;
  isBusy: boolean;
  /** Whether another level is filled with goods of the playground. */
  withExamples: boolean;
  onChange: (values: FormValues) => void;
  onSubmit: () => void;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const errors = useFieldErrors(values.level, error);
  const { level } = values;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  // The cast is true because the options have no other values.
  const choose = (chosen: PresentationLevel) =>
    onChange(withExamples ? exampleOf(chosen) : { ...values, level: chosen });
  return (
    <form className={styles.column} onSubmit={submit} noValidate>
      {errors.size > 0 && (
        <FormErrors
          errors={[...errors].map(([id, sentence]) => ({ id, sentence }))}
          refusal={error}
        />
      )}
      <Field>
        <Label>{text.level}</Label>
        <Select value={level} onChange={(event) => choose(event.target.value as PresentationLevel)}>
          {LEVEL_NAMES.map((name) => (
            <Select.Option key={name} value={name}>
              {names[name]}
            </Select.Option>
          ))}
        </Select>
      </Field>
      {levels[level].fields.map((field) =>
        field === 'type' ? (
          <DocumentType
            key={field}
            value={values.type}
            error={errors.get('type')}
            onChange={(type) => onChange({ ...values, type })}
          />
        ) : (
          <Textfield
            key={field}
            id={field}
            className={IDENTIFIER_FIELD}
            label={
              field === 'mrn' && levels[level].reference !== 'mrn' ? text.optionalMrn : text[field]
            }
            {...describe(field, text)}
            value={values[field]}
            error={errors.get(field)}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ ...values, [field]: event.target.value })}
          />
        ),
      )}
      <Button type="submit" loading={isBusy} className={styles.submit}>
        {isBusy ? text.presenting : text.present}
      </Button>
    </form>
  );
}

function describe(field: FieldName, text: typeof messages.en) {
  const help = helps[field];
  return help === undefined ? {} : { description: text[help] };
}

function DocumentType({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (type: string) => void;
}) {
  const text = useMessages(messages);
  return (
    <Field>
      <Label>{text.type}</Label>
      <Field.Description>{text.typeHelp}</Field.Description>
      <Select id="type" value={value} onChange={(event) => onChange(event.target.value)}>
        {DOCUMENT_TYPES.map((type) => (
          <Select.Option key={type} value={type}>
            {type} {text[type]}
          </Select.Option>
        ))}
      </Select>
      {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
    </Field>
  );
}

/** What to do about a broken rule of a field, as a sentence. */
function useToDo(): (
  field: FieldName,
  rule: ValidationError,
  textOf: ReturnType<typeof useRuleText>,
) => string {
  const text = useMessages(messages);
  return (field, rule, textOf) => {
    const name = text[field].replace(/^./, (first) => first.toLowerCase());
    const shown = /^[A-ZÆØÅ]{2}/.test(text[field]) ? text[field] : name;
    if (rule.code === 'REQUIRED') return text.enter(shown);
    if (rule.code === 'FORMAT' || rule.code === 'SIZE') {
      return text.enterAs(shown, textOf(rule));
    }
    if (rule.code === 'UNKNOWN_CODE') return text.enterKnown(shown);
    if (rule.code === 'REFERENCE_NOT_FOUND') return text.checkKnown(shown);
    if (rule.code === 'REFERENCE_AMBIGUOUS') return text.enterMrn;
    return `${text[field]}: ${textOf(rule)}`;
  };
}

/** What is wrong with each field, by the refusal of the service. */
function useFieldErrors(level: PresentationLevel, error: unknown): ReadonlyMap<FieldName, string> {
  const textOf = useRuleText();
  const toDo = useToDo();
  const found = new Map<FieldName, string>();
  if (!(error instanceof ApiError)) return found;
  for (const rule of error.validationErrors) {
    const field = fieldOf(level, rule.field);
    if (field !== undefined && !found.has(field)) found.set(field, toDo(field, rule, textOf));
  }
  // In the order of the form, as people meet the fields.
  return new Map(
    levels[level].fields.flatMap((field) => {
      const text = found.get(field);
      return text === undefined ? [] : [[field, text] as const];
    }),
  );
}
