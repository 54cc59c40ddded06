// For the gate: an identifier in, and whether the goods may be released. The result is from the signals that have arrived
// and from the service, so it comes at once, and also while the connection is lost.
import { Heading, Paragraph, Switch } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { FeedNotice, LiveTag } from '../../feeds/feed-state.js';
import { useDraft } from '../../forms/use-draft.js';
import { readScan } from '../../identifiers/read-scan.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { usePreference } from '../../preferences/preference.js';
import { Failed } from '../../states/states.js';
import { useFormatTime } from '../../time/office-time.js';
import type { Release } from './decide-release.js';
import { Entry } from './entry.js';
import styles from './gate.module.css';
import { keepPage } from './keep-page.js';
import { LastChecks, useLastChecks } from './last-checks.js';
import { messages } from './messages.js';
import { playSound } from './play-sound.js';
import { ReleaseResult } from './release-result.js';
import { useRelease } from './use-release.js';

export function GatePage() {
  const text = useMessages(messages);
  const { gate: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const identifier = readScan(search.get('id') ?? '');
  const [sound = 'on', setSound] = usePreference('sound', ['on', 'off']);
  const [scan, setScan] = useState(0);
  const { feeds, feed, retryFeeds, release, checkedAt, lostSince, refusal } = useRelease(
    identifier,
    scan,
  );
  const format = useFormatTime();
  useEffect(keepPage, []);
  const [typed, setTyped, discard] = useDraft(`gate ${identifier}`, () => identifier);
  // The result is that of what the field has, and no other: from the first character of the next scan there is none.
  const isEntering = readScan(typed) !== identifier;
  const lastChecks = useLastChecks(identifier, scan, isEntering ? undefined : release);
  useSoundOf(isEntering ? undefined : release, scan, sound === 'on');
  const check = (entered: string) => {
    const id = readScan(entered);
    setTyped(id);
    discard();
    setScan(scan + 1);
    setSearch(id === '' ? {} : { id }, { replace: id === identifier });
  };
  return (
    <Page title={title} lead={text.lead}>
      <Entry
        typed={typed}
        onType={setTyped}
        checked={`${identifier} ${scan}`}
        onCheck={() => check(typed)}
      />
      <div className={styles.result} aria-live="assertive" aria-atomic="true">
        {isEntering ? (
          <Panel outcome="entering" title={text.entering} text={text.enteringText} isHeld />
        ) : identifier === '' ? (
          <Panel outcome="ready" title={text.ready} text={text.readyText} />
        ) : release === undefined ? (
          <Panel outcome="entering" title={text.reading} text={text.readingText} isHeld />
        ) : (
          <ReleaseResult
            identifier={identifier}
            release={release}
            scan={scan}
            checkedAt={checkedAt}
            knownAt={lostSince}
          />
        )}
      </div>
      <LastChecks checks={lastChecks} onCheck={check} />
      {refusal !== undefined && !isEntering && <Failed error={refusal} />}
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

/** A result without goods. */
function Panel({
  outcome,
  title,
  text,
  isHeld = false,
}: {
  outcome: string;
  title: string;
  text: string;
  /** Whether there are goods, which are not released. */
  isHeld?: boolean;
}) {
  const { doNotRelease } = useMessages(messages);
  return (
    <div className={styles.panel} data-outcome={outcome}>
      <Heading level={2} data-size="lg">
        {title}
      </Heading>
      {isHeld && <p className={styles.doNot}>{doNotRelease}</p>}
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
