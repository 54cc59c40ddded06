// The filters and the sorting of the queue.
import { Button, Details, Field, Label, Select } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { TypedFilter } from '../../../forms/typed-filter.js';
import { useMessages } from '../../../language/language-context.js';
import { useSessionState } from '../../../session/session-context.js';
import { messages } from './messages.js';
import styles from './queue.module.css';
import {
  FILTER_FIELDS,
  type FilterField,
  isFiltered,
  type QueueView,
  SORTS,
  type Sort,
} from './queue-filter.js';

/** The filters that are always seen. The others are on demand. */
const MAIN_FIELDS: readonly FilterField[] = ['document', 'declarant', 'office'];

export function QueueFilters({
  view,
  onChange,
}: {
  view: QueueView;
  onChange: (changed: Partial<QueueView>) => void;
}) {
  const text = useMessages(messages);
  const further = FILTER_FIELDS.filter((field) => !MAIN_FIELDS.includes(field));
  const [isOpenAtFirst] = useState(() => further.some((field) => view[field] !== ''));
  const fields = (names: readonly FilterField[]) =>
    names.map((field) => (
      <FilterInput
        key={field}
        field={field}
        value={view[field]}
        onChange={(value) => onChange({ [field]: value })}
      />
    ));
  return (
    <search className={styles.filters}>
      <div className={styles.fields}>{fields(MAIN_FIELDS)}</div>
      <Details defaultOpen={isOpenAtFirst}>
        <Details.Summary>{text.filters}</Details.Summary>
        <Details.Content>
          <div className={styles.fields}>
            {fields(further)}
            <Field>
              <Label>{text.sort}</Label>
              <Select
                value={view.sort}
                // The cast is true because the options have no other values.
                onChange={({ target }) => onChange({ sort: target.value as Sort })}
              >
                {SORTS.map((sort) => (
                  <Select.Option key={sort} value={sort}>
                    {text[`sort${sort}`]}
                  </Select.Option>
                ))}
              </Select>
            </Field>
            <Field>
              <Label>{text.order}</Label>
              <Select
                value={view.isDescending ? 'descending' : 'ascending'}
                onChange={({ target }) => onChange({ isDescending: target.value === 'descending' })}
              >
                <Select.Option value="ascending">{text.ascending}</Select.Option>
                <Select.Option value="descending">{text.descending}</Select.Option>
              </Select>
            </Field>
          </div>
        </Details.Content>
      </Details>
      {isFiltered(view) && (
        <Button
          variant="secondary"
          data-size="sm"
          className={styles.start}
          onClick={() => onChange(Object.fromEntries(FILTER_FIELDS.map((field) => [field, ''])))}
        >
          {text.removeFilters}
        </Button>
      )}
    </search>
  );
}

function FilterInput({
  field,
  value,
  onChange,
}: {
  field: FilterField;
  value: string;
  onChange: (value: string) => void;
}) {
  const text = useMessages(messages);
  const { timeZone } = useSessionState().configuration;
  const isTime = field === 'from' || field === 'to';
  return (
    <TypedFilter
      size="sm"
      label={isTime ? `${text[field]} (${timeZone})` : text[field]}
      type={isTime ? 'datetime-local' : 'text'}
      value={value}
      onChange={onChange}
    />
  );
}
