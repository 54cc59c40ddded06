// One event: its message readable and as it was published, the rules that it keeps, and what is current in its declaration.
import { Button, Heading, Paragraph, Table, Tabs } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CodeBlock, prettify } from '../../code/code-block.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Loading } from '../../states/states.js';
import { checkMessage } from './check-messages.js';
import { EventSheet } from './event-sheet.js';
import { EventTable } from './event-table.js';
import { MessageRules, RulesTag } from './message-rules.js';
import { messages } from './messages.js';
import styles from './stream.module.css';
import { commodityOf, historyOf, type StreamEvent } from './stream-event.js';

/** Items of a declaration that are shown. */
const MAX_ITEMS = 100;

export function EventView({
  event,
  events,
  isEverything,
  isReading,
  onBack,
}: {
  event: StreamEvent | undefined;
  /** What was read of the stream, oldest first. */
  events: readonly StreamEvent[];
  /** Whether that is the whole stream. */
  isEverything: boolean;
  isReading: boolean;
  onBack: () => void;
}) {
  const text = useMessages(messages);
  return (
    <>
      <Button className={styles.back} variant="secondary" data-size="sm" onClick={onBack}>
        {text.back}
      </Button>
      {event !== undefined ? (
        <>
          <EventDetails event={event} />
          <History event={event} events={events} isEverything={isEverything} />
        </>
      ) : isReading ? (
        <Loading />
      ) : (
        <Empty title={text.gone}>
          <Paragraph>{text.goneText}</Paragraph>
        </Empty>
      )}
    </>
  );
}

function EventDetails({ event }: { event: StreamEvent }) {
  const text = useMessages(messages);
  const declaration = event.item?.declaration;
  const bytes = new TextEncoder().encode(event.text).length;
  const checked = useMemo(() => checkMessage(event.text), [event.text]);
  return (
    <>
      <Tabs defaultValue="sheet" data-size="sm">
        <Tabs.List>
          <Tabs.Tab value="sheet">{text.sheet}</Tabs.Tab>
          <Tabs.Tab value="readable">{text.readable}</Tabs.Tab>
          <Tabs.Tab value="exact">{text.exact}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sheet">
          <EventSheet text={event.text} />
        </Tabs.Panel>
        <Tabs.Panel value="readable">
          <CodeBlock label={text.readable} text={prettify(event.text)} />
        </Tabs.Panel>
        <Tabs.Panel value="exact">
          <div className={styles.exact}>
            <CodeBlock label={text.exact} text={event.text} />
          </div>
          <Paragraph data-size="sm">{text.bytes(String(bytes))}</Paragraph>
        </Tabs.Panel>
      </Tabs>
      <Part title={text.rules} className={styles.section}>
        <div>
          <RulesTag message={checked} />
        </div>
        <MessageRules message={checked} />
      </Part>
      {declaration !== undefined && <CurrentItems declaration={declaration} />}
    </>
  );
}

/** What has become of the goods item: everything that was read of it. */
function History({
  event,
  events,
  isEverything,
}: {
  event: StreamEvent;
  events: readonly StreamEvent[];
  isEverything: boolean;
}) {
  const text = useMessages(messages);
  const history = useMemo(() => historyOf(events, event).toReversed(), [events, event]);
  return (
    <Part title={text.history} className={styles.section}>
      <Paragraph data-size="sm">{text.historyOf(events.length, isEverything)}</Paragraph>
      <EventTable label={text.historyLabel} rows={history} current={event.id} />
    </Part>
  );
}

/** The items that exist now, which the service searches. */
export function CurrentItems({ declaration }: { declaration: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const current = useQuery({
    queryKey: ['current-goods-items', declaration],
    queryFn: () => landfall.listCurrentGoodsItems({ declaration, limit: MAX_ITEMS }),
  });
  return (
    <div className={styles.section}>
      <Heading level={2} data-size="xs">
        {text.current}
      </Heading>
      <Paragraph data-size="sm">{text.currentSearched}</Paragraph>
      <Loaded query={current}>
        {({ entries, next }) =>
          entries.length === 0 ? (
            <Paragraph>{text.currentNone}</Paragraph>
          ) : (
            <>
              <ScrollRegion className={styles.table} label={text.current}>
                <Table data-size="sm" data-color="neutral" aria-label={text.current}>
                  <Table.Head>
                    <Table.Row>
                      {[text.item, text.commodity, text.grossMass, text.value].map((heading) => (
                        <Table.HeaderCell key={heading} scope="col">
                          {heading}
                        </Table.HeaderCell>
                      ))}
                    </Table.Row>
                  </Table.Head>
                  <Table.Body>
                    {entries.map(({ metadata, data }) => (
                      <Table.Row key={metadata.eventId}>
                        <Table.HeaderCell scope="row">
                          {data?.GoodsItem.GoodsItemNumber}
                        </Table.HeaderCell>
                        <Table.Cell>{data && commodityOf(data.GoodsItem.CommodityCode)}</Table.Cell>
                        <Table.Cell>{data?.GoodsItem.GrossMass}</Table.Cell>
                        <Table.Cell>{data?.GoodsItem.StatisticalValue}</Table.Cell>
                      </Table.Row>
                    ))}
                  </Table.Body>
                </Table>
              </ScrollRegion>
              {next !== undefined && (
                <Paragraph data-size="sm">{text.currentMore(entries.length)}</Paragraph>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}
