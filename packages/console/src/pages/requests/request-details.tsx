// Everything about one request: its outcome, what was sent and received, the signals that followed, and how it is sent again.

import { Details, Heading, Paragraph } from '@digdir/designsystemet-react';
import { mrnOf } from '@landfall/client';
import { Link } from 'wouter';
import { CodeBlock, prettify } from '../../code/code-block.js';
import { useFeed, useFeeds } from '../../feeds/feeds-context.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Part } from '../../layout/part.js';
import { Office } from '../../names/office.js';
import { tokenLine } from '../../playground/command-line.js';
import type { Exchange, RecordedMessage } from '../../playground/exchange.js';
import { isPresenter } from '../../session/scopes.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { Empty } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { OfficeTime } from '../../time/office-time.js';
import { writeValues } from '../present/presentation-form.js';
import { exchangeAsCurl } from './as-curl.js';
import { messages } from './messages.js';
import { OutcomeTag, useReason } from './outcome-text.js';
import { documentOf, type LogRow } from './request-log.js';
import styles from './requests.module.css';

/** How many signals are listed. */
const MAX_LISTED = 20;

export function RequestDetails({ row }: { row: LogRow }) {
  const text = useMessages(messages);
  const session = useSession();
  const reason = useReason()(row);
  return (
    <>
      <Paragraph>
        <OutcomeTag row={row} /> {reason}
      </Paragraph>
      {row.rules.length > 0 && <Rules row={row} />}
      <Ignored members={row.status?.ignoredMembers ?? []} />
      <Facts row={row} />
      {row.level !== undefined && isPresenter(session) && (
        <Paragraph>
          <Link className="ds-link" href={presentAgain(row)}>
            {text.presentAgain}
          </Link>{' '}
          {row.values !== undefined && text.presentAgainText}
        </Paragraph>
      )}
      {row.level !== undefined && isPresenter(session) && <Signals row={row} />}
      <Recorded row={row} />
      <Status row={row} />
    </>
  );
}

/** The form, filled with the same goods as far as they are known. */
function presentAgain({ values, level, mrn, office }: LogRow): string {
  const search =
    values !== undefined
      ? writeValues(values)
      : mrn === undefined
        ? { level: level ?? '' }
        : { level: 'ENTRY_SUMMARY_DECLARATION', mrn, ...(office && { office }) };
  return `/present?${new URLSearchParams(search)}`;
}

