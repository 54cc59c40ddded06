// The secrets of subscriptions that were made and that nobody has said to have kept. The service shows each this once, so
// they outlast the page that asked for them: in memory, until somebody else acts or the console is loaded anew.
import { Alert, Heading, Paragraph } from '@digdir/designsystemet-react';
import type { SubscriptionWithSecret } from '@landfall/client';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Identifier } from '../identifiers/identifier.js';
import { defineMessages } from '../language/language.js';
import { useMessages } from '../language/language-context.js';
import styles from './made-secrets.module.css';

const messages = defineMessages({
  en: {
    waits: 'A new secret is still to be kept',
    waitsText: 'It is lost if this window is closed or loaded anew. Show the secret of',
  },
  nb: {
    waits: 'En ny hemmelighet er ikke tatt vare på ennå',
    waitsText: 'Den går tapt hvis vinduet lukkes eller lastes på nytt. Vis hemmeligheten til',
  },
});

type MadeSecrets = {
  /** Each subscription as it was when its secret was made, with the secret. */
  made: readonly SubscriptionWithSecret[];
  add(made: SubscriptionWithSecret): void;
  /** Forgets that of a subscription: it was kept, or is not needed any more. */
  remove(id: string): void;
};

const Context = createContext<MadeSecrets | undefined>(undefined);

/** Provides them to everything within, and says on every page which are still to be kept. */
export function MadeSecretsProvider({ children }: { children: ReactNode }) {
  const [made, setMade] = useState<readonly SubscriptionWithSecret[]>([]);
  const value = useMemo<MadeSecrets>(() => {
    const without = (others: typeof made, id: string) => others.filter((one) => one.id !== id);
    return {
      made,
      add: (one) => setMade((others) => [...without(others, one.id), one]),
      remove: (id) => setMade((others) => without(others, id)),
    };
  }, [made]);
  return (
    <Context value={value}>
      <Waiting made={made} />
      {children}
    </Context>
  );
}

/** The secrets that were made. */
export function useMadeSecrets(): MadeSecrets {
  const made = useContext(Context);
  if (made === undefined) throw new Error('there is no MadeSecretsProvider');
  return made;
}

/** Those that the page does not show. A public key is shown by the page of its subscription at any time. */
function Waiting({ made }: Pick<MadeSecrets, 'made'>) {
  const text = useMessages(messages);
  const [location] = useLocation();
  const [search] = useSearchParams();
  const shown = location === '/subscriptions' ? search.get('id') : null;
  const waiting = made.filter(({ id, secret }) => secret !== undefined && id !== shown);
  return waiting.map(({ id, url }) => (
    <Alert key={id} data-color="warning" role="status" className={styles.waiting}>
      <Heading level={2} data-size="2xs">
        {text.waits}
      </Heading>
      <Paragraph>
        {text.waitsText}{' '}
        <Link className="ds-link" href={`/subscriptions?id=${id}`}>
          <Identifier>{url}</Identifier>
        </Link>
      </Paragraph>
    </Alert>
  ));
}
