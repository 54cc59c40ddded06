// What has no chart: the database, its replicas, the relays, and the last verification of the audit trail.
import type { AuditVerification, RelayName, ServiceStatus } from '@landfall/client';
import { Fragment } from 'react';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages, relayedMessages } from './messages.js';
import styles from './operations.module.css';
import { relayNames } from './relays.js';

export function Facts({ status }: { status: ServiceStatus }) {
  const text = useMessages(messages);
  const relayed = useMessages(relayedMessages);
  const { count, duration } = useNumbers();
  const { versions, replicas, relays, auditVerification } = status;
  const describeRelay = (name: RelayName) => {
    const relay = relays.find((one) => one.name === name);
    if (relay === undefined) return text.noRelay;
    return text.relayState(count(relay.position), count(relay.lag), relay.server);
  };
  const { kind, version } = versions.database;
  return (
    <dl className={styles.facts}>
      <dt>{text.database}</dt>
      <dd>
        PostgreSQL {version}
        {kind === 'embedded' && ` (${text.embedded})`}
      </dd>
      <dt>{text.replicas}</dt>
      <dd>
        {replicas.length === 0
          ? text.noReplicas
          : replicas
              .map(({ name, state, lagSeconds }) =>
                text.replica(
                  name,
                  state,
                  lagSeconds === undefined ? undefined : duration(lagSeconds),
                ),
              )
              .join('; ')}
      </dd>
      {relayNames.map((name) => (
        <Fragment key={name}>
          <dt>{text.relayOf(relayed[name])}</dt>
          <dd>{describeRelay(name)}</dd>
        </Fragment>
      ))}
      <dt>{text.audit}</dt>
      <dd>
        {auditVerification === undefined ? (
          text.never
        ) : (
          <Verified verification={auditVerification} />
        )}
      </dd>
    </dl>
  );
}

function Verified({
  verification: { at, records, breaks, recordsOnly },
}: {
  verification: AuditVerification;
}) {
  const text = useMessages(messages);
  const { count } = useNumbers();
  return (
    <>
      {breaks === 0 ? text.intact(count(records)) : text.broken(count(breaks))}
      {recordsOnly && ` (${text.recordsOnly})`}, <OfficeTime at={at} />
    </>
  );
}
