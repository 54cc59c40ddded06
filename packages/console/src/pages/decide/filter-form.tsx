// The form of the filter.
import { Button, Field, Heading, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import { type FormEvent, useEffect, useState } from 'react';
import { FormErrors } from '../../forms/form-errors.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useSessionState } from '../../session/session-context.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import styles from './decide.module.css';
import {
  FILTER_FIELDS,
  type Filter,
  type FilterField,
  isBlank,
  STATES,
  writeFilter,
} from './filter.js';
import { messages } from './messages.js';

/** The id of a field. */
function idOf(field: FilterField): string {
  return `filter-${field}`;
}

export function FilterForm({
  filter,
  error,
  onShow,
  onEdit,
}: {
  filter: Filter;
  /** Why the service refused the filter. */
  error: unknown;
  onShow: (filter: Filter) => void;
  /** Whether the fields have another filter than the one that is shown. */
  onEdit: (isAnother: boolean) => void;
}) {
  const text = useMessages(messages);
  const { timeZone } = useSessionState().configuration;
  const [values, setValues] = useState(filter);
  const address = JSON.stringify(filter);
  const [shownAddress, setShownAddress] = useState(address);
  if (address !== shownAddress) {
    // The user has shown another filter, or went back to one.
    setShownAddress(address);
    setValues(filter);
  }
  const isAnother = JSON.stringify(writeFilter(values)) !== JSON.stringify(writeFilter(filter));
  useEffect(() => onEdit(isAnother), [isAnother, onEdit]);
  const [isIncomplete, setIncomplete] = useState(false);
  const sentenceOf = useRuleSentence();
  const errors = error instanceof ApiError ? error.validationErrors : [];
  const errorOf = (field: FilterField) => {
    const rule = errors.find((one) => one.field === field);
    return rule && sentenceOf(text[field], rule);
  };
  const found = FILTER_FIELDS.flatMap((field) => {
    const sentence = errorOf(field);
    return sentence === undefined ? [] : [{ id: idOf(field), sentence }];
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIncomplete(isBlank(values));
    if (!isBlank(values)) onShow(values);
  };
  const helps: Partial<Record<FilterField, string>> = {
    organisation: text.organisationHelp,
    from: timeZone,
    to: timeZone,
  };
  return (
    <form className={styles.section} onSubmit={submit} noValidate aria-labelledby="filter">
      <Heading level={2} data-size="sm" id="filter">
        {text.filter}
      </Heading>
      {found.length > 0 && <FormErrors errors={found} refusal={error} />}
      <div className={styles.fields}>
        {FILTER_FIELDS.map((field) =>
          field === 'state' ? (
            <Field key={field}>
              <Label>{text.state}</Label>
              <Select
                value={values.state}
                onChange={(event) => setValues({ ...values, state: event.target.value })}
              >
                <Select.Option value="">{text.any}</Select.Option>
                {STATES.map((state) => (
                  <Select.Option key={state} value={state}>
                    {text[state]}
                  </Select.Option>
                ))}
              </Select>
            </Field>
          ) : (
            <Textfield
              key={field}
              id={idOf(field)}
              className={IDENTIFIER_FIELD}
              label={text[field]}
              description={helps[field]}
              type={field === 'from' || field === 'to' ? 'datetime-local' : 'text'}
              value={values[field]}
              error={errorOf(field)}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setValues({ ...values, [field]: event.target.value })}
            />
          ),
        )}
      </div>
      {/* The region exists before it has a text, so that screen readers announce it. */}
      <div role="status">{isIncomplete && text.blank}</div>
      <Button type="submit" className={styles.start}>
        {text.show}
      </Button>
    </form>
  );
}
