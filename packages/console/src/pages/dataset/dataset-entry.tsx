// One entry of the tree: what it is, what has become of its goods, and a link that presents it.
import { Paragraph, Tag } from '@digdir/designsystemet-react';
import { mrnOf } from '@landfall/client';
import { ChevronDownIcon, ChevronRightIcon } from '@navikt/aksel-icons';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { messages as feedMessages } from '../../feeds/messages.js';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { maySee, pageList } from '../../layout/page-list.js';
import { branchesOf, type DatasetQuery, type Presentable } from '../../playground/dataset.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import styles from './dataset.module.css';
import { messages } from './messages.js';

export function DatasetEntry({
  entry,
  query,
  isOpenAtFirst,
  onToggle,
  renderBranch,
}: {
  entry: Presentable;
  /** That listed it. */
  query: DatasetQuery;
  isOpenAtFirst: boolean;
  onToggle: (isOpen: boolean) => void;
  renderBranch: (query: DatasetQuery) => ReactNode;
}) {
  const names = useMessages(feedMessages);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const branches = branchesOf(entry, query);
  const label = (
    <span>
      <span className={styles.level}>{names[entry.level]}</span>{' '}
      <strong className={styles.reference}>
        <Identifier>{nameOf(entry)}</Identifier>
      </strong>
    </span>
  );
  const toggle = () => {
    setOpen(!isOpen);
    onToggle(!isOpen);
  };
  return (
    <li>
      <div className={styles.entry}>
        {branches.length === 0 ? (
          <span className={styles.leaf}>{label}</span>
        ) : (
          <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? <ChevronDownIcon aria-hidden /> : <ChevronRightIcon aria-hidden />}
            {label}
          </button>
        )}
        <State entry={entry} />
        <PresentLink entry={entry} />
      </div>
      {isOpen && <div className={styles.branch}>{branches.map(renderBranch)}</div>}
    </li>
  );
}

/** What has become of the goods. */
function State({ entry }: { entry: Presentable }) {
  const text = useMessages(messages);
  if (entry.level !== 'HOUSE_CONSIGNMENT') {
    const { houseConsignments, presented, decided } = entry;
    return (
      <Paragraph data-size="sm" className={styles.state}>
        {text.counts(houseConsignments, presented, decided)}
      </Paragraph>
    );
  }
  return (
    <span className={styles.state}>
      <Tag data-color={entry.state === 'SIGNALLED' ? 'info' : 'neutral'}>{text[entry.state]}</Tag>
      {entry.routing !== undefined && <RoutingTag routing={entry.routing} />}
    </span>
  );
}

function PresentLink({ entry }: { entry: Presentable }) {
  const text = useMessages(messages);
  const session = useSession();
  const { configuration } = useSessionState();
  const page = pageList.find(({ name }) => name === 'present');
  if (page === undefined || !maySee(page, session, configuration)) return null;
  return (
    <Link
      href={`/present?${new URLSearchParams(referenceOf(entry))}`}
      className="ds-link"
      aria-label={text.presentThis(nameOf(entry))}
    >
      {text.present}
    </Link>
  );
}

/** What identifies an entry among its siblings. */
export function keyOf(entry: Presentable): string {
  return entry.level === 'HOUSE_CONSIGNMENT' ? entry.id : nameOf(entry);
}

function nameOf(entry: Presentable): string {
  switch (entry.level) {
    case 'HOUSE_CONSIGNMENT':
      return `${entry.transportDocumentHouseLevel.documentNumber} ${entry.transportDocumentHouseLevel.type}`;
    case 'ENTRY_SUMMARY_DECLARATION':
      return entry.mrn;
    case 'MASTER_CONSIGNMENT':
      return `${entry.transportDocumentMasterLevel.documentNumber} ${entry.transportDocumentMasterLevel.type}`;
    case 'RECEPTACLE':
      return entry.receptacleId;
    case 'CONTAINER':
      return entry.containerId;
  }
}

/** The fields of the form that presents it. */
function referenceOf(entry: Presentable): Record<string, string> {
  const { level } = entry;
  switch (level) {
    case 'HOUSE_CONSIGNMENT':
      return { level, ...entry.transportDocumentHouseLevel, mrn: mrnOf(entry) };
    case 'ENTRY_SUMMARY_DECLARATION':
      return { level, mrn: entry.mrn };
    case 'MASTER_CONSIGNMENT': {
      const { documentNumber, type } = entry.transportDocumentMasterLevel;
      return { level, masterDocumentNumber: documentNumber, type };
    }
    case 'RECEPTACLE':
      return { level, receptacleId: entry.receptacleId };
    case 'CONTAINER':
      return { level, containerId: entry.containerId };
  }
}
