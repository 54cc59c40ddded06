// What is wrong now, with what an operator does about it; or that nothing is.
import { Alert, Details, Heading, Link, Paragraph, Tag } from '@digdir/designsystemet-react';
import type { ServiceProblem, ServiceStatus } from '@landfall/client';
import { useLanguage, useMessages, useNumbers } from '../../language/language-context.js';
import { Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './operations.module.css';
import { describeProblem } from './problem-texts.js';

export function ProblemList({ status: { at, problems, servers } }: { status: ServiceStatus }) {
  const text = useMessages(messages);
  const reporting = servers.filter(({ state }) => state === 'REPORTING').length;
  if (problems.length > 0) {
    return problems.map((problem) => (
      <Problem key={`${problem.code} ${problem.subject}`} problem={problem} now={at} />
    ));
  }
  return reporting === 0 ? (
    <Notice color="info" title={text.noReport} text={text.noReportText} />
  ) : (
    <Notice color="success" title={text.fine} text={text.fineText(reporting)} />
  );
}

/** A problem that lasts or has ended, with its entry of the runbook. */
export function Problem({
  problem,
  now = '',
}: {
  problem: ServiceProblem;
  /** The time of the service; one that has ended needs none. */
  now?: string;
}) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  const { severity, subject, since, until, failedRequests = 0, runbook } = problem;
  const lasting = useDuration();
  const { count } = useNumbers();
  const { title, when, actions } = describeProblem(problem, language);
  const color = severity === 'critical' ? 'danger' : 'warning';
  return (
    <Alert data-color={color} role="group" aria-label={title}>
      <div className={styles.problem}>
        <div className={styles.bar}>
          <Heading level={3} data-size="2xs">
            {subject === undefined ? title : `${title}: ${subject}`}
          </Heading>
          <Tag data-color={color} data-size="sm">
            {text[severity]}
          </Tag>
        </div>
        {since !== undefined && (
          <Paragraph data-size="sm">
            {until === undefined ? text.since : text.from} <OfficeTime at={since} />
            {until !== undefined && (
              <>
                {' '}
                {text.until} <OfficeTime at={until} />
              </>
            )}{' '}
            ({lasting(since, until ?? now)}).{' '}
            {failedRequests > 0 && text.failedSince(count(failedRequests))}
          </Paragraph>
        )}
        <Paragraph>
          <WithCode text={when} />
        </Paragraph>
        <Details data-size="sm" defaultOpen={severity === 'critical'}>
          <Details.Summary>{text.whatToDo}</Details.Summary>
          <Details.Content>
            <ol>
              {actions.map((action) => (
                <li key={action}>
                  <WithCode text={action} />
                </li>
              ))}
            </ol>
            <Paragraph data-size="sm">
              {text.runbook}:{' '}
              {/^https?:/.test(runbook) ? (
                <Link href={runbook} target="_blank" rel="noreferrer">
                  {runbook}
                </Link>
              ) : (
                <code>{runbook}</code>
              )}
            </Paragraph>
          </Details.Content>
        </Details>
      </div>
    </Alert>
  );
}

/** How long something lasted or lasts, such as `4 min`. */
function useDuration(): (from: string, to: string) => string {
  const text = useMessages(messages);
  return (from, to) => {
    const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
    return minutes < 60
      ? text.minutes(minutes)
      : text.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
  };
}

/** A text in which what is between backticks is code. */
function WithCode({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? (
        <code key={`${index} ${part}`}>{part}</code>
      ) : (
        <span key={`${index} ${part}`}>{part}</span>
      ),
    );
}
