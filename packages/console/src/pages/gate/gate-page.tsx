// For the gate: an identifier in, and whether the goods may be released. The result is from the signals that have arrived
// and from the service, so it comes at once, and also while the connection is lost.
import { Button, Heading, Paragraph, Switch } from '@digdir/designsystemet-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { FeedNotice, LiveTag } from '../../feeds/feed-state.js';
import { useDraft } from '../../forms/use-draft.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { usePreference } from '../../preferences/preference.js';
import { Failed } from '../../states/states.js';
import { useFormatTime } from '../../time/office-time.js';
import type { Release } from './decide-release.js';
import styles from './gate.module.css';
import { keepPage } from './keep-page.js';
import { messages } from './messages.js';
import { playSound } from './play-sound.js';
import { ReleaseResult } from './release-result.js';
import { useRelease } from './use-release.js';

export function GatePage() {
  const text = useMessages(messages);
  const { gate: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const identifier = search.get('id') ?? '';
  const [sound = 'on', setSound] = usePreference('sound', ['on', 'off']);
  const [scan, setScan] = useState(0);
  const { feeds, feed, retryFeeds, release, lostSince, refusal } = useRelease(identifier, scan);
  const format = useFormatTime();
  useEffect(keepPage, []);
  useSoundOf(release, scan, sound === 'on');
  const check = (id: string) => {
    setScan(scan + 1);
    setSearch(id === '' ? {} : { id }, { replace: id === identifier });
  };
  return (
    <Page title={title} lead={text.lead}>
      <Entry identifier={identifier} onCheck={check} />
      <div className={styles.result} aria-live="assertive" aria-atomic="true">
        {identifier === '' ? (
          <Panel outcome="ready" title={text.ready} text={text.readyText} />
        ) : release === undefined ? (
          <Panel outcome="ready" title={text.reading} text={text.readingText} />
        ) : (
          <ReleaseResult key={identifier} identifier={identifier} release={release} />
        )}
      </div>
      {refusal !== undefined && <Failed error={refusal} />}
      <div className={styles.foot}>
        {feed !== undefined && <LiveTag view={feed} />}
        <Paragraph data-size="sm">
          {lostSince !== undefined
            ? text.lost(format(lostSince))
            : feed !== undefined && text.known(feeds.releases.size)}
        </Paragraph>
        <Switch
          data-size="sm"
          label={text.sound}
          checked={sound === 'on'}
          onChange={(event) => setSound(event.target.checked ? 'on' : 'off')}
        />
      </div>
      {feed?.state === 'failed' && <FeedNotice view={feed} onRetry={retryFeeds} />}
    </Page>
  );
}

/** The field. After a check its text is selected, so that the next scan replaces it. */
function Entry({
  identifier,
  onCheck,
}: {
  identifier: string;
  onCheck: (identifier: string) => void;
}) {
  const text = useMessages(messages);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped, discard] = useDraft(`gate ${identifier}`, () => identifier);
  useEffect(() => field.current?.focus(), []);
  const check = (event: FormEvent) => {
    event.preventDefault();
    discard();
    onCheck(typed.trim());
    field.current?.select();
  };
  return (
    <search>
      <form className={`${styles.entry} ${IDENTIFIER_FIELD}`} onSubmit={check}>
        <label htmlFor="identifier" className="ds-label">
          {text.field}
        </label>
        <input
          id="identifier"
          ref={field}
          className={`ds-input ${styles.field}`}
          value={typed}
          onChange={({ target: { value } }) => setTyped(value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
        />
        <Button type="submit" className={styles.check}>
          {text.check}
        </Button>
      </form>
    </search>
  );
}

/** A result without goods. */
function Panel({ outcome, title, text }: { outcome: string; title: string; text: string }) {
  return (
    <div className={styles.panel} data-outcome={outcome}>
      <Heading level={2} data-size="lg">
        {title}
      </Heading>
      <Paragraph>{text}</Paragraph>
    </div>
  );
}

/** Plays the sound of each scan, and of each result that changes. */
function useSoundOf(release: Release | undefined, scan: number, isOn: boolean): void {
  const outcome = release?.outcome;
  useEffect(() => {
    if (outcome !== undefined && isOn) playSound(outcome);
  }, [outcome, scan, isOn]);
}
