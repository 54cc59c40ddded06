// What a run decides, on what, why, and who is responsible for it.
import type { RoutingRun } from '@landfall/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Part } from '../../layout/part.js';
import { useRunDecisionText } from '../../runs/run-decision.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './runs.module.css';
import { Selected } from './selected.js';

export function RunFacts({ run }: { run: RoutingRun }) {
  const text = useMessages(messages);
  const decisionOf = useRunDecisionText();
  const { select, reverses, confirmedBy } = run;
  const facts: [string, ReactNode][] = [
    [text.decides, <strong key="decides">{decisionOf(run)}</strong>],
    [
      text.reverses,
      reverses && (
        <Link className="ds-link" href={`/runs?id=${reverses}`}>
          {text.reversedRun}
        </Link>
      ),
    ],
    [text.selected, select && <Selected filters={select} />],
    [text.reason, run.reason],
    [
      text.created,
      <By key="created" client={run.client} organisation={run.decidedBy} at={run.createdAt} />,
    ],
    [text.origin, text[run.origin]],
    [
      text.confirmed,
      confirmedBy && (
        <By
          client={confirmedBy.client}
          organisation={confirmedBy.organisation}
          at={confirmedBy.at}
        />
      ),
    ],
    [text.changed, <OfficeTime key="changed" at={run.changedAt} />],
  ];
  return (
    <Part title={text.facts} className={styles.section}>
      <FactList className={styles.facts} facts={facts} />
    </Part>
  );
}

function By({ client, organisation, at }: { client: string; organisation: string; at: string }) {
  return (
    <>
      <OfficeTime at={at} />
      <br />
      <Identifier>{client}</Identifier> (<Identifier>{organisation}</Identifier>)
    </>
  );
}
