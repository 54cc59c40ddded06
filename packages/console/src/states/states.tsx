// The states that every page may be in, each as a component.
import { Alert, Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError, ConnectionError, TimeoutError } from '@landfall/client';
import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { useSessionState } from '../session/session-context.js';
import { messages } from './messages.js';
import { missingScopes } from './missing-scopes.js';
import styles from './states.module.css';

/** Data is being read. */
export function Loading() {
  const text = useMessages(messages);
  return (
    <div className={styles.state} role="status" aria-busy>
      <span className={styles.spinner} />
      <Paragraph>{text.loading}</Paragraph>
    </div>
  );
}

/** There is nothing to show yet: says what would be here, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Heading level={2} data-size="xs">
        {title}
      </Heading>
      {children}
    </div>
  );
}

/** What is shown is correct but not complete yet. */
export function Incomplete() {
  const text = useMessages(messages);
  return <Notice color="info" title={text.partialTitle} text={text.partial} />;
}

/** There is more than can be shown; `hint` says where the rest is. */
export function TooMany({ shown, total, hint }: { shown: number; total: number; hint?: string }) {
  const text = useMessages(messages);
  const count = text.tooMany(shown, total);
  return (
    <Notice
      color="info"
      title={text.tooManyTitle}
      text={hint === undefined ? count : `${count} ${hint}`}
      isQuiet
    />
  );
}

/** The caller lacks the right to it; `scopes`: any of these is enough, if they are known. */
export function Refused({ scopes = [] }: { scopes?: readonly string[] }) {
  const text = useMessages(messages);
  const { session, configuration } = useSessionState();
  const hasRoles = (session?.assignments.length ?? 0) > 1;
  const sentences = [
    scopes.length === 0 ? text.refused : text.needs(scopes),
    configuration.signIn === 'identity' ? text.givenByIdentity : text.givenBy,
    ...(hasRoles ? [text.otherRole] : []),
  ];
  return <Notice color="warning" title={text.refusedTitle} text={sentences.join(' ')} />;
}

/** The service cannot be reached, which is tried again and again. */
export function ConnectionLost({ onRetry }: { onRetry: () => void }) {
  const text = useMessages(messages);
  return <Notice color="warning" title={text.lostTitle} text={text.lost} onRetry={onRetry} />;
}

/** A request failed: says why, and what to do. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const text = useMessages(messages);
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return (
      <Notice color="warning" title={text.lostTitle} text={text.lostRetry} onRetry={onRetry} />
    );
  }
  if (error instanceof ApiError && error.status === 403)
    return <Refused scopes={missingScopes(error.detail)} />;
  if (error instanceof ApiError && (error.status === 429 || error.status === 503)) {
    const [title, reason] =
      error.status === 429 ? [text.tooOftenTitle, text.tooOften] : [text.busyTitle, text.busy];
    return <Notice color="warning" title={title} text={reason} onRetry={onRetry} />;
  }
  const reason = error instanceof ApiError ? (error.detail ?? error.title) : String(error);
  const id = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  return (
    <Notice
      color="danger"
      title={text.failedTitle}
      text={id === undefined ? reason : text.requestId(id)}
      onRetry={onRetry}
    />
  );
}

/** A notice with a heading, for states and for results. */
export function Notice({
  color,
  title,
  text,
  isQuiet = false,
  onRetry,
}: {
  color: 'info' | 'success' | 'warning' | 'danger';
  title: string;
  text: string;
  /** Whether it changes too often to be announced by screen readers. */
  isQuiet?: boolean;
  onRetry?: (() => void) | undefined;
}) {
  const { retry } = useMessages(messages);
  return (
    <Alert data-color={color} role={isQuiet ? undefined : color === 'danger' ? 'alert' : 'status'}>
      <Heading level={2} data-size="2xs">
        {title}
      </Heading>
      <Paragraph>{text}</Paragraph>
      {onRetry && (
        <Button variant="secondary" data-size="sm" className={styles.retry} onClick={onRetry}>
          {retry}
        </Button>
      )}
    </Alert>
  );
}
