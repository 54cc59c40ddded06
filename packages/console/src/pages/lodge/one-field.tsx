// One field of the form of a movement message: a text, a time, or a choice.
import {
  Field,
  Label,
  Select,
  Textarea,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { useState } from 'react';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useCountryNames } from '../../language/country-names.js';
import { useMessages } from '../../language/language-context.js';
import { useOffices } from '../../names/office.js';
import { useSessionState } from '../../session/session-context.js';
import { fromOfficeTime, toOfficeTime } from '../../time/office-date-time.js';
import { nameOf } from './find-nodes.js';
import { idOf, useForm } from './form-context.js';
import type { FieldNode } from './form-tree.js';
import styles from './lodge.module.css';
import { messages } from './messages.js';
import { pathOf, valueAt } from './steps.js';

/** The member that names a customs office, whose names the service has. */
const OFFICE = 'customsOfficeOfFirstEntry.referenceNumber';

export function OneField({ node }: { node: FieldNode }) {
  const text = useMessages(messages);
  const { labels, shown, draft, errors, fixed, change, leave } = useForm();
  const { timeZone } = useSessionState().configuration;
  const path = pathOf(node.steps);
  const name = nameOf(labels, text, node.steps, shown.mode);
  const given = valueAt(draft, node.steps);
  const value = typeof given === 'string' ? given : '';
  const isFixed = fixed.has(path);
  const isInstant = node.input === 'instant';
  const label = isInstant ? `${name} (${timeZone})` : name;
  const common: FieldProps = {
    id: idOf(path),
    label: node.isRequired ? label : text.optional(label),
    value,
    error: errors.get(path),
    onChange: (changed) => change(node.steps, changed),
    onLeave: () => leave(node.steps),
  };
  if (isFixed) {
    const shownValue = isInstant && value !== '' ? timeOf(value, timeZone) : value;
    return (
      <Textfield
        id={common.id}
        className={IDENTIFIER_FIELD}
        label={label}
        description={text.fixed}
        type={isInstant ? 'datetime-local' : 'text'}
        value={shownValue}
        error={common.error}
        readOnly
      />
    );
  }
  if (path === OFFICE) return <OfficeField {...common} maxLength={node.maxLength} />;
  switch (node.input) {
    case 'codes':
    case 'boolean':
      return <Choice {...common} node={node} />;
    case 'instant':
      return <Instant {...common} timeZone={timeZone} />;
    case 'long':
      return <Long {...common} maxLength={node.maxLength} />;
    default:
      return <Text {...common} node={node} />;
  }
}

type FieldProps = {
  id: string;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  onLeave: () => void;
};

function Text({ node, value, onChange, onLeave, ...rest }: FieldProps & { node: FieldNode }) {
  const { input, codes, maxLength } = node;
  const listId = `${rest.id}-list`;
  return (
    <div>
      <Textfield
        {...rest}
        className={IDENTIFIER_FIELD}
        type={input === 'date' ? 'date' : 'text'}
        {...(input === 'number' && { inputMode: 'decimal' as const })}
        {...(codes.length > 0 && { list: listId })}
        {...(maxLength !== undefined && { maxLength })}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onLeave}
      />
      {codes.length > 0 && <Suggestions id={listId} codes={codes} />}
    </div>
  );
}

/** Codes that can be chosen while one types: others are taken too. */
function Suggestions({
  id,
  codes,
}: {
  id: string;
  codes: Iterable<readonly [code: string, name: string | undefined]>;
}) {
  return (
    <datalist id={id}>
      {[...codes].map(([code, name = '']) => (
        <option key={code} value={code}>
          {`${code} ${name}`}
        </option>
      ))}
    </datalist>
  );
}

/** How many letters a country has in the code of an office. */
const COUNTRY = 2;

function OfficeField({
  value,
  onChange,
  onLeave,
  maxLength,
  ...rest
}: FieldProps & { maxLength: number | undefined }) {
  const country = /^[A-Z]{2}/.test(value) ? value.slice(0, COUNTRY) : '';
  const offices = useOffices(country);
  const listId = `${rest.id}-list`;
  const known = offices?.get(value);
  return (
    <div>
      <Textfield
        {...rest}
        className={IDENTIFIER_FIELD}
        {...(known !== undefined && { description: known })}
        value={value}
        list={listId}
        {...(maxLength !== undefined && { maxLength })}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value.toUpperCase())}
        onBlur={onLeave}
      />
      <Suggestions id={listId} codes={offices ?? []} />
    </div>
  );
}

function Long({
  label,
  error,
  onChange,
  onLeave,
  maxLength,
  ...rest
}: FieldProps & { maxLength: number | undefined }) {
  return (
    <Field className={styles.wide}>
      <Label>{label}</Label>
      <Textarea
        {...rest}
        rows={3}
        {...(maxLength !== undefined && { maxLength })}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onLeave}
      />
      {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
    </Field>
  );
}

/** An instant as a field of a date and a time has it, in the time zone of the offices. */
function timeOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? '' : toOfficeTime(at, timeZone);
}

function Instant({
  value,
  onChange,
  onLeave,
  timeZone,
  ...rest
}: FieldProps & { timeZone: string }) {
  const toInstant = (typed: string) => {
    const instant = fromOfficeTime(typed, timeZone);
    // To the second, as messages have them.
    return instant === undefined ? '' : instant.replace(/\.\d+Z$/, 'Z');
  };
  const [typed, setTyped] = useState('');
  return (
    <Textfield
      {...rest}
      type="datetime-local"
      // What is typed stays as it is: a year is that of another century while it is typed.
      value={toInstant(typed) === value ? typed : timeOf(value, timeZone)}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(toInstant(target.value));
      }}
      onBlur={onLeave}
    />
  );
}

function Choice({
  label,
  error,
  value,
  onChange,
  onLeave,
  node: { input, codes, isRequired, steps },
  ...rest
}: FieldProps & { node: FieldNode }) {
  const text = useMessages(messages);
  const nameOfCountry = useCountryNames();
  const isCountry = /country(?:Code)?$/.test(String(steps.at(-1)));
  const options: readonly (readonly [string, string])[] =
    input === 'boolean'
      ? [
          ['true', text.yes],
          ['false', text.no],
        ]
      : codes.map(([code, name]) => [code, `${code} ${isCountry ? nameOfCountry(code) : name}`]);
  // What a message has is shown, also if it is in no list any more.
  const isKnown = value === '' || options.some(([code]) => code === value);
  return (
    <Field>
      <Label>{label}</Label>
      <Select
        {...rest}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onLeave}
      >
        <Select.Option value="">{isRequired ? text.choose : text.none}</Select.Option>
        {!isKnown && <Select.Option value={value}>{value}</Select.Option>}
        {options.map(([code, shown]) => (
          <Select.Option
            key={code}
            value={code}
            // Names of codes are English in the lists.
            {...(input === 'codes' && !isCountry && { lang: 'en' })}
          >
            {shown}
          </Select.Option>
        ))}
      </Select>
      {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
    </Field>
  );
}
