// One movement message of any organisation, for officers. Each reading of it is recorded: it is read when the page is opened,
// and when somebody wants it again, and never by itself.
import { Button, Paragraph, Tabs, Tag } from '@digdir/designsystemet-react';
import { ApiError, type LodgedMovement } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { CodeBlock } from '../../code/code-block.js';
import { Identifier } from '../../identifiers/identifier.js';
import { isMrn, readCode } from '../../identifiers/read-scan.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Part } from '../../layout/part.js';
import { Office } from '../../names/office.js';
import { Organisation } from '../../names/organisation.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Failed, Loading, Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages as modeNames } from '../journeys/messages.js';
import { messages as reasonNames } from '../lodge/messages.js';
import { nameOfMessage } from '../lodge/name-of-message.js';
import { reportAddress, useMayReport } from '../transports/transport-links.js';
import { CancelAsAuthority } from './cancel-as-authority.js';
import { Coupled } from './coupled.js';
import styles from './message.module.css';
import { MessageState } from './message-state.js';
import { messages } from './messages.js';

/** The names of all members and codes: loaded when they are shown. */
const MessageText = lazyPart(async () => ({
  default: (await import('./message-text.js')).MessageText,
}));

const VIEWS = ['message', 'coupled', 'json'] as const;

export function MessagePage() {
  const { mrn: given = '' } = useParams<{ mrn: string }>();
  const mrn = readCode(given);
  const text = useMessages(messages);
  const { message: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['movement of anybody', mrn],
    queryFn: async ({ signal }) => {
      try {
        return await landfall.getMovementAsAuthority(mrn, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: isMrn(mrn),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page title={title} identifier={mrn} wide>
      {!isMrn(mrn) ? (
        <Unknown mrn={undefined} />
      ) : (
        <Loaded query={read}>
          {(movement) =>
            movement === null ? (
              <Unknown mrn={mrn} />
            ) : (
              <>
                {read.isError && <Failed error={read.error} onRetry={() => void read.refetch()} />}
                <Message
                  key={mrn}
                  movement={movement}
                  onCancelled={async () => void (await read.refetch())}
                />
                <div className={styles.readAgain}>
                  <Paragraph data-size="sm">
                    {text.readAt} <OfficeTime at={new Date(read.dataUpdatedAt).toISOString()} />.{' '}
                    {text.recorded}
                  </Paragraph>
                  <Button
                    variant="secondary"
                    data-size="sm"
                    loading={read.isFetching}
                    onClick={() => void read.refetch()}
                  >
                    {text.readAgain}
                  </Button>
                </div>
              </>
            )
          }
        </Loaded>
      )}
    </Page>
  );
}

function Unknown({ mrn }: { mrn: string | undefined }) {
  const text = useMessages(messages);
  return (
    <Empty title={text.unknown}>
      <Paragraph>{text.unknownText}</Paragraph>
      {mrn !== undefined && (
        <Link className="ds-link" href={`/declarations/${mrn}`}>
          {text.toDeclaration}
        </Link>
      )}
      <Link className="ds-link" href="/search">
        {text.toSearch}
      </Link>
    </Empty>
  );
}

function Message({
  movement,
  onCancelled,
}: {
  movement: LodgedMovement;
  /** It was cancelled, or somebody has tried to. */
  onCancelled: () => Promise<void>;
}) {
  const text = useMessages(messages);
  const modes = useMessages(modeNames);
  const { mode, level, complete, message } = movement;
  return (
    <>
      <div className={styles.tags}>
        <MessageState message={movement} />
        {complete !== undefined && (
          <Tag data-color={complete ? 'success' : 'warning'}>
            {complete ? text.complete : text.incomplete}
          </Tag>
        )}
        <span>
          {text[level]}{' '}
          {message !== undefined && <Identifier>{nameOfMessage(movement)}</Identifier>},{' '}
          {modes[mode]}
        </span>
      </div>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Missing movement={movement} />
          <Part className={styles.part} title={text.facts}>
            <Facts movement={movement} />
          </Part>
          <Links movement={movement} />
        </div>
        <Part className={styles.part} title={text.cancelTitle}>
          <CancelAsAuthority movement={movement} onSettled={onCancelled} />
        </Part>
      </div>
      <Views movement={movement} />
    </>
  );
}

/** What an incomplete house consignment lacks. */
function Missing({ movement }: { movement: LodgedMovement }) {
  const text = useMessages(messages);
  const reasons = useMessages(reasonNames);
  const { incompleteDocumentationReasonList: missing = [] } = movement;
  if (missing.length === 0) return null;
  return (
    <Notice
      color="warning"
      title={text.missing}
      text={`${missing.map((reason) => reasons[reason]).join('. ')}.`}
      isQuiet
    />
  );
}

function Facts({
  movement: {
    submitter,
    representative,
    carrier,
    lodgedAt,
    replacedAt,
    endedAt,
    arrivedAt,
    customsOfficeOfArrival: office,
  },
}: {
  movement: LodgedMovement;
}) {
  const text = useMessages(messages);
  const facts = [
    [text.submitter, <Organisation key="submitter" id={submitter} />],
    [text.representative, representative && <Organisation id={representative} />],
    [text.carrier, carrier && <Organisation id={carrier} />],
    [text.lodgedAt, <OfficeTime key="lodged" at={lodgedAt} />],
    [text.replacedAt, replacedAt && <OfficeTime at={replacedAt} />],
    [text.arrivedAt, arrivedAt && <OfficeTime at={arrivedAt} />],
    [text.officeOfArrival, office && <Office code={office} />],
    [text.endedAt, endedAt && <OfficeTime at={endedAt} />],
  ] as const;
  return <FactList className={styles.facts} facts={facts} />;
}

/** Where an officer goes from here. */
function Links({ movement }: { movement: LodgedMovement }) {
  const text = useMessages(messages);
  const mayReport = useMayReport();
  const { mrn, level, arrivedAt, customsOfficeOfArrival, houseConsignmentId: id } = movement;
  const office = customsOfficeOfArrival ?? officeOfFirstEntry(movement);
  return (
    <div className={styles.links}>
      {id !== undefined && (
        <Link className="ds-link" href={`/consignments/${id}`}>
          {text.toGoods}
        </Link>
      )}
      {level === 'TRANSPORT' && mayReport(movement) && (
        <Link className="ds-link" href={reportAddress({ mrn, office })}>
          {arrivedAt === undefined ? text.report : text.correct}
        </Link>
      )}
      {level === 'TRANSPORT' && (
        <Link className="ds-link" href="/transport-list">
          {text.toList}
        </Link>
      )}
    </div>
  );
}

function officeOfFirstEntry({ message }: LodgedMovement): string | undefined {
  return message !== undefined && 'customsOfficeOfFirstEntry' in message
    ? message.customsOfficeOfFirstEntry.referenceNumber
    : undefined;
}

function Views({ movement }: { movement: LodgedMovement }) {
  const text = useMessages(messages);
  const [address, setAddress] = useSearchParams();
  const view = VIEWS.find((one) => one === address.get('view')) ?? 'message';
  const { message } = movement;
  return (
    <Tabs
      value={view}
      onChange={(chosen) =>
        setAddress(chosen === 'message' ? {} : { view: chosen }, { replace: true })
      }
    >
      <Tabs.List>
        {VIEWS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {text[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="message" className={styles.tab}>
        {view === 'message' &&
          (message === undefined ? (
            <NoText />
          ) : (
            <Suspense fallback={<Loading />}>
              <MessageText movement={movement} message={message} />
            </Suspense>
          ))}
      </Tabs.Panel>
      <Tabs.Panel value="coupled" className={styles.tab}>
        {view === 'coupled' && <Coupled movement={movement} />}
      </Tabs.Panel>
      <Tabs.Panel value="json" className={styles.tab}>
        {view === 'json' &&
          (message === undefined ? (
            <NoText />
          ) : (
            <CodeBlock label={text.wholeText} text={JSON.stringify(message, null, 2)} />
          ))}
      </Tabs.Panel>
    </Tabs>
  );
}

function NoText() {
  const text = useMessages(messages);
  return (
    <Empty title={text.noText}>
      <Paragraph>{text.noTextText}</Paragraph>
    </Empty>
  );
}
