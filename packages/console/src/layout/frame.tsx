// The frame around every page: header, navigation and notices about the connection and the session.
import { Button, SkipLink, Tag } from '@digdir/designsystemet-react';
import { ExternalLinkIcon, MenuHamburgerIcon } from '@navikt/aksel-icons';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { KEYS_PREFERENCE } from '../keys/use-keys.js';
import { useMessages } from '../language/language-context.js';
import { usePreference } from '../preferences/preference.js';
import { useWaitingRuns, type WaitingRuns } from '../run-queries/use-runs.js';
import { useLink } from '../session/link.js';
import { useSession, useSessionState } from '../session/session-context.js';
import { messages as stateMessages } from '../states/messages.js';
import { Notice } from '../states/states.js';
import { useFormatTime } from '../time/office-time.js';
import { Brand } from './brand.js';
import { useFrameKeys } from './frame-keys.js';
import styles from './layout.module.css';
import { messages } from './messages.js';
import { groups, isVisible, visiblePages } from './page-list.js';
import { pageNames } from './page-names.js';
import { namesOrganisation, RoleChoice } from './role-choice.js';
import { Choice, Settings, SignOut } from './settings.js';

const MAIN = 'main';

/** The frame of whoever has signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const text = useMessages(messages);
  const [isOpen, setOpen] = useState(false);
  const { configuration, signOut } = useSessionState();
  const { name, organisation, assignments } = useSession();
  const isPlayground = configuration.signIn === 'identity';
  const signingOut = useMutation({ networkMode: 'always', mutationFn: signOut });
  const canSearch = isVisible('search', useSession(), configuration);
  const [keys = 'on', setKeys] = usePreference(KEYS_PREFERENCE, ['on', 'off']);
  useFrameKeys(canSearch);
  const waitingRuns = useWaitingRuns();
  return (
    <div className={styles.frame}>
      <SkipLink href={`#${MAIN}`}>{text.skip}</SkipLink>
      <header className={styles.header}>
        <Brand />
        {isPlayground && (
          <Tag
            className={styles.playground}
            data-color="warning"
            data-size="sm"
            title={text.fictitious}
          >
            {text.playground}
          </Tag>
        )}
        <span className={styles.spacer} />
        <span className={styles.who}>
          {text.signedInAs(name)}
          {!namesOrganisation(assignments, organisation) && ` · ${organisation}`}
        </span>
        <RoleChoice />
        <Settings>
          <Choice
            label={text.shortcut}
            value={keys}
            options={{ on: text.shortcutOn, off: text.shortcutOff }}
            onChange={setKeys}
          />
          <Link href="/keys" className="ds-link">
            {text.listKeys}
          </Link>
          <SignOut
            label={isPlayground ? text.changeIdentity : text.signOut}
            onSignOut={() => signingOut.mutate()}
          />
        </Settings>
        <Button
          className={styles.menuButton}
          variant="secondary"
          data-size="sm"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <MenuHamburgerIcon aria-hidden />
          {text.menu}
          <Waiting runs={waitingRuns} />
        </Button>
      </header>
      <div className={styles.side} id="navigation" data-open={isOpen}>
        <Navigation waitingRuns={waitingRuns} onChosen={() => setOpen(false)} />
      </div>
      {/* Announced when it changes, on whichever page somebody is. */}
      <div role="status" className="ds-sr-only">
        {waitingRuns.count > 0 && text.runsWait(waitingRuns.count, waitingRuns.isMore)}
      </div>
      <main className={styles.main} id={MAIN} tabIndex={-1}>
        <LostConnection />
        {signingOut.isError && (
          <div className={styles.banner}>
            <Notice color="danger" title={text.stillSignedIn} text={text.stillSignedInText} />
          </div>
        )}
        {children}
      </main>
    </div>
  );
}

function Navigation({ waitingRuns, onChosen }: { waitingRuns: WaitingRuns; onChosen: () => void }) {
  const text = useMessages(messages);
  const names = useMessages(pageNames);
  const [location] = useLocation();
  const { configuration } = useSessionState();
  const visible = visiblePages(useSession(), configuration);
  return (
    <nav aria-label={text.navigation}>
      {groups.map((group) => {
        const entries = visible.filter((page) => page.group === group);
        if (entries.length === 0) return null;
        return (
          <div key={group}>
            <div className={styles.group} id={`group-${group}`}>
              {text[group]}
            </div>
            <ul className={styles.list} aria-labelledby={`group-${group}`}>
              {entries.map(({ name, path }) => (
                <li key={name}>
                  <Link
                    href={path}
                    className={styles.item}
                    aria-current={location === path ? 'page' : undefined}
                    onClick={onChosen}
                  >
                    {names[name]}
                    {name === 'runs' && <Waiting runs={waitingRuns} />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {configuration.signIn === 'identity' && (
        <ul className={styles.list}>
          <li>
            {/* It has a frame of its own, from which nothing leads back. */}
            <a className={styles.item} href="/docs/api/" target="_blank" rel="noreferrer">
              {text.apiReference}
              <ExternalLinkIcon aria-hidden className={styles.newTab} />
              <span className="ds-sr-only"> {text.inNewTab}</span>
            </a>
          </li>
        </ul>
      )}
    </nav>
  );
}

/** How many runs wait for a second officer. */
function Waiting({ runs: { count, isMore } }: { runs: WaitingRuns }) {
  const text = useMessages(messages);
  if (count === 0) return null;
  return (
    <span className={styles.waiting}>
      <span aria-hidden>
        {count}
        {isMore && '+'}
      </span>
      <span className="ds-sr-only">{text.runsWait(count, isMore)}</span>
    </span>
  );
}

/** Says at the top of every page that the connection is lost, and since when. */
function LostConnection() {
  const text = useMessages(stateMessages);
  const format = useFormatTime();
  const { lostSince } = useLink();
  if (lostSince === undefined) return null;
  return (
    <div className={styles.banner}>
      <Notice color="warning" title={text.lostTitle} text={text.lostSinceKept(format(lostSince))} />
    </div>
  );
}
