// What is wrong now, with what an operator does about it; or that nothing is.
import { Alert, Details, Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import type { ServiceProblem, ServiceStatus } from '@landfall/client';
import { useLanguage, useMessages } from '../../language/language-context.js';
import { Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './operations.module.css';
import { describeProblem } from './problem-texts.js';

export function ProblemList({ status: { problems, servers } }: { status: ServiceStatus }) {
  const text = useMessages(messages);
  const reporting = servers.filter(({ state }) => state === 'REPORTING').length;
  if (problems.length > 0) {
    return problems.map((problem) => (
      <Problem key={`${problem.code} ${problem.subject}`} problem={problem} />
    ));
  }
  return reporting === 0 ? (
    <Notice color="info" title={text.noReport} text={text.noReportText} />
  ) : (
    <Notice color="success" title={text.fine} text={text.fineText(reporting)} />
  );
}

function Problem({ problem }: { problem: ServiceProblem }) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  const { severity, subject, since, runbook } = problem;
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
            {text.since} <OfficeTime at={since} />
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
              {text.runbook}: <code>{runbook}</code>
            </Paragraph>
          </Details.Content>
        </Details>
      </div>
    </Alert>
  );
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
