// Everything about one house consignment: where it is, its facts, the decision, and its history.
import { Paragraph } from '@digdir/designsystemet-react';
import type { HouseConsignment, HouseConsignmentEvent } from '@landfall/client';
import { Link } from 'wouter';
import { messages as feedMessages } from '../../feeds/messages.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Notice } from '../../states/states.js';
import { ConsignmentTags } from '../consignment-tags.js';
import { Decide } from './decide.js';
import { Facts } from './facts.js';
import { messages } from './messages.js';
import { Timeline } from './timeline.js';
import type { useConsignment } from './use-consignment.js';
import styles from './view.module.css';
import { Whereabouts } from './whereabouts.js';

/** @param props `isNarrow`: beside a list, in one column, with the decision first */
export function ConsignmentView({
  read,
  isNarrow = false,
  onDecided,
}: {
  read: ReturnType<typeof useConsignment>;
  isNarrow?: boolean;
  /** Is called after a decision was attempted. */
  onDecided?: () => Promise<void>;
}) {
  return (
    <Loaded query={read}>
      {({ consignment, history }) =>
        consignment !== undefined ? (
          <Consignment
            consignment={consignment}
            history={history}
            isNarrow={isNarrow}
            onDecided={async () => {
              await read.refetch();
              await onDecided?.();
            }}
          />
        ) : history.length > 0 ? (
          <Withdrawn history={history} />
        ) : (
          <Unknown />
        )
      }
    </Loaded>
  );
}

function Consignment({
  consignment,
  history,
  isNarrow,
  onDecided,
}: {
  consignment: HouseConsignment;
  history: readonly HouseConsignmentEvent[];
  isNarrow: boolean;
  onDecided: () => Promise<void>;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const { routing, routingControlLocation } = consignment;
  const whereabouts = (
    <Part className={styles.part} title={text.whereabouts}>
      <Whereabouts consignment={consignment} history={history} />
    </Part>
  );
  const facts = (
    <Part className={styles.part} title={text.facts}>
      <Facts consignment={consignment} />
    </Part>
  );
  const decide = (
    <Part className={styles.part} title={text.change}>
      <Decide consignment={consignment} history={history} onDecided={onDecided} />
    </Part>
  );
  return (
    <>
      <div className={styles.tags}>
        <ConsignmentTags consignment={consignment} />
        {routing === 'TO_CONTROL' && routingControlLocation !== undefined && (
          <span>{names[routingControlLocation]}</span>
        )}
      </div>
      {isNarrow ? (
        <>
          {whereabouts}
          {decide}
          {facts}
        </>
      ) : (
        <div className={styles.columns}>
          <div className={styles.column}>
            {whereabouts}
            {facts}
          </div>
          {decide}
        </div>
      )}
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
