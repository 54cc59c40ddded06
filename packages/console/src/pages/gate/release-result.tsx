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
import { useMessages, useNumbers } from '../../language/language-context.js';
import { OfficeTime, useFormatTime } from '../../time/office-time.js';
import type { Release, ReleaseConsignment } from './decide-release.js';
import styles from './gate.module.css';
import { messages } from './messages.js';

const STATES = [
  'TO_CONTROL',
  'ENTRY_DENIED',
  'UNDECIDED',
  'ENTRY_PENDING',
  'NOT_PRESENTED',
  'TO_ENTRY',
] as const;

const icons = {
  release: CheckmarkCircleFillIcon,
  control: XMarkOctagonFillIcon,
  denied: XMarkOctagonFillIcon,
  pending: ClockFillIcon,
  undecided: ClockFillIcon,
  notPresented: ClockFillIcon,
  tooMany: QuestionmarkDiamondFillIcon,
  unavailable: QuestionmarkDiamondFillIcon,
  unknown: QuestionmarkDiamondFillIcon,
};

/**
 * @param props `scan`: another number for each check, which lets the panel flash; `checkedAt`: when the service was asked;
 *   `knownAt`: when it was known, if the service cannot be reached now
 */
export function ReleaseResult({
  identifier,
  release,
  scan,
  checkedAt,
  knownAt,
}: {
  identifier: string;
  release: Release;
  scan: number;
  checkedAt: Date | undefined;
  knownAt: Date | undefined;
}) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const { outcome } = release;
  const Icon = icons[outcome];
  const isKept = knownAt !== undefined && outcome !== 'unavailable';
  return (
    <>
      <div key={scan} className={styles.panel} data-outcome={outcome} data-kept={isKept}>
        {isKept && <p className={styles.kept}>{text.asKnown(format(knownAt))}</p>}
        <Icon aria-hidden className={styles.icon} />
        <div>
          <Heading level={2} data-size="xl">
            {titleOf(release, text)}
          </Heading>
          {outcome !== 'release' && <p className={styles.doNot}>{text.doNotRelease}</p>}
          <Paragraph className={styles.identifier}>
            <Identifier>{identifier}</Identifier>
          </Paragraph>
          {outcome !== 'control' && <Paragraph>{text[`${outcome}Text`]}</Paragraph>}
          {!isKept && checkedAt !== undefined && (
            <Paragraph>{text.checkedAt(format(checkedAt))}</Paragraph>
          )}
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

/** What the gate says, in a few words. */
export function titleOf(release: Release, text: typeof messages.en): string {
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
  const { count } = useNumbers();
  return (
    <ul className={styles.counts}>
      {STATES.filter((state) => counts[state] > 0).map((state) => (
        <li key={state}>
          {text[state]} <strong>{count(counts[state])}</strong>
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
  return state === 'UNDECIDED' || state === 'NOT_PRESENTED' ? (
    <Tag data-color="warning">{text[state]}</Tag>
  ) : (
    <RoutingTag routing={state} />
  );
}
