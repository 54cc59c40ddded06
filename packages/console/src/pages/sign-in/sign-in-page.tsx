// Signing in: before any page, and again when the session has ended, over the page, which stays as it is.
import { Button, Dialog, Heading, Paragraph } from '@digdir/designsystemet-react';
import { type ReactNode, Suspense } from 'react';
import { useModal } from '../../forms/use-modal.js';
import { useMessages } from '../../language/language-context.js';
import { Brand } from '../../layout/brand.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { Settings } from '../../layout/settings.js';
import { useSessionState } from '../../session/session-context.js';
import { messages as stateMessages } from '../../states/messages.js';
import { Loading, Notice } from '../../states/states.js';
import { IdentityList } from './identity-list.js';
import { messages } from './messages.js';
import { readRefusal, removeRefusal } from './refusal.js';
import styles from './sign-in.module.css';

/** Most consoles are of no space, and do not load them. */
const OpenSpace = lazyPart(async () => ({
  default: (await import('../space/open-space.js')).OpenSpace,
}));
const LeaveSpace = lazyPart(async () => ({
  default: (await import('../space/leave-space.js')).LeaveSpace,
}));

/** Where a person signs in at the provider. The service returns to the address in `return`. */
const SIGN_IN_ADDRESS = '/console/sign-in';

export function SignInPage() {
  const text = useMessages(messages);
  const { signIn, space } = useSessionState().configuration;
  if (signIn === 'space')
    return (
      <SignInFrame>
        <OpenSpace />
      </SignInFrame>
    );
  const isPlayground = signIn === 'identity';
  return (
    <SignInFrame>
      <Page
        title={isPlayground ? text.title : text.personTitle}
        lead={isPlayground ? (space === undefined ? text.lead : text.spaceLead) : text.personLead}
      >
        <SignInChoice />
        {space !== undefined && <LeaveSpace />}
      </Page>
    </SignInFrame>
  );
}

/** What is around it before anybody has signed in. */
function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Brand />
        <Settings />
      </header>
      <main className={styles.main}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
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
  const dialog = useModal();
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
