// The outcome of a presentation: whether the goods are presented, their signals, and the request and the response.
import { Details, Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import { Link } from 'wouter';
import { CodeBlock, prettify } from '../../code/code-block.js';
import { useFeed, useFeeds } from '../../feeds/feeds-context.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { isUnknown } from '../../forms/use-settled-sending.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import styles from './present.module.css';
import { type FormValues, fieldOf, levels, readEntered } from './presentation-form.js';
import type { ReceivedResponse } from './record-exchange.js';
import { pathOf } from './same-request.js';
import type { Sent } from './use-presenting.js';

/** How many signals are listed. */
const MAX_LISTED = 20;

export function Outcome({ sent }: { sent: Sent }) {
  const text = useMessages(messages);
  const { values, content: presentation, response } = sent;
  const request = [
    `POST ${pathOf(values.level)}`,
    'Authorization: Bearer …',
    'Content-Type: application/json',
    '',
    JSON.stringify(presentation, null, 2),
  ].join('\n');
  return (
    <>
      <WhatWasSent values={values} />
      <Result sent={sent} />
      {sent.error === undefined && <SignalsOf sent={sent} />}
      <div>
        <Details>
          <Details.Summary>{text.request}</Details.Summary>
          <Details.Content>
            <CodeBlock label={text.request} text={request} />
          </Details.Content>
        </Details>
        {response !== undefined && (
          <Details defaultOpen>
            <Details.Summary>
              {text.response} {response.status}
            </Details.Summary>
            <Details.Content>
              <CodeBlock label={text.response} text={asText(response)} />
            </Details.Content>
          </Details>
        )}
      </div>
    </>
  );
}

/** Names the goods: the form may have others by now. */
function WhatWasSent({ values }: { values: FormValues }) {
  const names = useMessages(feedMessages);
  return (
    <Paragraph>
      {names[values.level]}{' '}
      <strong>
        <Identifier>{readEntered(values)[levels[values.level].reference]}</Identifier>
      </strong>
    </Paragraph>
  );
}

function Result({ sent: { error, values } }: { sent: Sent }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  if (error === undefined) {
    return <Notice color="success" title={text.accepted} text={text.acceptedText} />;
  }
  if (isUnknown(error)) {
    return <Notice color="warning" title={text.unknown} text={text.unknownText} />;
  }
  if (error instanceof ApiError && error.validationErrors.length > 0) {
    const rules = error.validationErrors.map((rule) => {
      const field = fieldOf(values.level, rule.field);
      return `${field === undefined ? rule.field : text[field]}: ${textOf(rule)}`;
    });
    return <Notice color="danger" title={text.refused} text={rules.join('; ')} />;
  }
  return <Failed error={error} />;
}

/** The signals of the presented goods, as they come. */
function SignalsOf({ sent: { values } }: { sent: Sent }) {
  const text = useMessages(messages);
  const { signals, releases } = useFeeds();
  // The index has what the feed has received.
  useFeed(signals);
  const reference = values[levels[values.level].reference];
  const found = releases.find(reference);
  return (
    <section className={styles.signals} aria-labelledby="signals">
      <Heading level={2} data-size="2xs" id="signals">
        {text.signals}
      </Heading>
      {found.length === 0 && <Paragraph>{text.noSignals}</Paragraph>}
      <ul>
        {found.slice(0, MAX_LISTED).map(({ routingResult, transportDocumentHouseLevel }) => (
          <li key={routingResult.id}>
            <RoutingTag routing={routingResult.routing} />
            <strong>
              <Identifier>{transportDocumentHouseLevel.documentNumber}</Identifier>
            </strong>
            {transportDocumentHouseLevel.type}
          </li>
        ))}
      </ul>
      <Link href="/signals" className="ds-link">
        {text.allSignals}
      </Link>
    </section>
  );
}

function asText({ status, headers, body }: ReceivedResponse): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [`HTTP ${status}`, ...lines, '', prettify(body)].join('\n');
}
