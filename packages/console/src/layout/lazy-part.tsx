// Parts whose code is loaded when they are shown. It may be unavailable for a moment: without a connection, or while servers
// are upgraded.
import { type ComponentType, lazy, useCallback, useEffect, useState } from 'react';
import { useMessages } from '../language/language-context.js';
import { link, useLink } from '../session/link.js';
import { useReturn } from '../session/use-return.js';
import { Notice } from '../states/states.js';
import { messages } from './messages.js';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** What is shown in place of a part whose code could not be loaded. */
type Missing = ComponentType<{ onRetry: () => void }>;

/**
 * Like `lazy`, but a part whose code could not be loaded does not take the page with it: it says so in its place, and is
 * loaded again when the connection is back, when it is shown the next time, and when somebody wants it.
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  missing: Missing = MissingPart,
): ComponentType<Props> {
  return lazy(() => load().catch(() => ({ default: makeAgain(load, missing) })));
}

function makeAgain<Props extends object>(
  load: Load<Props>,
  MissingNow: Missing,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Again(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const { lostSince } = useLink();
    const retry = useCallback(() => {
      loadStyles()
        .then(load)
        .then(({ default: found }) => {
          loaded = found;
          setPart(() => found);
        }, link.probe);
    }, []);
    useEffect(retry, [retry]);
    useReturn(lostSince !== undefined, retry);
    return Part === undefined ? <MissingNow onRetry={retry} /> : <Part {...props} />;
  };
}

/** Loads the stylesheets again that could not be loaded: the build asks for each of them once. */
async function loadStyles(): Promise<void> {
  const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]');
  const missing = [...sheets].filter(({ sheet }) => sheet === null);
  await Promise.all(
    missing.map(async (sheet) => {
      const again = document.createElement('link');
      again.rel = 'stylesheet';
      again.href = sheet.href;
      await new Promise((resolve, reject) => {
        again.onload = resolve;
        again.onerror = reject;
        sheet.replaceWith(again);
      });
    }),
  );
}

function MissingPart({ onRetry }: { onRetry: () => void }) {
  const text = useMessages(messages);
  return (
    <Notice color="warning" title={text.partFailed} text={text.partFailedText} onRetry={onRetry} />
  );
}
