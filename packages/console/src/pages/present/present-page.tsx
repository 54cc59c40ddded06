// Presents goods with a form, and shows the request, the response, the signals that follow, and the same from a program.
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { messages } from './messages.js';
import { Outcome } from './outcome.js';
import styles from './present.module.css';
import { PresentForm } from './present-form.js';
import { readValues, writeValues } from './presentation-form.js';
import { SameRequest } from './same-request-tabs.js';
import { usePresenting } from './use-presenting.js';

export function PresentPage() {
  const text = useMessages(messages);
  const { present: title } = useMessages(pageNames);
  const { signIn, dataFolder } = useSessionState().configuration;
  const isPlayground = signIn === 'identity';
  const { name } = useSession();
  const [search, setSearch] = useSearchParams();
  const [initial] = useState(() => readValues(search, isPlayground));
  const [values, setValues, discard] = useDraft(
    `present ${JSON.stringify(initial)}`,
    () => initial,
  );
  const presenting = usePresenting();
  const { sent, isBusy } = presenting;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sent === undefined || outcome.current === null) return;
    // The button is at the end of the form, where the outcome may be out of view.
    const { top } = outcome.current.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) outcome.current.scrollIntoView();
  }, [sent]);
  return (
    <Page title={title} lead={isPlayground ? `${text.lead} ${text.example}` : text.lead} wide>
      <div className={styles.columns}>
        <PresentForm
          values={values}
          error={sent?.error}
          isBusy={isBusy}
          withExamples={isPlayground}
          onChange={(changed) => {
            setValues(changed);
            if (changed.level !== values.level) presenting.clear();
          }}
          onSubmit={() => {
            setSearch(writeValues(values), { replace: true });
            presenting.send(values, discard);
          }}
        />
        <div className={styles.column} aria-live="polite" ref={outcome}>
          {sent !== undefined && <Outcome sent={sent} />}
        </div>
      </div>
      <SameRequest
        values={values}
        requestId={presenting.requestId}
        caller={{ identity: name, dataFolder }}
      />
    </Page>
  );
}
