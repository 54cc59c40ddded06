// One house consignment: its facts, where it is, the decision, and its history.
import { Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type HouseConsignment, type HouseConsignmentEvent } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';

import { Link, useParams } from 'wouter';
import { ConsignmentTags } from '../../consignments/consignment-tags.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Part } from '../../layout/part.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './consignment.module.css';
import { Decide } from './decide.js';
import { Facts } from './facts.js';
import { findWhereabouts } from './find-whereabouts.js';
import { messages } from './messages.js';
import { Timeline } from './timeline.js';

/** How often the consignment is read again while it is shown, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;

/** What is known of a consignment. One that was withdrawn has only a history. */
type Known = {
  consignment: HouseConsignment | undefined;
  history: readonly HouseConsignmentEvent[];
};

export function ConsignmentPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { consignment: name } = useMessages(pageNames);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['consignment', id],
    queryFn: async ({ signal }): Promise<Known> => {
      const [consignment, history] = await Promise.all([
        orMissing(landfall.getHouseConsignment(id, { signal })),
        orMissing(landfall.getHouseConsignmentHistory(id, { signal })),
      ]);
      return { consignment, history: history ?? [] };
    },
    refetchInterval: POLL_INTERVAL_MS,
  });
  const document = read.data?.consignment?.transportDocumentHouseLevel;
  return (
    <Page title={name} identifier={document?.documentNumber} wide>
      <Loaded query={read}>
        {({ consignment, history }) =>
          consignment !== undefined ? (
            <Consignment
              consignment={consignment}
              history={history}
              onDecided={async () => void (await read.refetch())}
            />
          ) : history.length > 0 ? (
            <Withdrawn history={history} />
          ) : (
            <Unknown />
          )
        }
      </Loaded>
    </Page>
  );
}

function Consignment({
  consignment,
  history,
  onDecided,
}: {
  consignment: HouseConsignment;
  history: readonly HouseConsignmentEvent[];
  onDecided: () => Promise<void>;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const { routing, routingControlLocation } = consignment;
  return (
    <>
      <div className={styles.tags}>
        <ConsignmentTags consignment={consignment} />
        {routing === 'TO_CONTROL' && routingControlLocation !== undefined && (
          <span>{names[routingControlLocation]}</span>
        )}
      </div>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Part className={styles.part} title={text.whereabouts}>
            <Whereabouts consignment={consignment} history={history} />
          </Part>
          <Part className={styles.part} title={text.facts}>
            <Facts consignment={consignment} />
          </Part>
        </div>
        <Part className={styles.part} title={text.change}>
          <Decide consignment={consignment} history={history} onDecided={onDecided} />
        </Part>
      </div>
      <Part className={styles.part} title={text.history}>
        <Timeline history={history} />
      </Part>
    </>
  );
}

function Withdrawn({ history }: { history: readonly HouseConsignmentEvent[] }) {
  const text = useMessages(messages);
  return (
    <>
      <Notice color="warning" title={text.withdrawnTitle} text={text.withdrawn} />
      <Part className={styles.part} title={text.history}>
        <Timeline history={history} />
      </Part>
    </>
  );
}

function Unknown() {
  const text = useMessages(messages);
  return (
    <Empty title={text.unknownTitle}>
      <Paragraph>{text.unknown}</Paragraph>
      <Link href="/search" className="ds-link">
        {text.toSearch}
      </Link>
    </Empty>
  );
}

function Whereabouts({
  consignment,
  history,
}: {
  consignment: HouseConsignment;
  history: readonly HouseConsignmentEvent[];
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const found = findWhereabouts(consignment, history);
  const added = consignment.addedAfterPresentation;
  if (found.status === 'expected') {
    return (
      <div className={styles.whereabouts}>
        <strong>{text.expectedAt(found.office)}</strong>
        <span>
          {found.eta === undefined ? (
            text.noEta
          ) : (
            <>
              {text.eta}: <OfficeTime at={found.eta} />
            </>
          )}
        </span>
        {added !== undefined && (
          <Notice
            color="warning"
            title={text.ADDED_AFTER_PRESENTATION}
            text={text.addedAfter(names[added.level])}
          />
        )}
      </div>
    );
  }
  const { office, level, at, by } = found;
  return (
    <div className={styles.whereabouts}>
      <strong>{office === undefined ? text.presentedSomewhere : text.presentedAt(office)}</strong>
      <OfficeTime at={at} />
      <span>
        {level === undefined || level === 'HOUSE_CONSIGNMENT'
          ? text.presentedBy(by)
          : text.presentedAs(names[level], by)}
      </span>
    </div>
  );
}

/** What does not exist is missing, not an error. */
async function orMissing<Data>(reading: Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
