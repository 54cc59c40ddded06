// The start of a hosted playground: somebody makes a space, or opens theirs with its access code.
import {
  Button,
  Card,
  Field,
  Heading,
  Input,
  Label,
  Paragraph,
} from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CodeBlock } from '../../code/code-block.js';
import { saveJson } from '../../download/save-file.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Page } from '../../layout/page.js';
import {
  hosting,
  type NewSpace,
  openSpace,
  readLimits,
  reasonOf,
  signUp,
} from '../../playground/hosting.js';
import { Loaded } from '../../states/loaded.js';
import { Notice } from '../../states/states.js';
import { enterConsole } from './leave-space.js';
import { messages } from './messages.js';
import styles from './space.module.css';

export function OpenSpace() {
  const text = useMessages(messages);
  const [made, setMade] = useState<NewSpace>();
  if (made !== undefined) return <MadeSpace space={made} />;
  return (
    <Page title={text.openTitle} lead={text.openLead}>
      <div className={styles.cards}>
        <SignUp onMade={setMade} />
        <OpenKnown />
      </div>
    </Page>
  );
}

function SignUp({ onMade }: { onMade: (space: NewSpace) => void }) {
  const text = useMessages(messages);
  const limits = useQuery({
    queryKey: ['hosting'],
    queryFn: () => hosting.call(readLimits, {}),
  });
  const making = useSending({
    mutationFn: (organisation: string) => hosting.call(signUp, { body: { organisation } }),
    onSuccess: onMade,
  });
  return (
    <Card>
      <Loaded query={limits}>
        {({ limits: { isFull } }) =>
          isFull ? (
            <Notice color="warning" title={text.newTitle} text={text.full} />
          ) : (
            <TextForm
              title={text.newTitle}
              label={text.organisation}
              button={text.signUp}
              maxLength={60}
              making={making}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function OpenKnown() {
  const text = useMessages(messages);
  const opening = useSending({
    mutationFn: async (accessCode: string) => {
      await hosting.call(openSpace, { body: { accessCode } });
      enterConsole();
    },
  });
  return (
    <Card>
      <TextForm
        title={text.knownTitle}
        label={text.accessCode}
        button={text.open}
        maxLength={200}
        making={opening}
      />
    </Card>
  );
}

/** A form of one text. */
function TextForm({
  title,
  label,
  button,
  maxLength,
  making,
}: {
  title: string;
  label: string;
  button: string;
  maxLength: number;
  making: { mutate(given: string): void; isPending: boolean; error: unknown };
}) {
  const { notDone } = useMessages(messages);
  const [given, setGiven] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate(given.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Heading level={2} data-size="xs">
        {title}
      </Heading>
      <Field className={styles.field}>
        <Label>{label}</Label>
        <Input
          value={given}
          maxLength={maxLength}
          required
          autoComplete="off"
          spellCheck={false}
          onChange={({ target: { value } }) => setGiven(value)}
        />
      </Field>
      {making.error !== null && (
        <Notice color="danger" title={notDone} text={reasonOf(making.error)} />
      )}
      <Button type="submit" loading={making.isPending} disabled={making.isPending}>
        {button}
      </Button>
    </form>
  );
}

function MadeSpace({ space: { accessCode, credentials, baseUrl, idpUrl } }: { space: NewSpace }) {
  const text = useMessages(messages);
  return (
    <Page title={text.madeTitle} lead={text.madeLead}>
      <Card className={styles.card}>
        <Heading level={2} data-size="xs">
          {text.accessCode}
        </Heading>
        <div className={styles.code}>
          <CodeBlock label={text.accessCode} text={accessCode} />
        </div>
        <FactList
          className={styles.facts}
          facts={[
            [text.baseUrl, baseUrl],
            [text.idpUrl, idpUrl],
          ]}
        />
        <Paragraph>{text.ownText}</Paragraph>
        <div className={styles.row}>
          <Button variant="secondary" onClick={() => saveJson(credentials, 'own.json')}>
            {text.ownCredentials}
          </Button>
          <Button onClick={enterConsole}>{text.enter}</Button>
        </div>
      </Card>
    </Page>
  );
}
