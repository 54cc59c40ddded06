// The rules that one message breaks and keeps, in words.
import { Details, Paragraph, Tag } from '@digdir/designsystemet-react';
import type { ValidationErrorCode } from '@landfall/client';
import { useLanguage, useMessages } from '../../language/language-context.js';
import { useRuleText } from '../../states/validation-texts.js';
import type { CheckedMessage } from './check-messages.js';
import { messages } from './messages.js';
import { ruleInWords } from './rule-words.js';
import styles from './stream.module.css';

/** Broken rules of a message that are shown. */
const MAX_BROKEN = 20;

/** How many rules it keeps or breaks. */
export function RulesTag({ message: { broken, hasMore, kept } }: { message: CheckedMessage }) {
  const text = useMessages(messages);
  return broken.length === 0 ? (
    <Tag data-color="success">{text.rulesKept(kept.length)}</Tag>
  ) : (
    <Tag data-color="danger">
      {hasMore ? text.moreRulesBroken(broken.length) : text.rulesBroken(broken.length)}
    </Tag>
  );
}

/** The broken rules with their paths, and the kept ones to be unfolded. */
export function MessageRules({ message }: { message: CheckedMessage }) {
  const text = useMessages(messages);
  const inWords = useRuleWords();
  const { broken, hasMore, kept, position } = message;
  const shown = broken.slice(0, MAX_BROKEN);
  return (
    <>
      {shown.length > 0 && (
        <ul className={styles.rules}>
          {shown.map(({ field, error, code }) => (
            <li key={`${field} ${error}`}>
              <Path field={field} /> {inWords(error, code)} <code>{code}</code>
            </li>
          ))}
        </ul>
      )}
      {shown.length < broken.length && (
        <Paragraph data-size="sm">
          {hasMore
            ? text.firstBrokenOfMore(shown.length, broken.length)
            : text.firstBroken(shown.length, broken.length)}
        </Paragraph>
      )}
      {position !== undefined && (
        <Paragraph data-size="sm">{text.notJson(position.line, position.column)}</Paragraph>
      )}
      {kept.length > 0 ? (
        <Details data-size="sm">
          <Details.Summary>{text.keptRules(kept.length)}</Details.Summary>
          <Details.Content>
            {broken.length > 0 && <Paragraph data-size="sm">{text.keptNotes}</Paragraph>}
            <ul className={styles.rules}>
              {byField(kept).map(([field, rules]) => (
                <li key={field}>
                  <Path field={field} /> {rules.map((rule) => inWords(rule)).join('; ')}
                </li>
              ))}
            </ul>
          </Details.Content>
        </Details>
      ) : (
        <Paragraph data-size="sm">{text.keptUnknown}</Paragraph>
      )}
    </>
  );
}

/** The path of a member; the message itself has none. */
function Path({ field }: { field: string }) {
  const text = useMessages(messages);
  if (field === '') return <strong>{text.wholeMessage}:</strong>;
  return (
    <>
      <code>{field}</code>:
    </>
  );
}

/** The sentences of each member, in their order. */
function byField(rules: CheckedMessage['kept']): [string, string[]][] {
  const fields = new Map<string, string[]>();
  for (const { field, rule } of rules) fields.set(field, [...(fields.get(field) ?? []), rule]);
  return [...fields];
}

/** A rule in the language of the page. One without words is named by its code. */
function useRuleWords(): (rule: string, code?: ValidationErrorCode) => string {
  const { language } = useLanguage();
  const textOf = useRuleText();
  return (rule, code) =>
    ruleInWords(rule, language) ?? (code === undefined ? rule : textOf({ error: rule, code }));
}
