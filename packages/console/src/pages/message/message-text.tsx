// A movement message in readable form, with the names of its members and codes.
import { Button } from '@digdir/designsystemet-react';
import type { LodgedMovement } from '@landfall/client';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useCountryNames } from '../../language/country-names.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { Office } from '../../names/office.js';
import { OfficeTime } from '../../time/office-time.js';
import { codeNames } from '../lodge/code-names.js';
import { labelOf, labels } from '../lodge/labels.js';
import { shownOf } from '../lodge/parts.js';
import type { Steps } from '../lodge/steps.js';
import { levelOf } from './level.js';
import styles from './message.module.css';
import { type Fact, type Leaf, type Section, sectionsOf } from './message-sections.js';
import { messages } from './messages.js';

/** How many items of a list are shown at first, and how many more each time. */
const ITEMS = { first: 20, more: 200 };

export function MessageText({ movement, message }: { movement: LodgedMovement; message: object }) {
  const { mode, level } = movement;
  const sections = useMemo(
    () => sectionsOf(message, shownOf(mode, levelOf(level))),
    [message, mode, level],
  );
  return (
    <div className={styles.sections}>
      {sections.map((section) => (
        <SectionView key={section.steps.join('.')} section={section} movement={movement} />
      ))}
    </div>
  );
}

function SectionView({
  section: { steps, isList, items },
  movement: { mode, level },
}: {
  section: Section;
  movement: LodgedMovement;
}) {
  const text = useMessages(messages);
  const nameOf = useNames(mode);
  const [shown, setShown] = useState(ITEMS.first);
  if (items.length === 0) return null;
  const name = steps.length === 0 ? text[level] : nameOf(steps);
  return (
    <Part
      className={isList ? `${styles.section} ${styles.wide}` : styles.section}
      title={items.length > 1 ? text.several(name, items.length) : name}
    >
      {items.slice(0, shown).map((facts, index) => (
        <dl key={index} className={isList ? styles.item : styles.facts}>
          {facts.map((fact) => (
            <div key={fact.steps.join('.')}>
              <dt>{nameOf(fact.steps)}</dt>
              <dd>
                <Values fact={fact} />
              </dd>
            </div>
          ))}
        </dl>
      ))}
      {items.length > shown && (
        <Button
          variant="secondary"
          data-size="sm"
          className={styles.start}
          onClick={() => setShown(shown + ITEMS.more)}
        >
          {text.more(items.length - shown)}
        </Button>
      )}
    </Part>
  );
}

/** The names of members. */
function useNames(mode: string): (steps: Steps) => string {
  const names = useMessages(labels);
  const { issued } = useMessages(messages);
  return (steps) =>
    steps.at(-1) === 'documentIssueDate'
      ? issued
      : (labelOf(names, steps, mode) ?? String(steps.at(-1)));
}

function Values({ fact: { leaves } }: { fact: Fact }) {
  return leaves.map((leaf, index) => (
    <Fragment key={`${leaf.steps.join('.')} ${index}`}>
      {index > 0 && ', '}
      <Value leaf={leaf} />
    </Fragment>
  ));
}

/** Members by which goods are searched. */
const SEARCHED = [
  'documentNumber',
  'receptacleIdentificationNumber',
  'containerIdentificationNumber',
];

function Value({ leaf: { steps, part, value } }: { leaf: Leaf }): ReactNode {
  const text = useMessages(messages);
  const nameOfCountry = useCountryNames();
  const { count } = useNumbers();
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (typeof value === 'number') return count(value);
  const given = String(value);
  if (part.form === 'instant') return <OfficeTime at={given} />;
  if (part.form === 'lines') return given;
  const [name, before] = steps.filter((step) => typeof step === 'string').reverse();
  if (before === 'customsOfficeOfFirstEntry') return <Office code={given} />;
  if (part.country === true) return `${given} ${nameOfCountry(given)}`;
  const known = codeNames(part, steps)?.[given];
  if (known !== undefined) {
    // Names of codes are English in the lists.
    return (
      <>
        {given} <span lang="en">{known}</span>
      </>
    );
  }
  const identifier = <Identifier>{given}</Identifier>;
  if (name === undefined || !SEARCHED.includes(name)) return identifier;
  return (
    <Link className="ds-link" href={`/search?id=${encodeURIComponent(given)}`}>
      {identifier}
    </Link>
  );
}
