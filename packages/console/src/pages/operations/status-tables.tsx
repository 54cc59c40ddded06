// The servers, and the organisations that call them.
import { Paragraph, Table, Tag } from '@digdir/designsystemet-react';
import type { ServerStatus, StatusCaller } from '@landfall/client';
import type { ReactNode } from 'react';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './operations.module.css';

const colours = { REPORTING: 'success', STOPPED: 'neutral', SILENT: 'danger' } as const;

export function ServerTable({ servers }: { servers: readonly ServerStatus[] }) {
  const text = useMessages(messages);
  const { measured, measuredShare, memory } = useNumbers();
  if (servers.length === 0) return <Paragraph>{text.noReport}</Paragraph>;
  return (
    <PlainTable
      label={text.servers}
      texts={[text.server, text.state, text.version, text.started, text.reported]}
      numbers={[text.perSecond, text.processor, text.memory]}
    >
      {servers.map((server) => (
        <Table.Row key={server.name}>
          <Table.HeaderCell scope="row">{server.name}</Table.HeaderCell>
          <Table.Cell>
            <Tag data-color={colours[server.state]} data-size="sm">
              {text[server.state]}
            </Tag>
          </Table.Cell>
          <Table.Cell>{server.version}</Table.Cell>
          <Table.Cell>
            <OfficeTime at={server.startedAt} />
          </Table.Cell>
          <Table.Cell>
            <OfficeTime at={server.reportedAt} />
          </Table.Cell>
          <Table.Cell className={styles.number}>{measured(server.requestsPerSecond)}</Table.Cell>
          <Table.Cell className={styles.number}>{measuredShare(server.processorShare)}</Table.Cell>
          <Table.Cell className={styles.number}>{memory(server.memoryBytes)}</Table.Cell>
        </Table.Row>
      ))}
    </PlainTable>
  );
}

export function CallerTable({ callers }: { callers: readonly StatusCaller[] }) {
  const text = useMessages(messages);
  const { count: write } = useNumbers();
  if (callers.length === 0) return <Paragraph>{text.noCallers}</Paragraph>;
  return (
    <PlainTable
      label={text.callers}
      texts={[text.organisation]}
      numbers={[text.requestCount, text.refused, text.failed]}
    >
      {callers.map(({ organisation, requests, refused, failed }) => (
        <Table.Row key={organisation}>
          <Table.HeaderCell scope="row">{organisation}</Table.HeaderCell>
          {[requests, refused, failed].map((count, index) => (
            <Table.Cell key={index} className={styles.number}>
              {write(count)}
            </Table.Cell>
          ))}
        </Table.Row>
      ))}
    </PlainTable>
  );
}

/** A table with columns of texts, then columns of numbers. */
function PlainTable({
  label,
  texts,
  numbers,
  children,
}: {
  label: string;
  texts: readonly string[];
  numbers: readonly string[];
  children: ReactNode;
}) {
  return (
    <ScrollRegion className={styles.table} label={label}>
      <Table data-size="sm" data-color="neutral" aria-label={label}>
        <Table.Head>
          <Table.Row>
            {texts.map((heading) => (
              <Table.HeaderCell key={heading} scope="col">
                {heading}
              </Table.HeaderCell>
            ))}
            {numbers.map((heading) => (
              <Table.HeaderCell key={heading} scope="col" className={styles.number}>
                {heading}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Head>
        <Table.Body>{children}</Table.Body>
      </Table>
    </ScrollRegion>
  );
}