function Rules({ row: { rules } }: { row: LogRow }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  return (
    <Part className={styles.part} title={text.rules}>
      <ul className={styles.rules}>
        {rules.map(({ code, error, field }) => (
          <li key={`${code} ${field}`}>
            <code>{field}</code> {textOf({ code, error })} ({code})
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What was sent, and had no effect. */
function Ignored({ members }: { members: readonly string[] }) {
  const text = useMessages(messages);
  if (members.length === 0) return null;
  return (
    <Part className={styles.part} title={text.ignored}>
      <Paragraph>{text.ignoredText}</Paragraph>
      <ul className={styles.rules}>
        {members.map((name) => (
          <li key={name}>
            <code>{name || '""'}</code>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Facts({ row }: { row: LogRow }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const { status, mrn, level, requestId, office, identity, exchanges } = row;
  const { durationMs } = exchanges.at(-1) ?? {};
  const document = documentOf(row);
  const facts = [
    [text.received, <OfficeTime key="at" at={row.at} />],
    [text.duration, durationMs === undefined ? undefined : `${durationMs} ms`],
    [text.identity, identity],
    [text.level, level && names[level]],
    [
      text.document,
      document === undefined || document === mrn ? undefined : (
        <Identifier key="document">{document}</Identifier>
      ),
    ],
    [text.office, office && <Office key="office" code={office} />],
    [
      text.mrn,
      mrn !== undefined ? (
        <Link key="mrn" className="ds-link" href={`/declarations/${mrn}`}>
          <Identifier>{mrn}</Identifier>
        </Link>
      ) : status === undefined ? undefined : (
        text.notReached
      ),
    ],
    [text.consignments, status?.houseConsignments],
    [text.requestId, requestId && <code key="id">{requestId}</code>],
  ] as const;
  return <FactList className={styles.facts} facts={facts} />;
}

/** The signals of the goods, as they come. */
function Signals({ row }: { row: LogRow }) {
  const text = useMessages(messages);
  const { signals, releases } = useFeeds();
  // The index has what the feed has received.
  useFeed(signals);
  const { count } = useNumbers();
  const reference = documentOf(row);
  if (reference === undefined) return null;
  const found = releases
    .find(reference)
    .filter((signal) => row.mrn === undefined || mrnOf(signal) === row.mrn);
  return (
    <Part className={styles.part} title={text.signals}>
      {found.length === 0 && <Paragraph>{text.noSignals}</Paragraph>}
      <ul className={styles.signals}>
        {found.slice(0, MAX_LISTED).map(({ routingResult, transportDocumentHouseLevel }) => (
          <li key={routingResult.id}>
            <RoutingTag routing={routingResult.routing} />{' '}
            <strong>
              <Identifier>{transportDocumentHouseLevel.documentNumber}</Identifier>
            </strong>{' '}
            {transportDocumentHouseLevel.type} <OfficeTime at={routingResult.documentIssueDate} />
          </li>
        ))}
      </ul>
      {found.length > MAX_LISTED && (
        <Link className="ds-link" href={`/gate?id=${encodeURIComponent(reference)}`}>
          {count(found.length)}
        </Link>
      )}
    </Part>
  );
}

/** What was sent and received, newest first. */
function Recorded({ row: { exchanges } }: { row: LogRow }) {
  const text = useMessages(messages);
  const { configuration } = useSessionState();
  if (exchanges.length === 0) {
    const isPlayground = configuration.signIn === 'identity';
    return (
      <Empty title={text.notRecorded}>
        <Paragraph>{isPlayground ? text.notRecordedText : text.notRecordedProduction}</Paragraph>
      </Empty>
    );
  }
  const count = exchanges.length;
  return exchanges
    .map((exchange, index) => (
      <Details key={exchange.startedAt} defaultOpen={index === count - 1}>
        <Details.Summary>
          {count === 1 ? `${text.request}, ${text.response}` : text.attempt(index + 1, count)}
        </Details.Summary>
        <Details.Content>
          <ExchangeView exchange={exchange} />
        </Details.Content>
      </Details>
    ))
    .toReversed();
}

function ExchangeView({ exchange }: { exchange: Exchange }) {
  const text = useMessages(messages);
  const { name } = useSession();
  const { dataFolder } = useSessionState().configuration;
  const { method, url, durationMs, request, response, identity } = exchange;
  const caller = { identity: identity?.name ?? name, dataFolder };
  return (
    <div className={styles.messages}>
      <Message title={text.request} first={`${method} ${url}`} message={request} />
      {response === undefined ? (
        <Empty title={durationMs === undefined ? text.inProgress : text.noResponse} />
      ) : (
        <Message title={text.response} first={`HTTP ${response.status}`} message={response} />
      )}
      <section className={styles.part}>
        <Heading level={3} data-size="2xs">
          {text.curl}
        </Heading>
        <Paragraph data-size="sm">{text.curlText}</Paragraph>
        <CodeBlock label={text.curl} text={exchangeAsCurl(exchange, location.origin, caller)} />
      </section>
    </div>
  );
}

function Message({
  title,
  first,
  message: { headers, body },
}: {
  title: string;
  first: string;
  message: RecordedMessage;
}) {
  const text = useMessages(messages);
  const lines = headers.map(({ name, value }) => `${name}: ${value}`);
  return (
    <section className={styles.part}>
      <Heading level={3} data-size="2xs">
        {title}
      </Heading>
      <CodeBlock
        label={title}
        text={[first, ...lines, '', prettify(body?.text ?? '')].join('\n')}
      />
      {body?.truncated && <Paragraph data-size="sm">{text.truncated}</Paragraph>}
    </section>
  );
}

/** The status as a program reads it. */
function Status({ row: { status } }: { row: LogRow }) {
  const text = useMessages(messages);
  const { name } = useSession();
  const { signIn, dataFolder } = useSessionState().configuration;
  if (status === undefined) return null;
  const address = `/api/movement/presentation/v1/validation-status/${status.requestId}`;
  return (
    <>
      <Part className={styles.part} title={text.raw}>
        <CodeBlock label="JSON" text={JSON.stringify(status, null, 2)} />
      </Part>
      {signIn === 'identity' && (
        <Part className={styles.part} title={text.readCurl}>
          <CodeBlock
            label="curl"
            text={[
              tokenLine({ identity: name, dataFolder }),
              `curl -s -H "Authorization: Bearer $TOKEN" ${location.origin}${address}`,
            ].join('\n')}
          />
        </Part>
      )}
    </>
  );
}
