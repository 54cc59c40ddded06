// The scenarios of a playground: what can go wrong, switched on and ended.
import { Paragraph } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { listIdentities, listScenarioKinds, playground } from '../../playground/control.js';
import { Loaded } from '../../states/loaded.js';
import { AddScenario } from './add-scenario.js';
import { messages } from './messages.js';
import { ScenarioList } from './scenario-list.js';
import styles from './scenarios.module.css';

export function ScenariosPage() {
  const text = useMessages(messages);
  const { scenarios: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const known = useQuery({
    queryKey: ['scenario-kinds'],
    queryFn: async () => {
      const [{ kinds }, { identities }] = await Promise.all([
        playground.call(listScenarioKinds, {}),
        playground.call(listIdentities, {}),
      ]);
      return { kinds, identities: identities.map(({ name }) => name) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title={title} lead={text.lead} wide>
      <div className={styles.columns}>
        <Loaded query={known}>
          {({ kinds, identities }) => {
            const chosen = kinds.find(({ kind }) => kind === search.get('kind')) ?? kinds[0];
            if (chosen === undefined) return <Paragraph>{text.none}</Paragraph>;
            return (
              <AddScenario
                key={chosen.kind}
                kinds={kinds}
                kind={chosen}
                identities={identities}
                onChoose={(kind) => setSearch({ kind }, { replace: true })}
              />
            );
          }}
        </Loaded>
        {/* On a phone it is below the form, which would move it. */}
        {!known.isPending && <ScenarioList />}
      </div>
    </Page>
  );
}
