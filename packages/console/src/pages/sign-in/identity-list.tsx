// The identities of a playground, to sign in as one of them.
import { Button, Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMessages } from '../../language/language-context.js';
import { type Identity, listIdentities, playground, signIn } from '../../playground/control.js';
import { useSessionState } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Failed } from '../../states/states.js';
import { messages } from './messages.js';
import styles from './sign-in.module.css';

/** The identity that a new user is led to. */
const SUGGESTED = 'carrier';

export function IdentityList() {
  const { signedIn, session } = useSessionState();
  // Whoever was here goes on with what they have begun.
  const first = session?.name ?? SUGGESTED;
  const identities = useQuery({
    queryKey: ['identities'],
    queryFn: () => playground.call(listIdentities, {}),
  });
  const choose = useMutation({
    mutationFn: async (identity: string) => {
      await playground.call(signIn, { body: { identity } });
      await signedIn();
    },
    networkMode: 'always',
  });
  return (
    <>
      {choose.isError && <Failed error={choose.error} />}
      <Loaded query={identities}>
        {(read) => (
          <ul className={styles.identities}>
            {[...read.identities]
              .sort((one, other) => Number(other.name === first) - Number(one.name === first))
              .map((identity) => (
                <IdentityCard
                  key={identity.name}
                  identity={identity}
                  isFirst={identity.name === first}
                  isSuggested={session === undefined && identity.name === SUGGESTED}
                  isBusy={choose.isPending}
                  onChoose={() => choose.mutate(identity.name)}
                />
              ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function IdentityCard({
  identity: { name, kind, organisation, scopes },
  isFirst,
  isSuggested,
  isBusy,
  onChoose,
}: {
  identity: Identity;
  isFirst: boolean;
  isSuggested: boolean;
  isBusy: boolean;
  onChoose: () => void;
}) {
  const text = useMessages(messages);
  return (
    <li className={styles.identity} data-suggested={isFirst}>
      <div className={styles.name}>
        <Heading level={2} data-size="xs">
          {name}
        </Heading>
        {isSuggested && (
          <Tag data-color="success" data-size="sm">
            {text.suggested}
          </Tag>
        )}
      </div>
      <Paragraph data-size="sm">{text[purposeOf(name, scopes)]}</Paragraph>
      <Paragraph data-size="sm" className={styles.subtle}>
        {kind === 'domestic' ? text.domestic : text.foreign} · {organisation}
        <br />
        {text.rights} {scopes.join(', ')}
      </Paragraph>
      <Button
        data-size="sm"
        variant={isFirst ? 'primary' : 'secondary'}
        disabled={isBusy}
        onClick={onChoose}
      >
        {text.continueAs(name)}
      </Button>
    </li>
  );
}

const PURPOSES = ['authority/registry', 'movement/entry', 'declaration.feed'] as const;

/** Identities of every playground that present goods, each in a way of its own. */
const PRESENTERS = ['carrier', 'haulier', 'forwarder', 'express', 'broker', 'courier'] as const;

/** What an identity is for, by its rights. `newcomer` may request rights, but has none. */
function purposeOf(name: string, scopes: readonly string[]) {
  if (name === 'newcomer') return 'nothing';
  const purpose = PURPOSES.find((one) => scopes.some((scope) => scope.endsWith(one))) ?? 'nothing';
  return (purpose === 'movement/entry' && PRESENTERS.find((one) => one === name)) || purpose;
}
