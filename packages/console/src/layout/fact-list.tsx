// A list of names and values; those without a value are left out.
import type { ReactNode } from 'react';

export function FactList({
  facts,
  className,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  className?: string | undefined;
}) {
  return (
    <dl className={className}>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
