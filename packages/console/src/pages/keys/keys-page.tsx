// The keys that do something, on every page and in lists of officers.
import { Table } from '@digdir/designsystemet-react';
import { Fragment } from 'react';
import { KEYS_PREFERENCE } from '../../keys/use-keys.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { isVisible } from '../../layout/page-list.js';
import { pageNames } from '../../layout/page-names.js';
import { Part } from '../../layout/part.js';
import { usePreference } from '../../preferences/preference.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { Notice } from '../../states/states.js';
import styles from './keys.module.css';
import { messages } from './messages.js';

type Entry = { keys: readonly string[]; does: keyof typeof messages.en };

const EVERYWHERE: readonly Entry[] = [
  { keys: ['/', 'Ctrl K'], does: 'search' },
  { keys: ['?'], does: 'list' },
];

const QUEUE: readonly Entry[] = [
  { keys: ['j'], does: 'down' },
  { keys: ['k'], does: 'up' },
  { keys: ['x'], does: 'select' },
  { keys: ['Shift J', 'Shift K'], does: 'extend' },
  { keys: ['c'], does: 'control' },
  { keys: ['e'], does: 'entry' },
  { keys: ['Enter'], does: 'open' },
  { keys: ['Esc'], does: 'close' },
  { keys: ['n'], does: 'showNow' },
];

const TRANSPORTS: readonly Entry[] = [
  { keys: ['j'], does: 'down' },
  { keys: ['k'], does: 'up' },
  { keys: ['Enter'], does: 'openMessage' },
  { keys: ['a'], does: 'reportArrival' },
];

export function KeysPage() {
  const text = useMessages(messages);
  const { keys: title } = useMessages(pageNames);
  const [shortcut] = usePreference(KEYS_PREFERENCE, ['on', 'off']);
  const { configuration } = useSessionState();
  const session = useSession();
  const hasQueue = isVisible('arrivals', session, configuration);
  const hasTransports = isVisible('transports', session, configuration);
  return (
    <Page title={title} lead={text.lead}>
      {shortcut === 'off' && <Notice color="info" title={text.off} text={text.offText} />}
      <KeyTable title={text.everywhere} entries={EVERYWHERE} />
      {hasQueue && <KeyTable title={text.queue} entries={QUEUE} />}
      {hasTransports && <KeyTable title={text.transports} entries={TRANSPORTS} />}
    </Page>
  );
}

function KeyTable({ title, entries }: { title: string; entries: readonly Entry[] }) {
  const text = useMessages(messages);
  return (
    <Part className={styles.part} title={title}>
      <Table data-size="sm">
        <Table.Head>
          <Table.Row>
            <Table.HeaderCell>{text.key}</Table.HeaderCell>
            <Table.HeaderCell>{text.does}</Table.HeaderCell>
          </Table.Row>
        </Table.Head>
        <Table.Body>
          {entries.map(({ keys, does }) => (
            <Table.Row key={does}>
              <Table.Cell>
                {keys.map((key, index) => (
                  <Fragment key={key}>
                    {index > 0 && ` ${text.or} `}
                    <kbd className={styles.key}>{key}</kbd>
                  </Fragment>
                ))}
              </Table.Cell>
              <Table.Cell>{text[does]}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </Part>
  );
}
