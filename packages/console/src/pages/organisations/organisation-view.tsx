// One organisation: its grants, whether it is blocked, and its clients.
import { Button, Checkbox, Fieldset, Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import { ApiError, type Organisation, type Scope } from '@landfall/client';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useDraft } from '../../forms/use-draft.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { AddCredential } from './add-credential.js';
import { type Change, grant, scopesFor, setBlocked } from './change-organisation.js';
import { ClientCard } from './client-card.js';
import { messages } from './messages.js';
import { Numbers } from './numbers.js';
import styles from './organisations.module.css';
import { ConflictError, useOrganisation, useOrganisationChange } from './use-organisation.js';

export function OrganisationView({ id }: { id: string }) {
  const text = useMessages(messages);
  const query = useOrganisation(id);
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <Link className="ds-link" href="/organisations">
        {text.all}
      </Link>
      {isMissing ? (
        <Empty title={text.missing} />
      ) : (
        <Loaded query={query}>{(organisation) => <View organisation={organisation} />}</Loaded>
      )}
    </>
  );
}

function View({ organisation }: { organisation: Organisation }) {
  const text = useMessages(messages);
  const change = useOrganisationChange(organisation);
  const { id, name, kind, blocked, clients } = organisation;
  const store = (changed: Change, onStored?: () => void) =>
    change.mutate(changed, { ...(onStored && { onSuccess: onStored }) });
  return (
    <>
      <div className={styles.row}>
        <Heading level={2} data-size="md">
          {name}
        </Heading>
        {blocked && <Tag data-color="danger">{text.blocked}</Tag>}
      </div>
      <Paragraph>
        <Identifier>{id}</Identifier> · {text[kind]}
      </Paragraph>
      {change.isError && <ChangeFailed error={change.error} />}
      <div className={styles.row}>
        <BlockButton organisation={organisation} isBusy={change.isPending} onStore={store} />
      </div>
      <Grants
        key={organisation.grantedScopes.join()}
        organisation={organisation}
        isBusy={change.isPending}
        onStore={store}
      />
      <Numbers
        key={organisation.identificationNumbers.join()}
        organisation={organisation}
        isBusy={change.isPending}
        onStore={store}
      />
      <section className={styles.section} aria-labelledby="clients">
        <Heading level={3} data-size="sm" id="clients">
          {text.clients}
        </Heading>
        {clients.length === 0 && <Paragraph>{text.noClients}</Paragraph>}
        {clients.map((client) => (
          <ClientCard
            key={client.client_id}
            client={client}
            isBusy={change.isPending}
            onStore={store}
          />
        ))}
      </section>
      <AddCredential clients={clients} isBusy={change.isPending} onStore={store} />
    </>
  );
}

/** Why a change was not stored. */
function ChangeFailed({ error }: { error: unknown }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  if (error instanceof ConflictError) {
    const changes = error.differences.map(({ part, before, after }) => {
      if (part === 'name') return text.differenceName(before, after);
      if (part === 'grantedScopes') return text.differenceGrants(before, after);
      if (part === 'identificationNumbers') return text.differenceNumbers(before, after);
      if (part === 'blocked') return text.differenceBlocked;
      return text.differenceClients(after || before);
    });
    return (
      <Notice
        color="warning"
        title={text.conflict}
        text={[...changes, text.conflictText].join(' ')}
      />
    );
  }
  if (error instanceof ApiError && error.validationErrors.length > 0) {
    const rules = error.validationErrors.map((rule) => `${rule.field} ${textOf(rule)}`);
    return <Notice color="danger" title={text.refused} text={rules.join('; ')} />;
  }
  return <Failed error={error} />;
}

type ActionProps = {
  organisation: Organisation;
  isBusy: boolean;
  onStore: (change: Change, onStored?: () => void) => void;
};

function BlockButton({ organisation: { name, blocked }, isBusy, onStore }: ActionProps) {
  const text = useMessages(messages);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        data-size="sm"
        variant="secondary"
        {...(!blocked && { 'data-color': 'danger' as const })}
        loading={isBusy}
        onClick={() => setConfirming(true)}
      >
        {blocked ? text.unblock : text.block}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={blocked ? text.unblockTitle(name) : text.blockTitle(name)}
          action={blocked ? text.unblock : text.block}
          isDanger={!blocked}
          onConfirm={() => {
            setConfirming(false);
            onStore(setBlocked(!blocked));
          }}
          onCancel={() => setConfirming(false)}
        >
          <Paragraph>{blocked ? text.unblockText : text.blockText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

function Grants({ organisation, isBusy, onStore }: ActionProps) {
  const text = useMessages(messages);
  const { id, name, kind, grantedScopes } = organisation;
  const [chosen, setChosen, discard] = useDraft<readonly Scope[]>(
    `grants ${id} ${grantedScopes.join()}`,
    () => grantedScopes,
  );
  const [isConfirming, setConfirming] = useState(false);
  const added = chosen.filter((scope) => !grantedScopes.includes(scope));
  const removed = grantedScopes.filter((scope) => !chosen.includes(scope));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setConfirming(true);
  };
  return (
    <>
      <form className={styles.section} onSubmit={submit}>
        <Fieldset>
          <Fieldset.Legend>{text.grants}</Fieldset.Legend>
          <Fieldset.Description>{text.grantsHelp}</Fieldset.Description>
          <div className={styles.scopes}>
            {scopesFor(kind).map((scope) => (
              <Checkbox
                key={scope}
                label={scope}
                value={scope}
                checked={chosen.includes(scope)}
                onChange={({ target: { checked } }) =>
                  setChosen(
                    checked ? [...chosen, scope] : chosen.filter((other) => other !== scope),
                  )
                }
              />
            ))}
          </div>
        </Fieldset>
        <Button
          type="submit"
          data-size="sm"
          className={styles.start}
          loading={isBusy}
          disabled={added.length + removed.length === 0}
        >
          {text.saveGrants}
        </Button>
      </form>
      {isConfirming && (
        <ConfirmDialog
          title={text.grantTitle(name)}
          action={text.saveGrants}
          isDanger={removed.length > 0}
          onConfirm={() => {
            setConfirming(false);
            onStore(grant(chosen), discard);
          }}
          onCancel={() => setConfirming(false)}
        >
          {added.length > 0 && <Paragraph>{text.granted(added.join(', '))}</Paragraph>}
          {removed.length > 0 && <Paragraph>{text.revoked(removed.join(', '))}</Paragraph>}
        </ConfirmDialog>
      )}
    </>
  );
}
