// What an address shows that no page has.
import { Paragraph } from '@digdir/designsystemet-react';
import { Link } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { messages } from '../../layout/messages.js';
import { Page } from '../../layout/page.js';

export function NotFoundPage() {
  const text = useMessages(messages);
  return (
    <Page title={text.notFound} lead={text.notFoundText}>
      <Paragraph>
        <Link href="/" className="ds-link">
          {text.toStart}
        </Link>
      </Paragraph>
    </Page>
  );
}
