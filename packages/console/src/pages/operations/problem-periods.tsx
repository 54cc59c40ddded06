// Problems that have ended, and the starts of servers, in the range of the page.
import { Details, Paragraph, Table } from '@digdir/designsystemet-react';
import type { ServiceStatus } from '@landfall/client';
import { useLanguage, useMessages } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './operations.module.css';
import { Problem } from './problem-list.js';
import { describeProblem } from './problem-texts.js';

export function PastProblems({
  status: { pastProblems, starts },
  from,
  to,
}: {
  status: ServiceStatus;
  from: number;
  to: number;
}) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  const ended = pastProblems.filter(
    ({ since = '', until = '' }) => Date.parse(until) >= from && Date.parse(since) <= to,
  );
  const begun = starts.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to);
  return (
    <>
      {ended.length === 0 ? (
        <Paragraph>{text.nothingEnded}</Paragraph>
      ) : (
        ended.map((problem) => (
          <Details key={`${problem.code} ${problem.subject} ${problem.since}`} data-size="sm">
            <Details.Summary>
              {describeProblem(problem, language).title}
              {problem.subject !== undefined && `: ${problem.subject}`},{' '}
              <OfficeTime at={problem.since ?? ''} />
            </Details.Summary>
            <Details.Content>
              <Problem problem={problem} />
            </Details.Content>
          </Details>
        ))
      )}
      {begun.length > 0 && (
        <ScrollRegion className={styles.table} label={text.starts}>
          <Table data-size="sm" data-color="neutral" aria-label={text.starts}>
            <Table.Head>
              <Table.Row>
                {[text.started, text.server, text.version].map((heading) => (
                  <Table.HeaderCell key={heading} scope="col">
                    {heading}
                  </Table.HeaderCell>
                ))}
              </Table.Row>
            </Table.Head>
            <Table.Body>
              {begun.map(({ server, at, version }) => (
                <Table.Row key={`${server} ${at}`}>
                  <Table.HeaderCell scope="row">
                    <OfficeTime at={at} />
                  </Table.HeaderCell>
                  <Table.Cell>{server}</Table.Cell>
                  <Table.Cell>{version}</Table.Cell>
                </Table.Row>
              ))}
            </Table.Body>
          </Table>
        </ScrollRegion>
      )}
    </>
  );
}
