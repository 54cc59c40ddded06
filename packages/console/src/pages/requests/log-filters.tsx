// The filters of the log of requests, which are in the address.
import { Button, Details, Field, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { messages as feedMessages } from '../../feeds/messages.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useSessionState } from '../../session/session-context.js';
import { LEVEL_NAMES } from '../present/presentation-form.js';
import { messages } from './messages.js';
import { codesOf, LOG_FIELDS, type LogField, type LogRow, type LogView } from './request-log.js';
import styles from './requests.module.css';

export function LogFilters({
  view,
  rows,
  hasIdentities,
  onChange,
}: {
  view: LogView;
  /** The rows whose codes and identities can be chosen. */
  rows: readonly LogRow[];
  hasIdentities: boolean;
  onChange: (changed: Partial<LogView>) => void;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const [isOpenAtFirst] = useState(() =>
    LOG_FIELDS.some((field) => field !== 'filter' && field !== 'outcome' && view[field] !== ''),
  );
  const choice = (
    field: LogField,
    label: string,
    options: readonly (readonly [value: string, name: string])[],
  ) => (
    <Field>
      <Label>{label}</Label>
      <Select
        data-size="sm"
        value={view[field]}
        onChange={({ target }) => onChange({ [field]: target.value })}
      >
        {options.map(([value, name]) => (
          <Select.Option key={value} value={value}>
            {name}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
  const found = (values: readonly (string | undefined)[], chosen: string) =>
    [...new Set([...values, chosen])]
      .filter((value) => value !== undefined && value !== '')
      .sort()
      // The cast is true because the filter has left no others.
      .map((value) => [value as string, value as string] as const);
  return (
    <search className={styles.filters}>
      <div className={styles.fields}>
        <Textfield
          data-size="sm"
          type="search"
          label={text.filter}
          description={text.filterHelp}
          value={view.filter}
          maxLength={100}
          onChange={({ target }) => onChange({ filter: target.value })}
        />
        {choice('outcome', text.outcome, [
          ['', text.allOutcomes],
          ['accepted', text.accepted],
          ['refused', text.refused],
        ])}
      </div>
      <Details defaultOpen={isOpenAtFirst}>
        <Details.Summary>{text.furtherFilters}</Details.Summary>
        <Details.Content>
          <div className={styles.fields}>
            {choice('level', text.level, [
              ['', text.allLevels],
              ...LEVEL_NAMES.map((name) => [name, names[name]] as const),
            ])}
            {choice('code', text.code, [
              ['', text.allCodes],
              ...found(rows.flatMap(codesOf), view.code),
            ])}
            {hasIdentities &&
              choice('identity', text.identity, [
                ['', text.everybody],
                ...found(
                  rows.map(({ identity }) => identity),
                  view.identity,
                ),
              ])}
            <Textfield
              data-size="sm"
              className={IDENTIFIER_FIELD}
              label={text.office}
              value={view.office}
              autoComplete="off"
              spellCheck={false}
              maxLength={10}
              onChange={({ target }) => onChange({ office: target.value })}
            />
            <TimeField
              label={text.from}
              value={view.from}
              onChange={(from) => onChange({ from })}
            />
            <TimeField label={text.to} value={view.to} onChange={(to) => onChange({ to })} />
          </div>
        </Details.Content>
      </Details>
      {LOG_FIELDS.some((field) => view[field] !== '') && (
        <Button
          variant="secondary"
          data-size="sm"
          className={styles.start}
          onClick={() => onChange(Object.fromEntries(LOG_FIELDS.map((field) => [field, ''])))}
        >
          {text.removeFilters}
        </Button>
      )}
    </search>
  );
}

/** A time in the zone of the customs offices. */
function TimeField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { timeZone } = useSessionState().configuration;
  return (
    <Textfield
      data-size="sm"
      type="datetime-local"
      label={`${label} (${timeZone})`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
