// What somebody needs to verify deliveries: the secret, which is shown this once, or the public key.
import { Alert, Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import type { SubscriptionWithSecret } from '@landfall/client';
import { useEffect, useRef } from 'react';
import { CodeBlock } from '../../code/code-block.js';
import { useMessages } from '../../language/language-context.js';
import { messages } from './messages.js';
import styles from './subscriptions.module.css';

export function MadeSecret({
  made: { secret, publicKeys = [] },
  onKept,
}: {
  made: SubscriptionWithSecret;
  onKept: () => void;
}) {
  const text = useMessages(messages);
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever has just pressed the button hears or sees it first.
  useEffect(() => heading.current?.focus(), []);
  const [publicKey = ''] = publicKeys;
  return (
    <Alert data-color="warning">
      <Heading level={2} data-size="2xs" ref={heading} tabIndex={-1}>
        {secret === undefined ? text.newKey : text.newSecret}
      </Heading>
      <Paragraph>{secret === undefined ? text.newKeyText : text.newSecretText}</Paragraph>
      <CodeBlock
        label={secret === undefined ? text.publicKey : text.secret}
        text={secret ?? publicKey}
      />
      <Button variant="secondary" data-size="sm" className={styles.start} onClick={onKept}>
        {text.kept}
      </Button>
    </Alert>
  );
}
