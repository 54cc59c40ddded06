// The scenarios that are switched on, how often they took effect, and their end.
import { Button, Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLanguage, useMessages } from '../../language/language-context.js';
import {
  deleteScenario,
  deleteScenarios,
  listScenarios,
  playground,
} from '../../playground/control.js';
import type { ScenarioState } from '../../playground/scenarios.js';
import { usePollInterval } from '../../session/presence.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Failed } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import { memberNames } from './scenario-texts.js';
import styles from './scenarios.module.css';

const POLL_INTERVAL_MS = 2_000;

export const QUERY_KEY = ['scenarios'];

export function ScenarioList() {
  const text = useMessages(messages);
  const queries = useQueryClient();
  const scenarios = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => (await playground.call(listScenarios, {})).scenarios,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const ending = useMutation({
    networkMode: 'always',
    /** @param id of one scenario; all without it */
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? playground.call(deleteScenarios, {})
        : playground.call(deleteScenario, { parameters: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY_KEY }),
  });
  return (
    <section className={styles.column} aria-labelledby="scenarios">
      <div className={styles.bar}>
        <Heading level={2} data-size="xs" id="scenarios">
          {text.on}
        </Heading>
        {scenarios.data !== undefined && scenarios.data.length > 0 && (
          <Button variant="secondary" data-size="sm" onClick={() => ending.mutate(undefined)}>
            {text.endAll}
          </Button>
        )}
      </div>
      {ending.isError && <Failed error={ending.error} />}
      <Loaded query={scenarios}>
        {(listed) =>
          listed.length === 0 ? (
            <Empty title={text.none}>
              <Paragraph>{text.noneText}</Paragraph>
            </Empty>
          ) : (
            <ul className={styles.list}>
              {listed.map((scenario) => (
                <li key={scenario.id}>
                  <Scenario scenario={scenario} onEnd={() => ending.mutate(scenario.id)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Scenario({ scenario, onEnd }: { scenario: ScenarioState; onEnd: () => void }) {
  const text = useMessages(messages);
  const names = memberNames[useLanguage().language];
  const {
    id: _,
    kind,
    createdAt: _at,
    applied,
    remaining,
    endsAt,
    active,
    ...parameters
  } = scenario;
  return (
    <>
      <div className={styles.bar}>
        <strong>{kind}</strong>
        <Tag data-color={active ? 'success' : 'neutral'}>{active ? text.active : text.over}</Tag>
        <Button variant="secondary" data-size="sm" aria-label={text.end(kind)} onClick={onEnd}>
          {text.endShort}
        </Button>
      </div>
      <div className={styles.facts}>
        <span>{text.applied(applied)}</span>
        {remaining !== undefined && <span>{text.remaining(remaining)}</span>}
        {endsAt !== undefined && (
          <span>
            {text.ends} <OfficeTime at={endsAt} />
          </span>
        )}
        {Object.entries(parameters).map(([name, value]) => (
          <span key={name}>
            {names[name] ?? name}: {String(value)}
          </span>
        ))}
      </div>
    </>
  );
}
