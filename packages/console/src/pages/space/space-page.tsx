// The space of a hosted playground, for its owner: addresses, credentials, limits, reset and end.
import { Button, Card, Heading, Paragraph } from '@digdir/designsystemet-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { saveJson } from '../../download/save-file.js';
import { useReset } from '../../feeds/use-reset.js';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import {
  deleteSpace,
  hosting,
  readCredentials,
  readSpace,
  reasonOf,
  type Space,
} from '../../playground/hosting.js';
import { Loaded } from '../../states/loaded.js';
import { Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { enterConsole, LeaveSpace } from './leave-space.js';
import { messages } from './messages.js';
import styles from './space.module.css';

export function SpacePage() {
  const text = useMessages(messages);
  const { space: title } = useMessages(pageNames);
  const space = useQuery({ queryKey: ['space'], queryFn: () => hosting.call(readSpace, {}) });
  return (
    <Page title={title} lead={space.data && text.lead(space.data.organisation)}>
      <Loaded query={space}>
        {(read) => (
          <div className={styles.cards}>
            <Facts space={read} />
            <Credentials />
            <Reset />
            <Part title={text.leave} paragraph={text.leaveText}>
              <LeaveSpace />
            </Part>
            <Delete />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Part({
  title,
  paragraph,
  children,
}: {
  title: string;
  paragraph?: string;
  children: ReactNode;
}) {
  return (
    <Card className={styles.card}>
      <Heading level={2} data-size="xs">
        {title}
      </Heading>
      {paragraph !== undefined && <Paragraph>{paragraph}</Paragraph>}
      {children}
    </Card>
  );
}

function Facts({ space }: { space: Space }) {
  const text = useMessages(messages);
  const { baseUrl, idpUrl, createdAt, nextReset, deletedAt, limits } = space;
  return (
    <Part title={space.name}>
      <FactList
        className={styles.facts}
        facts={[
          [text.baseUrl, baseUrl],
          [text.idpUrl, idpUrl],
          [text.made, <OfficeTime key="made" at={createdAt} />],
          [text.nextReset, <OfficeTime key="reset" at={nextReset} />],
          [text.deleted, <OfficeTime key="deleted" at={deletedAt} />],
          [text.limits, text.limitsText(limits.requestsPerMinute, limits.spaceSize)],
        ]}
      />
    </Part>
  );
}

function Credentials() {
  const text = useMessages(messages);
  const saving = useMutation({
    networkMode: 'always',
    mutationFn: async (name: string | undefined) => {
      const { identities } = await hosting.call(readCredentials, {});
      const one = identities.find((identity) => identity.name === name);
      const file = name === undefined ? 'credentials.json' : `${name}.json`;
      saveJson(one ?? { identities }, file);
    },
  });
  return (
    <Part title={text.credentials} paragraph={text.credentialsText}>
      {saving.isError && (
        <Notice color="danger" title={text.notDone} text={reasonOf(saving.error)} />
      )}
      <div className={styles.row}>
        <Button variant="secondary" data-size="sm" onClick={() => saving.mutate('own')}>
          {text.ownCredentials}
        </Button>
        <Button variant="secondary" data-size="sm" onClick={() => saving.mutate(undefined)}>
          {text.allCredentials}
        </Button>
      </div>
    </Part>
  );
}

function Reset() {
  const text = useMessages(messages);
  const resetting = useReset();
  return (
    <Part title={text.reset} paragraph={text.resetText}>
      {resetting.isError && (
        <Notice color="danger" title={text.notDone} text={reasonOf(resetting.error)} />
      )}
      {resetting.isSuccess && (
        <Notice color="success" title={text.resetDone} text={text.resetDoneText} />
      )}
      <Button
        variant="secondary"
        data-size="sm"
        loading={resetting.isPending}
        onClick={() => resetting.mutate()}
      >
        {text.resetButton}
      </Button>
    </Part>
  );
}

function Delete() {
  const text = useMessages(messages);
  const [isAsked, setAsked] = useState(false);
  const deleting = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      await hosting.call(deleteSpace, {});
      enterConsole();
    },
  });
  return (
    <Part title={text.delete} paragraph={text.deleteText}>
      {deleting.isError && (
        <Notice color="danger" title={text.notDone} text={reasonOf(deleting.error)} />
      )}
      <Button
        variant="secondary"
        data-color="danger"
        data-size="sm"
        loading={deleting.isPending}
        onClick={() => setAsked(true)}
      >
        {text.delete}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={text.confirm}
          action={text.delete}
          isDanger
          onConfirm={() => {
            setAsked(false);
            deleting.mutate();
          }}
          onCancel={() => setAsked(false)}
        >
          <Paragraph>{text.deleteText}</Paragraph>
        </ConfirmDialog>
      )}
    </Part>
  );
}
