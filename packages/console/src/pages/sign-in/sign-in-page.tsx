// Signing in: before any page, and again when the session has ended, over the page, which stays as it is.
import { Button, Dialog, Heading, Paragraph } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../language/language-context.js';
import { Brand } from '../../layout/brand.js';
import { Page } from '../../layout/page.js';
import { Settings } from '../../layout/settings.js';
import { useSessionState } from '../../session/session-context.js';
import { messages as stateMessages } from '../../states/messages.js';
import { Notice } from '../../states/states.js';
import { IdentityList } from './identity-list.js';
import { messages } from './messages.js';
import { readRefusal, removeRefusal } from './refusal.js';
import styles from './sign-in.module.css';

/** Where a person signs in at the provider. The service returns to the address in `return`. */
const SIGN_IN_ADDRESS = '/console/sign-in';

export function SignInPage() {
  const text = useMessages(messages);
  const isPlayground = useSessionState().configuration.signIn === 'identity';
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Brand />
        <Settings />
      </header>
      <main className={styles.main}>
        <Page
          title={isPlayground ? text.title : text.personTitle}
          lead={isPlayground ? text.lead : text.personLead}
        >
          <SignInChoice />
        </Page>
      </main>
    </div>
  );
}

/** Signs in again without leaving the page, so that nothing that was entered is lost. */
export function SignInDialog() {
  const { endedTitle, ended } = useMessages(stateMessages);
  const text = useMessages(messages);
  const { replacedBy, session, signedIn, configuration } = useSessionState();
  const name = session?.name ?? '';
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog ref={dialog} closedby="none" closeButton={false} className={styles.dialog}>
      <Heading level={2} data-size="sm">
        {replacedBy === undefined ? endedTitle : text.replacedTitle(replacedBy)}
      </Heading>
      <Paragraph>{replacedBy === undefined ? ended : text.replaced(name)}</Paragraph>
      <SignInChoice />
      {replacedBy !== undefined && configuration.signIn !== 'identity' && (
        <Button variant="secondary" onClick={() => void signedIn()}>
          {text.continueAs(replacedBy)}
        </Button>
      )}
    </Dialog>
  );
}

function SignInChoice() {
  const text = useMessages(messages);
  const { configuration } = useSessionState();
  if (configuration.signIn === 'identity') return <IdentityList />;
  const refusal = readRefusal(location.search);
  const here = location.pathname + removeRefusal(location.search);
  return (
    <>
      {refusal && <Notice color="danger" title={text.refusedTitle} text={text[refusal]} />}
      <a
        className="ds-button"
        data-variant="primary"
        href={`${SIGN_IN_ADDRESS}?return=${encodeURIComponent(here)}`}
      >
        {text.signIn}
      </a>
    </>
  );
}
