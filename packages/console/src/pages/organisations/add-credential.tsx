// Registers a key or a certificate for a client, which may be a new one.
import { Button, Field, Heading, Input, Label, Textfield } from '@digdir/designsystemet-react';
import type { OrganisationClient } from '@landfall/client';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { useMessages } from '../../language/language-context.js';
import { Notice } from '../../states/states.js';
import { addCertificate, addKey, type Change } from './change-organisation.js';
import { messages } from './messages.js';
import styles from './organisations.module.css';
import { type ReadCredential, readCredential } from './read-credential.js';

/** Files with more than this have neither a key nor a certificate, in bytes. */
const MAX_FILE_BYTES = 256 * 1024;

export function AddCredential({
  clients,
  isBusy,
  onStore,
}: {
  clients: readonly OrganisationClient[];
  isBusy: boolean;
  onStore: (change: Change, onStored: () => void) => void;
}) {
  const text = useMessages(messages);
  const [clientId, setClientId] = useState(
    clients.length === 1 ? (clients[0]?.client_id ?? '') : '',
  );
  // Not a draft: somebody may paste a private key.
  const [credential, setCredential] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isStored, setStored] = useState(false);
  const read = readCredential(credential);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    setStored(false);
    const id = clientId.trim();
    if (id === '' || read.kind === 'refused') return;
    onStore(toChange(id, read), () => {
      setCredential('');
      setChecked(false);
      setStored(true);
    });
  };
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file !== undefined) setCredential(await file.slice(0, MAX_FILE_BYTES).text());
  };
  const reasons = {
    private: text.private,
    publicPem: text.publicPem,
    noKid: text.noKid,
    unreadable: text.unreadableText,
  };
  return (
    <form className={styles.section} onSubmit={submit} noValidate aria-labelledby="add">
      <Heading level={3} data-size="sm" id="add">
        {text.add}
      </Heading>
      <Textfield
        className={styles.field}
        label={text.clientId}
        description={text.clientIdHelp}
        value={clientId}
        error={isChecked && clientId.trim() === '' && text.noClient}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setClientId(event.target.value)}
      />
      <Textfield
        multiline
        rows={6}
        label={text.credential}
        description={text.credentialHelp}
        value={credential}
        error={isChecked && read.kind === 'refused' && reasons[read.reason]}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setCredential(event.target.value)}
      />
      <Field className={styles.field}>
        <Label>{text.file}</Label>
        <Input
          type="file"
          accept=".pem,.crt,.cer,.json,.jwk"
          onChange={(event) => void choose(event)}
        />
      </Field>
      <div role="status">
        {isStored && <Notice color="success" title={text.registered} text={text.registeredText} />}
      </div>
      <Button type="submit" className={styles.start} loading={isBusy}>
        {text.register}
      </Button>
    </form>
  );
}

function toChange(clientId: string, read: Exclude<ReadCredential, { kind: 'refused' }>): Change {
  if (read.kind === 'certificate') return addCertificate(clientId, read.certificate);
  return (organisation) =>
    read.keys.reduce((changed, key) => addKey(clientId, key)(changed), organisation);
}
