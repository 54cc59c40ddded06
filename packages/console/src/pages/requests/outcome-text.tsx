// The outcome of a request in words, with every rule that it breaks.
import { Paragraph, Tag } from '@digdir/designsystemet-react';
import tagStyles from '../../feeds/routing-tag.module.css';
import { useMessages } from '../../language/language-context.js';
import { useRuleText } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import type { LogRow, Outcome } from './request-log.js';

const COLOURS: Record<Outcome, 'success' | 'danger' | 'warning' | 'neutral'> = {
  SUCCESS: 'success',
  ANSWERED: 'success',
  FAILURE: 'danger',
  FAILED: 'danger',
  IN_PROGRESS: 'neutral',
  NO_RESPONSE: 'warning',
};

export function OutcomeTag({ row: { outcome } }: { row: LogRow }) {
  const text = useMessages(messages);
  return (
    <Tag
      data-color={COLOURS[outcome]}
      className={COLOURS[outcome] === 'danger' ? tagStyles.strong : undefined}
    >
      {text[outcome]}
    </Tag>
  );
}

/** Why it was refused or failed, if no rule says so. */
export function useReason(): (row: LogRow) => string | undefined {
  const text = useMessages(messages);
  return ({ outcome, httpStatus, rules }) => {
    if (rules.length > 0 || httpStatus === undefined || httpStatus < 400) return undefined;
    const reason = outcome === 'FAILED' ? text.fault : text.http(httpStatus);
    return `${reason} (${httpStatus})`;
  };
}

/** @param props `limit`: how many of the broken rules are shown */
export function OutcomeText({ row, limit = 3 }: { row: LogRow; limit?: number }) {
  const textOf = useRuleText();
  const reason = useReason()(row);
  return (
    <>
      <OutcomeTag row={row} />
      {row.rules.slice(0, limit).map(({ code, error, field }) => (
        <Paragraph key={`${code} ${field}`} data-size="sm">
          <code>{field}</code> {textOf({ code, error })} ({code})
        </Paragraph>
      ))}
      {reason !== undefined && <Paragraph data-size="sm">{reason}</Paragraph>}
    </>
  );
}
