// One recorded request with its response: headers and bodies.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { Link } from 'wouter';
import { CodeBlock, prettify } from '../../code/code-block.js';
import { useMessages } from '../../language/language-context.js';
import type { Exchange, RecordedMessage } from '../../playground/exchange.js';
import { Empty } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './requests.module.css';

export function ExchangeView({ exchange }: { exchange: Exchange | undefined }) {
  const text = useMessages(messages);
  return (
    <>
      <Link href="/requests" className="ds-link">
        {text.back}
      </Link>
      {exchange === undefined ? <Empty title={text.gone} /> : <Messages exchange={exchange} />}
    </>
  );
}

function Messages({ exchange }: { exchange: Exchange }) {
  const text = useMessages(messages);
  const { method, url, startedAt, durationMs, request, response } = exchange;
  return (
    <>
      <Paragraph>
        <OfficeTime at={startedAt} />
        {durationMs !== undefined && ` · ${durationMs} ms`}
      </Paragraph>
      <div className={styles.messages}>
        <Message title={text.request} first={`${method} ${url}`} message={request} />
        {response === undefined ? (
          <Empty title={durationMs === undefined ? text.inProgress : text.none} />
        ) : (
          <Message title={text.response} first={`HTTP ${response.status}`} message={response} />
        )}
      </div>
    </>
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
    <section className={styles.message}>
      <Heading level={2} data-size="xs">
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
