// All profiles, each with its latest version, and the live one.
import { Button, Paragraph, Table, Tag } from '@digdir/designsystemet-react';
import type { StoredRoutingProfile } from '@landfall/client';
import { Link } from 'wouter';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { Empty, Notice } from '../../states/states.js';
import { OfficeTime, useFormatTime } from '../../time/office-time.js';
import { ApplyButton, DeactivateButton } from './live-actions.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';

export function ProfileList({ profiles }: { profiles: readonly StoredRoutingProfile[] }) {
  const text = useMessages(messages);
  const { count } = useNumbers();
  const latest = new Map(profiles.map((profile) => [profile.name, profile]));
  const live = profiles.find((profile) => profile.live);
  return (
    <>
      <Live live={live} />
      <div className={styles.row}>
        <Button asChild data-size="sm">
          <Link href="/profiles?view=edit">{text.newProfile}</Link>
        </Button>
        {live !== undefined && (
          <>
            <ApplyButton live={live} />
            <DeactivateButton live={live} />
          </>
        )}
      </div>
      {profiles.length === 0 ? (
        <Empty title={text.empty}>
          <Paragraph>{text.emptyText}</Paragraph>
        </Empty>
      ) : (
        <ScrollRegion className={styles.scroller} label={text.label}>
          <Table data-color="neutral">
            <caption className="ds-sr-only">{text.label}</caption>
            <Table.Head>
              <Table.Row>
                <Table.HeaderCell>{text.name}</Table.HeaderCell>
                <Table.HeaderCell>{text.latest}</Table.HeaderCell>
                <Table.HeaderCell>{text.rules}</Table.HeaderCell>
                <Table.HeaderCell>{text.stored}</Table.HeaderCell>
              </Table.Row>
            </Table.Head>
            <Table.Body>
              {[...latest.values()].map(({ name, version, rules, createdAt }) => (
                <Table.Row key={name}>
                  <Table.Cell>
                    <Link className="ds-link" href={`/profiles?name=${name}`}>
                      {name}
                    </Link>{' '}
                    {live?.name === name && (
                      <Tag data-color="success" data-size="sm">
                        {text.liveVersion(live.version)}
                      </Tag>
                    )}
                  </Table.Cell>
                  <Table.Cell>{version}</Table.Cell>
                  <Table.Cell>{count(rules.length)}</Table.Cell>
                  <Table.Cell>
                    <OfficeTime at={createdAt} />
                  </Table.Cell>
                </Table.Row>
              ))}
            </Table.Body>
          </Table>
        </ScrollRegion>
      )}
    </>
  );
}

function Live({ live }: { live: StoredRoutingProfile | undefined }) {
  const text = useMessages(messages);
  const format = useFormatTime();
  if (live?.liveSince === undefined) {
    return <Notice color="info" title={text.notLive} text={text.notLiveText} />;
  }
  return (
    <Notice
      color="success"
      title={text.liveTitle(live.name, live.version)}
      text={text.liveText(format(new Date(live.liveSince)))}
    />
  );
}
