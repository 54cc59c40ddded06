// What a view would show of the last messages of the stream.
import { Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import type { GoodsItemViewTrial, TriedGoodsItem } from '@landfall/client';
import { useState } from 'react';
import { useMessages } from '../../language/language-context.js';
import { Empty } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { EventSheet } from '../stream/event-sheet.js';
import styles from './goods-item-views.module.css';
import { messages } from './messages.js';

export function Trial({
  trial: { examined, shown, messages: tried },
}: {
  trial: GoodsItemViewTrial;
}) {
  const text = useMessages(messages);
  const [chosen, setChosen] = useState<string>();
  const newestFirst = tried.toReversed();
  const opened =
    newestFirst.find(({ eventId }) => eventId === chosen) ??
    newestFirst.find((message) => message.shown);
  if (examined === 0) {
    return (
      <Empty title={text.nothingTried}>
        <Paragraph>{text.nothingTriedText}</Paragraph>
      </Empty>
    );
  }
  const columns: readonly Column<TriedGoodsItem>[] = [
    {
      heading: text.message,
      width: 'minmax(12rem, 2fr)',
      cell: ({ eventId, shown: isShown }) =>
        isShown ? (
          <button type="button" className={styles.message} onClick={() => setChosen(eventId)}>
            {eventId}
          </button>
        ) : (
          eventId
        ),
    },
    {
      heading: text.shown,
      width: '7rem',
      cell: ({ shown: isShown }) => (
        <Tag data-color={isShown ? 'success' : 'neutral'} data-size="sm">
          {isShown ? text.isShown : text.isSkipped}
        </Tag>
      ),
    },
    {
      heading: text.directions,
      width: '6rem',
      cell: ({ direction }) =>
        direction === 'I' || direction === 'O' ? text[direction] : text.notKnown,
    },
    { heading: text.chapter, width: '6rem', cell: ({ chapter }) => chapter ?? text.notKnown },
    { heading: text.procedure, width: '7rem', cell: ({ procedure }) => procedure ?? text.notKnown },
    {
      heading: text.accepted,
      width: '8rem',
      cell: ({ dateOfAcceptance }) => dateOfAcceptance ?? text.notKnown,
    },
  ];
  return (
    <section className={styles.section} aria-labelledby="trial">
      <Heading level={3} data-size="xs" id="trial">
        {text.trial}
      </Heading>
      <Paragraph role="status">{text.trialText(shown, examined)}</Paragraph>
      <VirtualTable
        label={text.trialLabel}
        columns={columns}
        rows={newestFirst}
        keyOf={({ eventId }) => eventId}
      />
      {opened?.message !== undefined && (
        <section className={styles.sheet} aria-labelledby="shown-message">
          <Heading level={4} data-size="2xs" id="shown-message">
            {text.looksLike(opened.eventId)}
          </Heading>
          <EventSheet text={JSON.stringify(opened.message)} />
        </section>
      )}
    </section>
  );
}
