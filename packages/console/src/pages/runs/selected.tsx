// By what a run has selected its house consignments.
import type { RoutingRunFilters } from '@landfall/client';
import type { ReactNode } from 'react';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './runs.module.css';

export function Selected({ filters }: { filters: RoutingRunFilters }) {
  const text = useMessages(messages);
  const { state, from, to, ...identifiers } = filters;
  // The cast is true because these are the names of its members.
  const names = Object.keys(identifiers) as (keyof typeof identifiers)[];
  const shown = new Map<string, ReactNode>(
    names.map((name) => [
      text[name],
      <Identifier key={name}>{String(identifiers[name] ?? '')}</Identifier>,
    ]),
  );
  if (state !== undefined) shown.set(text.houseState, text[state]);
  if (from !== undefined) shown.set(text.from, <OfficeTime at={from} />);
  if (to !== undefined) shown.set(text.to, <OfficeTime at={to} />);
  if (shown.size === 0) return text.byIds;
  return (
    <ul className={styles.selected}>
      {[...shown].map(([name, value]) => (
        <li key={name}>
          {name}: {value}
        </li>
      ))}
    </ul>
  );
}
