// One subscription: its state, what can be done with it, and its attempts.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type Subscription } from '@landfall/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CodeBlock } from '../../code/code-block.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { useMadeSecrets } from '../../made-secrets/made-secrets.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { Attempts } from './attempts.js';
import { ChangeAddress } from './change-address.js';
import { MadeSecret } from './made-secret.js';
import { messages } from './messages.js';
import { StateTag } from './state-tag.js';
import { SubscriptionActions } from './subscription-actions.js';
import styles from './subscriptions.module.css';
import { useSubscription } from './use-subscriptions.js';

export function SubscriptionView({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const text = useMessages(messages);
  const madeSecrets = useMadeSecrets();
  const made = madeSecrets.made.find((one) => one.id === id);
  const query = useSubscription(id);
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <Link className="ds-link" href="/subscriptions">
        {text.all}
      </Link>
      {/* Also while the subscription cannot be read: the secret is nowhere else. */}
      {made !== undefined && (
        <MadeSecret
          key={made.secret ?? made.publicKeys?.[0]}
          made={made}
          onKept={() => madeSecrets.remove(id)}
        />
      )}
      {isMissing ? (
        <Empty title={text.missing}>
          <Paragraph>{text.missingText}</Paragraph>
        </Empty>
      ) : (
        <Loaded query={query}>
          {(subscription) => <View subscription={subscription} onDeleted={onDeleted} />}
        </Loaded>
      )}
    </>
  );
}

function View({ subscription, onDeleted }: { subscription: Subscription; onDeleted: () => void }) {
  const text = useMessages(messages);
  const { url, state, reason, publicKeys = [] } = subscription;
  return (
    <>
      <div className={styles.row}>
        <Heading level={2} data-size="sm" className={styles.url}>
          <Identifier>{url}</Identifier>
        </Heading>
        <StateTag subscription={subscription} />
      </div>
      {reason !== undefined && <Notice color="danger" title={text.suspended} text={text[reason]} />}
      {state === 'VERIFYING' && (
        <Notice color="info" title={text.verifying} text={text.verifyingText} />
      )}
      <Facts subscription={subscription} />
      <SubscriptionActions subscription={subscription} onDeleted={onDeleted} />
      {publicKeys.length > 0 && (
        <section className={styles.section} aria-labelledby="public-keys">
          <Heading level={3} data-size="xs" id="public-keys">
            {text.publicKeys}
          </Heading>
          {publicKeys.map((key, index) => (
            <CodeBlock key={key} label={`${text.publicKey} ${index + 1}`} text={key} />
          ))}
        </section>
      )}
      <ChangeAddress key={url} subscription={subscription} />
      <Attempts id={subscription.id} />
    </>
  );
}

function Facts({ subscription }: { subscription: Subscription }) {
  const text = useMessages(messages);
  const { count } = useNumbers();
  const { feed, pending, confirmedAt, marker, signature, client, createdAt, ...rest } =
    subscription;
  const { failures, failingSince, nextAttemptAt } = rest;
  const facts: [string, ReactNode][] = [
    [text.feed, text[feed]],
    [text.pending, feed === 'goods-items' ? text.pendingOfStream(count(pending)) : count(pending)],
    [
      text.confirmedAt,
      confirmedAt === undefined ? text.never : <OfficeTime key="confirmed" at={confirmedAt} />,
    ],
    [text.confirmedEntry, marker && <Identifier>{marker}</Identifier>],
    [
      text.failingSince,
      failingSince && (
        <>
          <OfficeTime at={failingSince} /> ({text.attemptsFailed(failures ?? 1)})
        </>
      ),
    ],
    [text.nextAttempt, nextAttemptAt && <OfficeTime at={nextAttemptAt} />],
    [text.signature, text[signature]],
    [text.client, <Identifier key="client">{client}</Identifier>],
    [text.createdAt, <OfficeTime key="created" at={createdAt} />],
  ];
  return <FactList className={styles.facts} facts={facts} />;
}
