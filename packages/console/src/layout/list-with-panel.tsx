// A list, and beside it one of its entries, with the way to the next one.
import { Button, Heading } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { isEdited } from '../keys/is-edited.js';
import styles from './list-with-panel.module.css';

/** The list; where the page is narrow, the panel takes its place. `isOpen`: whether an entry is shown, which may not be read yet. */
export function ListWithPanel({
  isOpen,
  panel,
  children,
}: {
  isOpen: boolean;
  panel: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.columns} data-open={isOpen}>
      <div className={styles.list}>{children}</div>
      {panel}
    </div>
  );
}

/** A way out of the panel: its button does nothing where there is no entry. */
type Way = { name: string; go: (() => void) | undefined };

/**
 * One entry, whose heading has the focus when it opens, unless somebody types meanwhile: the rest would be keys. When it
 * is closed, the focus is where it was before.
 */
export function Panel({
  title,
  close,
  previous,
  next,
  children,
}: {
  title: ReactNode;
  close: Way;
  previous: Way;
  next: Way;
  children: ReactNode;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    if (!isEdited(before)) heading.current?.focus({ preventScroll: true });
    return () => {
      const isFree = document.activeElement === document.body;
      if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.bar}>
        <Button variant="tertiary" data-size="sm" onClick={close.go}>
          {close.name}
        </Button>
        {[previous, next].map(({ name, go }) => (
          <Button key={name} variant="secondary" data-size="sm" disabled={!go} onClick={go}>
            {name}
          </Button>
        ))}
      </div>
      <Heading level={2} data-size="sm" id={id} ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      {children}
    </section>
  );
}
