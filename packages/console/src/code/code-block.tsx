// A text for programs or shells, ready to copy.
import { Button } from '@digdir/designsystemet-react';
import { CheckmarkIcon, FilesIcon } from '@navikt/aksel-icons';
import { useEffect, useState } from 'react';
import { defineMessages } from '../language/language.js';
import { useMessages } from '../language/language-context.js';
import { ScrollRegion } from '../layout/scroll-region.js';
import styles from './code-block.module.css';

const messages = defineMessages({
  en: { copy: 'Copy', copied: 'Copied' },
  nb: { copy: 'Kopier', copied: 'Kopiert' },
});

/** How long it says that the text was copied, in milliseconds. */
const SAID_MS = 2_000;

/** The text. `label` says what it is, for screen readers. */
export function CodeBlock({
  label,
  text,
  canCopy = true,
}: {
  label: string;
  text: string;
  canCopy?: boolean;
}) {
  const { copy, copied } = useMessages(messages);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <figure className={styles.block}>
      <ScrollRegion label={label}>
        <pre>{text}</pre>
      </ScrollRegion>
      {canCopy && (
        <Button
          className={styles.copy}
          variant="secondary"
          data-size="sm"
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        >
          {isCopied ? <CheckmarkIcon aria-hidden /> : <FilesIcon aria-hidden />}
          <span aria-live="polite">{isCopied ? copied : copy}</span>
        </Button>
      )}
    </figure>
  );
}

/** JSON with indentation; another text as it is. */
export function prettify(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
