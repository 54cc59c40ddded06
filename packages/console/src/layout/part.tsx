// A part of a page with its heading, which screen readers list as a region.
import { Heading } from '@digdir/designsystemet-react';
import { type ReactNode, useId } from 'react';

type Props = { title: string; className: string | undefined; children: ReactNode };

/** A part of a page; the page gives it its style. */
export function Part({ title, className, children }: Props) {
  const id = useId();
  return (
    <section className={className} aria-labelledby={id}>
      <Heading level={2} data-size="xs" id={id}>
        {title}
      </Heading>
      {children}
    </section>
  );
}
