// A client of an organisation, with its keys and certificates.
import { Button, Card, Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import type { OrganisationClient, PublicKey } from '@landfall/client';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useFormatTime } from '../../time/office-time.js';
import { CertificateDetails } from './certificate-details.js';
import {
  type Change,
  removeCertificate,
  removeKey,
  setClientBlocked,
} from './change-organisation.js';
import { algorithmOf, endOf, validityAt } from './describe-credential.js';
import { messages } from './messages.js';
import styles from './organisations.module.css';
import { ValidityTag } from './validity-tag.js';

type Props = {
  client: OrganisationClient;
  isBusy: boolean;
  onStore: (change: Change) => void;
};

/** What is confirmed before it is stored. */
type Question = { title: string; text: string; action: string; change: Change };

export function ClientCard({ client, isBusy, onStore }: Props) {
  const text = useMessages(messages);
  const [question, setQuestion] = useState<Question>();
  const { client_id: id, scopes, keys = [], certificates = [], blocked = false } = client;
  return (
    <Card className={styles.card} data-color="neutral">
      <div className={styles.cardHead}>
        <div className={styles.row}>
          <Heading level={4} data-size="xs">
            <Identifier>{id}</Identifier>
          </Heading>
          {blocked && <Tag data-color="danger">{text.blocked}</Tag>}
        </div>
        <Button
          data-size="sm"
          variant="tertiary"
          {...(!blocked && { 'data-color': 'danger' as const })}
          aria-label={`${blocked ? text.unblock : text.block} ${id}`}
          disabled={isBusy}
          onClick={() =>
            setQuestion({
              title: blocked ? text.unblockClientTitle(id) : text.blockClientTitle(id),
              text: blocked ? text.unblockText : text.blockClientText,
              action: blocked ? text.unblock : text.block,
              change: setClientBlocked(id, !blocked),
            })
          }
        >
          {blocked ? text.unblock : text.block}
        </Button>
      </div>
      <Paragraph>
        {scopes === undefined ? text.allScopes : text.clientScopes(scopes.join(', ') || text.none)}
      </Paragraph>
      {keys.length + certificates.length === 0 && <Paragraph>{text.noCredentials}</Paragraph>}
      <ul className={styles.credentials}>
        {keys.map((key) => (
          <Credential
            key={key.kid}
            name={text.key(key.kid ?? '')}
            isBusy={isBusy}
            onRemove={() =>
              setQuestion({
                title: text.removeKeyTitle(key.kid ?? ''),
                text: text.removeText(id),
                action: text.remove,
                change: removeKey(id, key.kid),
              })
            }
          >
            <KeyDetails credential={key} />
          </Credential>
        ))}
        {certificates.map((certificate) => (
          <Credential
            key={certificate}
            name={text.certificate}
            isBusy={isBusy}
            onRemove={() =>
              setQuestion({
                title: text.removeCertificateTitle,
                text: text.removeText(id),
                action: text.remove,
                change: removeCertificate(id, certificate),
              })
            }
          >
            <CertificateDetails certificate={certificate} />
          </Credential>
        ))}
      </ul>
      {question !== undefined && (
        <ConfirmDialog
          title={question.title}
          action={question.action}
          isDanger
          onConfirm={() => {
            setQuestion(undefined);
            onStore(question.change);
          }}
          onCancel={() => setQuestion(undefined)}
        >
          <Paragraph>{question.text}</Paragraph>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Credential({
  name,
  isBusy,
  onRemove,
  children,
}: {
  name: string;
  isBusy: boolean;
  onRemove: () => void;
  children: ReactNode;
}) {
  const text = useMessages(messages);
  return (
    <li className={styles.credential}>
      <div className={styles.details}>
        <strong>{name}</strong>
        {children}
      </div>
      <Button
        data-size="sm"
        variant="tertiary"
        data-color="danger"
        aria-label={`${text.remove} ${name}`}
        disabled={isBusy}
        onClick={onRemove}
      >
        {text.remove}
      </Button>
    </li>
  );
}

function KeyDetails({ credential }: { credential: PublicKey }) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const to = endOf(credential);
  return (
    <>
      <span>{text.algorithm(algorithmOf(credential))}</span>
      <span>{to === undefined ? text.noEnd : text.validTo(format(to))}</span>
      <ValidityTag validity={validityAt(new Date(), { to })} />
    </>
  );
}
