// The layout of a page: its heading, an introduction, and its content.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Identifier } from '../identifiers/identifier.js';
import styles from './layout.module.css';

/** Whether a page was shown before, so that the next one was opened from it. */
let hasShownPage = false;

/**
 * A page with its heading, which is focused when the page is opened from another one, so that screen readers begin
 * there. The first one begins as any page does.
 */
export function Page({
  title,
  identifier,
  lead,
  wide = false,
  children,
}: {
  title: string;
  /** What the page is about; the heading ends with it. */
  identifier?: string | undefined;
  lead?: ReactNode;
  /** For tables and lists. */
  wide?: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${identifier === undefined ? title : `${title} ${identifier}`} – Landfall`;
  }, [title, identifier]);
  useEffect(() => {
    // A field of the page may have the focus already.
    const isFree = document.activeElement === document.body;
    if (hasShownPage && isFree) heading.current?.focus({ preventScroll: true });
    hasShownPage = true;
  }, []);
  return (
    <div className={wide ? styles.wide : styles.narrow}>
      <div className={styles.title}>
        <Heading level={1} data-size="lg" ref={heading} tabIndex={-1}>
          {title}
          {identifier !== undefined && (
            <>
              {' '}
              <Identifier>{identifier}</Identifier>
            </>
          )}
        </Heading>
        {lead && <Paragraph className={styles.lead}>{lead}</Paragraph>}
      </div>
      {children}
    </div>
  );
}
