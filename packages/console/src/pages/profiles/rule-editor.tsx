// Edits one rule of a profile.
import {
  Button,
  Card,
  Field,
  Heading,
  Label,
  Select,
  Textfield,
} from '@digdir/designsystemet-react';
import type { RoutingProfile, RoutingRule, ValidationError } from '@landfall/client';
import { useState } from 'react';
import { messages as feedMessages } from '../../feeds/messages.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import {
  CONDITION_NAMES,
  type ConditionName,
  changeCondition,
  fromPercent,
  positionOf,
  type RuleChange,
  readCodes,
  readMass,
  toPercent,
} from './edit-profile.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';

/** The id of a part of a rule in the page. */
export function idOf(index: number, part: string): string {
  return `rule-${index}-${part}`;
}

/** What to do about an error of a profile: the same sentence above the form and at the field. */
export function useProfileSentence(): (error: ValidationError) => string {
  const text = useMessages(messages);
  const sentenceOf = useRuleSentence();
  const names: Record<string, string> = {
    salt: text.salt,
    name: text.ruleName,
    routing: text.decision,
    routingControlLocation: text.location,
    share: text.sharePercent,
    ...Object.fromEntries(CONDITION_NAMES.map((name) => [`when.${name}`, text[name]])),
  };
  return (error) => {
    const { rule, part } = positionOf(error.field);
    if (rule === undefined)
      return sentenceOf(part === 'name' ? text.name : (names[part] ?? part), error);
    // The form has percents, and the service a number from 0 to 1.
    if (part === 'share') return text.enterShare(rule + 1);
    return sentenceOf(`${text.ruleNumber(rule + 1)}, ${names[part] ?? part}`, error);
  };
}

