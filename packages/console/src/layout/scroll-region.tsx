// A region that scrolls on its own, also with the keyboard: a table or a text that may be wider or longer than its place.
import type { ReactNode, Ref } from 'react';

type Props = {
  /** Its name for screen readers. */
  label: string;
  /** Gives it its size. */
  className?: string | undefined;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
};

/** A region that can be focused, because only what has the focus scrolls with the keyboard. */
export function ScrollRegion({ label, className, ref, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard only if it can be focused
    <section ref={ref} className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
