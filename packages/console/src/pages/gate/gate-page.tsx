// For the gate: an identifier in, and whether the goods may be released, or those of a transport unloaded. The result of goods
// is from the signals that have arrived and from the service, so it comes at once, and also while the connection is lost.
import { Paragraph, Switch } from '@digdir/designsystemet-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { FeedNotice, LiveTag } from '../../feeds/feed-state.js';
import { useDraft } from '../../forms/use-draft.js';
import { readScan } from '../../identifiers/read-scan.js';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { usePreference } from '../../preferences/preference.js';
import { isLodger, isOfficer, isPresenter } from '../../session/scopes.js';
import { useSession } from '../../session/session-context.js';
import { Failed, Loading } from '../../states/states.js';
import { useFormatTime } from '../../time/office-time.js';
import type { Release } from './decide-release.js';
import { Entry } from './entry.js';
import styles from './gate.module.css';
import { keepPage } from './keep-page.js';
import { LastChecks, useLastChecks } from './last-checks.js';
import { messages } from './messages.js';
import { Panel } from './panel.js';
import { playSound } from './play-sound.js';
import { ReleaseResult } from './release-result.js';
import { useRelease } from './use-release.js';

const TransportGate = lazyPart(async () => ({
  default: (await import('./transport-gate.js')).TransportGate,
}));

export function GatePage() {
  const text = useMessages(messages);
  const { gate: title } = useMessages(pageNames);
  const session = useSession();
  const [search] = useSearchParams();
  const isForGoods = isPresenter(session) || isOfficer(session);
  const isForTransports = isLodger(session) || isOfficer(session);
  const isTransport = isForTransports && (!isForGoods || search.get('view') === 'transport');
  const views = isForGoods && isForTransports && <Views isTransport={isTransport} />;
  if (!isTransport) return <GoodsGate views={views} />;
  return (
    <Page title={title} lead={text.transportLead}>
      {views}
      <Suspense fallback={<Loading />}>
        <TransportGate />
      </Suspense>
    </Page>
  );
}

/** Leads from goods to transports, and back. */
function Views({ isTransport }: { isTransport: boolean }) {
  const text = useMessages(messages);
  const current = (isCurrent: boolean) => (isCurrent ? { 'aria-current': 'page' as const } : {});
  return (
    <nav className={styles.views} aria-label={text.views}>
      <Link href="/gate" {...current(!isTransport)}>
        {text.goods}
      </Link>
      <Link href="/gate?view=transport" {...current(isTransport)}>
        {text.transport}
      </Link>
    </nav>
  );
}

function GoodsGate({ views }: { views: ReactNode }) {
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
      {views}
      <Entry
        typed={typed}
        onType={setTyped}
        checked={`${identifier} ${scan}`}
        onCheck={() => check(typed)}
      />
      <div className={styles.result} aria-live="assertive" aria-atomic="true">
        {isEntering ? (
          <Panel
            outcome="entering"
            title={text.entering}
            text={text.enteringText}
            held={text.doNotRelease}
          />
        ) : identifier === '' ? (
          <Panel outcome="ready" title={text.ready} text={text.readyText} />
        ) : release === undefined ? (
          <Panel
            outcome="entering"
            title={text.reading}
            text={text.readingText}
            held={text.doNotRelease}
          />
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

/** Plays the sound of each scan, and of each result that changes. */
function useSoundOf(release: Release | undefined, scan: number, isOn: boolean): void {
  const outcome = release?.outcome;
  useEffect(() => {
    if (outcome !== undefined && isOn) playSound(outcome);
  }, [outcome, scan, isOn]);
}