export function RuleEditor({
  rule,
  index,
  count,
  errors,
  profile,
  onProfile,
  onChange,
  onMove,
  onRemove,
}: {
  rule: RoutingRule;
  index: number;
  /** How many rules there are. */
  count: number;
  /** The errors of this rule. */
  errors: readonly ValidationError[];
  profile: RoutingProfile;
  onProfile: (profile: RoutingProfile) => void;
  onChange: (change: RuleChange) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const sentenceOf = useProfileSentence();
  const number = index + 1;
  const errorOf = (part: string) => {
    const found = errors.find(({ field }) => positionOf(field).part === part);
    return found && sentenceOf(found);
  };
  const used = CONDITION_NAMES.filter((name) => rule.when?.[name] !== undefined);
  const unused = CONDITION_NAMES.filter((name) => !used.includes(name));
  const setCondition = (name: ConditionName, values: readonly string[] | number | undefined) =>
    onProfile(changeCondition(profile, index, name, values));
  return (
    <Card className={styles.card} data-color="neutral">
      <div className={styles.cardHead}>
        <Heading level={3} data-size="2xs">
          {text.ruleNumber(number)}
        </Heading>
        <div className={styles.tags}>
          <Button
            id={idOf(index, 'up')}
            type="button"
            variant="tertiary"
            data-size="sm"
            aria-label={text.moveUp(number)}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          >
            {text.up}
          </Button>
          <Button
            id={idOf(index, 'down')}
            type="button"
            variant="tertiary"
            data-size="sm"
            aria-label={text.moveDown(number)}
            disabled={number === count}
            onClick={() => onMove(index + 1)}
          >
            {text.down}
          </Button>
          <Button
            type="button"
            variant="tertiary"
            data-color="danger"
            data-size="sm"
            aria-label={text.removeRule(number)}
            disabled={count === 1}
            onClick={onRemove}
          >
            {text.remove}
          </Button>
        </div>
      </div>
      <Textfield
        label={text.ruleName}
        id={idOf(index, 'name')}
        value={rule.name}
        error={errorOf('name')}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {used.map((name) => (
        <div key={name} className={styles.condition}>
          {name === 'grossMassFrom' ? (
            <MassField
              id={idOf(index, `when.${name}`)}
              mass={rule.when?.[name] ?? readMass('')}
              error={errorOf(`when.${name}`)}
              onChange={(mass) => setCondition(name, mass)}
            />
          ) : (
            <CodesField
              id={idOf(index, `when.${name}`)}
              name={name}
              values={rule.when?.[name] ?? []}
              error={errorOf(`when.${name}`)}
              onChange={(values) => setCondition(name, values)}
            />
          )}
          <Button
            type="button"
            variant="tertiary"
            data-color="danger"
            aria-label={text.removeCondition(text[name])}
            onClick={() => setCondition(name, undefined)}
          >
            {text.remove}
          </Button>
        </div>
      ))}
      {unused.length > 0 && (
        <Field className={styles.field}>
          <Label>{text.addCondition}</Label>
          <Select
            value=""
            // The cast is true because the options have no other values.
            onChange={(event) => {
              const name = event.target.value as ConditionName;
              setCondition(name, name === 'grossMassFrom' ? readMass('') : []);
            }}
          >
            <Select.Option value="" disabled>
              {text.choose}
            </Select.Option>
            {unused.map((name) => (
              <Select.Option key={name} value={name}>
                {text[name]}
              </Select.Option>
            ))}
          </Select>
        </Field>
      )}
      <div className={styles.pair}>
        <Field>
          <Label>{text.decision}</Label>
          <Select
            id={idOf(index, 'routing')}
            value={rule.routing}
            // The cast is true because the options have no other values.
            onChange={(event) =>
              onChange({
                routing: event.target.value as RoutingRule['routing'],
                ...(event.target.value === 'TO_ENTRY' && { routingControlLocation: undefined }),
              })
            }
          >
            <Select.Option value="TO_CONTROL">{names.TO_CONTROL}</Select.Option>
            <Select.Option value="TO_ENTRY">{names.TO_ENTRY}</Select.Option>
          </Select>
        </Field>
        {rule.routing === 'TO_CONTROL' && (
          <Field>
            <Label>{text.location}</Label>
            <Select
              id={idOf(index, 'routingControlLocation')}
              value={rule.routingControlLocation ?? ''}
              // The cast is true because the options have no other values.
              onChange={(event) =>
                onChange({
                  routingControlLocation: (event.target.value || undefined) as
                    | RoutingRule['routingControlLocation']
                    | undefined,
                })
              }
            >
              <Select.Option value="">{text.noLocation}</Select.Option>
              <Select.Option value="ON_ENTRY">{names.ON_ENTRY}</Select.Option>
              <Select.Option value="AFTER_ENTRY">{names.AFTER_ENTRY}</Select.Option>
            </Select>
          </Field>
        )}
        <ShareField
          id={idOf(index, 'share')}
          share={rule.share}
          error={errorOf('share')}
          onChange={(share) => onChange({ share })}
        />
      </div>
    </Card>
  );
}

/** A text that is being entered, whose value is another: it stays as entered while it has that value. */
function useEntered<Value>(
  value: Value,
  write: (value: Value) => string,
  read: (text: string) => Value,
) {
  const [entered, setEntered] = useState(() => write(value));
  const isCurrent = JSON.stringify(read(entered)) === JSON.stringify(value);
  if (!isCurrent) setEntered(write(value));
  return [isCurrent ? entered : write(value), setEntered] as const;
}

function CodesField({
  id,
  name,
  values,
  error,
  onChange,
}: {
  id: string;
  name: ConditionName;
  values: readonly string[];
  error: string | undefined;
  onChange: (values: readonly string[]) => void;
}) {
  const text = useMessages(messages);
  const read = (codes: string) => readCodes(codes, name);
  const [entered, setEntered] = useEntered(values, (codes) => codes.join(' '), read);
  return (
    <Textfield
      id={id}
      className={IDENTIFIER_FIELD}
      label={text[name]}
      description={text[`${name}Help`]}
      value={entered}
      error={error}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setEntered(event.target.value);
        onChange(read(event.target.value));
      }}
    />
  );
}

function MassField({
  id,
  mass,
  error,
  onChange,
}: {
  id: string;
  mass: number;
  error: string | undefined;
  onChange: (mass: number) => void;
}) {
  const text = useMessages(messages);
  const [entered, setEntered] = useEntered(mass, String, readMass);
  return (
    <Textfield
      id={id}
      label={text.grossMassFrom}
      description={text.grossMassFromHelp}
      value={entered}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => {
        setEntered(event.target.value);
        onChange(readMass(event.target.value));
      }}
    />
  );
}

function ShareField({
  id,
  share,
  error,
  onChange,
}: {
  id: string;
  share: RoutingRule['share'];
  error: string | undefined;
  onChange: (share: RoutingRule['share']) => void;
}) {
  const text = useMessages(messages);
  const [entered, setEntered] = useEntered(share, toPercent, fromPercent);
  return (
    <Textfield
      id={id}
      label={text.sharePercent}
      placeholder={text.shareHelp}
      value={entered}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => {
        setEntered(event.target.value);
        onChange(fromPercent(event.target.value));
      }}
    />
  );
}
