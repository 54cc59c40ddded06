// What the gate says of goods: in colour, with a sign and in words, and the consignments that it is about.
import { Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import {
  CheckmarkCircleFillIcon,
  ClockFillIcon,
  QuestionmarkDiamondFillIcon,
  XMarkOctagonFillIcon,
} from '@navikt/aksel-icons';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { OfficeTime } from '../../time/office-time.js';
import type { Release, ReleaseConsignment } from './decide-release.js';
import styles from './gate.module.css';
import { messages } from './messages.js';

const STATES = ['TO_CONTROL', 'UNDECIDED', 'NOT_PRESENTED', 'TO_ENTRY'] as const;

const icons = {
  release: CheckmarkCircleFillIcon,
  control: XMarkOctagonFillIcon,
  undecided: ClockFillIcon,
  notPresented: ClockFillIcon,
  tooMany: QuestionmarkDiamondFillIcon,
  unavailable: QuestionmarkDiamondFillIcon,
  unknown: QuestionmarkDiamondFillIcon,
};

export function ReleaseResult({ identifier, release }: { identifier: string; release: Release }) {
  const text = useMessages(messages);
  const { outcome } = release;
  const Icon = icons[outcome];
  return (
    <>
      <div className={styles.panel} data-outcome={outcome}>
        <Icon aria-hidden className={styles.icon} />
        <div>
          <Heading level={2} data-size="xl">
            {titleOf(release, text)}
          </Heading>
          <Paragraph className={styles.identifier}>
            <Identifier>{identifier}</Identifier>
          </Paragraph>
          <Paragraph>{text[`${outcome}Text`]}</Paragraph>
        </div>
      </div>
      {release.isAggregate && (
        <div>
          <Paragraph>{text.aggregate}</Paragraph>
          <Counts counts={release.counts} />
        </div>
      )}
      {release.consignments.length > 0 && <Consignments release={release} />}
    </>
  );
}

function titleOf(release: Release, text: typeof messages.en): string {
  if (release.outcome !== 'control') return text[release.outcome];
  switch (release.location) {
    case 'ON_ENTRY':
      return text.controlOnEntry;
    case 'AFTER_ENTRY':
      return text.controlAfterEntry;
    default:
      return text.control;
  }
}

/** How many consignments there are of each state. */
function Counts({ counts }: Pick<Release, 'counts'>) {
  const text = useMessages(messages);
  return (
    <ul className={styles.counts}>
      {STATES.filter((state) => counts[state] > 0).map((state) => (
        <li key={state}>
          {text[state]} <strong>{counts[state]}</strong>
        </li>
      ))}
    </ul>
  );
}

function Consignments({ release: { consignments, counts } }: { release: Release }) {
  const text = useMessages(messages);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const further = all - consignments.length;
  return (
    <ul className={styles.consignments} aria-label={text.consignments}>
      {consignments.map(({ mrn, documentNumber, type, state, issuedAt }) => (
        <li key={`${mrn} ${documentNumber} ${type}`}>
          <StateTag state={state} />
          <strong>
            <Identifier>{documentNumber}</Identifier>
          </strong>
          <span>{type}</span>
          <span>
            {text.mrn} <Identifier>{mrn}</Identifier>
          </span>
          {issuedAt !== undefined && (
            <span>
              {text.issued} <OfficeTime at={issuedAt} />
            </span>
          )}
        </li>
      ))}
      {further > 0 && <li>{text.more(further)}</li>}
    </ul>
  );
}

function StateTag({ state }: Pick<ReleaseConsignment, 'state'>) {
  const text = useMessages(messages);
  if (state === 'TO_CONTROL' || state === 'TO_ENTRY') return <RoutingTag routing={state} />;
  return <Tag data-color="warning">{text[state]}</Tag>;
}
