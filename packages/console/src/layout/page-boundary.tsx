// Shows a page that failed as failed, such as one whose code could not be loaded, and leaves the frame as it is.
import { Button, Heading } from '@digdir/designsystemet-react';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';

/** Shows its content until that fails; another address is another attempt. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return <Boundary key={location}>{children}</Boundary>;
}

class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <FailedPage /> : this.props.children;
  }
}

/** A page that failed. */
export function FailedPage() {
  const text = useMessages(messages);
  return (
    <div role="alert">
      <Heading level={1} data-size="md">
        {text.pageFailed}
      </Heading>
      <Button variant="secondary" onClick={() => location.reload()}>
        {text.reload}
      </Button>
    </div>
  );
}
