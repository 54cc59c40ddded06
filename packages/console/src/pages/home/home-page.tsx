// The start page: what whoever has signed in can do.
import { Card, Heading, Paragraph } from '@digdir/designsystemet-react';
import { Link } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { visiblePages } from '../../layout/page-list.js';
import { pageDescriptions, pageNames } from '../../layout/page-names.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { Notice } from '../../states/states.js';
import styles from './home.module.css';
import { messages } from './messages.js';

export function HomePage() {
  const text = useMessages(messages);
  const names = useMessages(pageNames);
  const descriptions = useMessages(pageDescriptions);
  const session = useSession();
  const { configuration } = useSessionState();
  return (
    <Page title={names.home} lead={text.lead(session.name)}>
      {session.scopes.length === 0 && (
        <Notice color="warning" title={text.nothing} text={text.nothingText} />
      )}
      <div className={styles.choices}>
        {visiblePages(session, configuration).map(({ name, path }) => (
          <Card key={name} asChild variant="default">
            <Link href={path} className={styles.choice}>
              <Heading level={2} data-size="xs">
                {names[name]}
              </Heading>
              <Paragraph data-size="sm">{descriptions[name]}</Paragraph>
            </Link>
          </Card>
        ))}
      </div>
    </Page>
  );
}
