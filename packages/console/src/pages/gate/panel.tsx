// A result of the gate that is about no goods and no transport.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import styles from './gate.module.css';

/** A result without anything that may be released. */
export function Panel({
  outcome,
  title,
  text,
  held,
}: {
  outcome: string;
  title: string;
  text: string;
  /** What must not be done with what is there, if something is. */
  held?: string;
}) {
  return (
    <div className={styles.panel} data-outcome={outcome}>
      <Heading level={2} data-size="lg">
        {title}
      </Heading>
      {held !== undefined && <p className={styles.doNot}>{held}</p>}
      <Paragraph>{text}</Paragraph>
    </div>
  );
}
