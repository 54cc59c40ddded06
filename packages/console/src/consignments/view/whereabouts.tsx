// Where a house consignment is: presented at a customs office, or expected at one.
import type { HouseConsignment, HouseConsignmentEvent } from '@landfall/client';
import { messages as feedMessages } from '../../feeds/messages.js';
import { useMessages } from '../../language/language-context.js';
import { useOfficeText } from '../../names/office.js';
import { Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { findWhereabouts } from './find-whereabouts.js';
import { messages } from './messages.js';
import styles from './view.module.css';

export function Whereabouts({
  consignment,
  history,
}: {
  consignment: HouseConsignment;
  history: readonly HouseConsignmentEvent[];
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const found = findWhereabouts(consignment, history);
  const office = useOfficeText(found.office);
  const added = consignment.addedAfterPresentation;
  if (found.status === 'expected') {
    return (
      <div className={styles.whereabouts}>
        <strong>{office === '' ? text.expectedSomewhere : text.expectedAt(office)}</strong>
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
  const { level, at, by } = found;
  return (
    <div className={styles.whereabouts}>
      <strong>{office === '' ? text.presentedSomewhere : text.presentedAt(office)}</strong>
      <OfficeTime at={at} />
      <span>
        {level === undefined || level === 'HOUSE_CONSIGNMENT'
          ? text.presentedBy(by)
          : text.presentedAs(names[level], by)}
      </span>
    </div>
  );
}
