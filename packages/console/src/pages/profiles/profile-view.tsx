// One version of a profile: its rules, what it would decide, and how it differs from another version.
import {
  Button,
  Field,
  Heading,
  Label,
  Paragraph,
  Select,
  Table,
  Tag,
  ToggleGroup,
} from '@digdir/designsystemet-react';
import type { StoredRoutingProfile } from '@landfall/client';
import { Link, useSearchParams } from 'wouter';
import { DecisionText } from '../../feeds/decision-text.js';
import { useMessages } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { Empty } from '../../states/states.js';
import { useFormatTime } from '../../time/office-time.js';
import { CompareVersions } from './compare-versions.js';
import { ApplyButton, DeactivateButton, GoLiveButton } from './live-actions.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';
import { ConditionsText, ShareText } from './rule-text.js';
import { TryProfile } from './try-profile.js';

type Props = { profiles: readonly StoredRoutingProfile[]; name: string };

export function ProfileView({ profiles, name }: Props) {
  const text = useMessages(messages);
  const [search, setSearch] = useSearchParams();
  const versions = profiles.filter((profile) => profile.name === name);
  const requested = search.get('version');
  const shown =
    requested === null
      ? versions.at(-1)
      : versions.find(({ version }) => String(version) === requested);
  if (shown === undefined) {
    return (
      <Empty title={text.missing}>
        <Link className="ds-link" href="/profiles">
          {text.all}
        </Link>
      </Empty>
    );
  }
  const view = search.get('view') ?? 'rules';
  const change = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set(name, value);
      return after;
    });
  return (
    <>
      <Link className="ds-link" href="/profiles">
        {text.all}
      </Link>
      <div className={styles.row}>
        <Heading level={2} data-size="md">
          {name}
        </Heading>
        {shown.live && <Tag data-color="success">{text.live}</Tag>}
      </div>
      <div className={styles.bar}>
        <Versions
          versions={versions}
          shown={shown}
          onChange={(version) => change('version', version)}
        />
        <ToggleGroup
          data-size="sm"
          aria-label={text.view}
          value={view}
          onChange={(chosen) => change('view', chosen)}
        >
          <ToggleGroup.Item value="rules">{text.viewRules}</ToggleGroup.Item>
          <ToggleGroup.Item value="try">{text.viewTry}</ToggleGroup.Item>
          <ToggleGroup.Item value="compare">{text.viewCompare}</ToggleGroup.Item>
        </ToggleGroup>
      </div>
      <div className={styles.row}>
        <Button asChild data-size="sm" variant="secondary">
          <Link href={`/profiles?name=${name}&version=${shown.version}&view=edit`}>
            {text.edit}
          </Link>
        </Button>
        {shown.live ? (
          <>
            <ApplyButton live={shown} />
            <DeactivateButton live={shown} />
          </>
        ) : (
          <GoLiveButton version={shown} live={profiles.find((profile) => profile.live)} />
        )}
      </div>
      {view === 'try' ? (
        <TryProfile key={shown.version} profile={shown} />
      ) : view === 'compare' ? (
        <CompareVersions
          shown={shown}
          others={versions.filter((version) => version !== shown)}
          against={search.get('against')}
          onChange={(version) => change('against', version)}
        />
      ) : (
        <Rules profile={shown} />
      )}
    </>
  );
}

function Versions({
  versions,
  shown,
  onChange,
}: {
  versions: readonly StoredRoutingProfile[];
  shown: StoredRoutingProfile;
  onChange: (version: string) => void;
}) {
  const text = useMessages(messages);
  const format = useFormatTime();
  return (
    <Field>
      <Label>{text.version}</Label>
      <Select value={shown.version} onChange={(event) => onChange(event.target.value)}>
        {versions.toReversed().map(({ version, createdAt, live }) => (
          <Select.Option key={version} value={version}>
            {text.versionStored(version, format(new Date(createdAt)))}
            {live ? ` (${text.live})` : ''}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}

function Rules({ profile: { rules, salt } }: { profile: StoredRoutingProfile }) {
  const text = useMessages(messages);
  return (
    <>
      <ScrollRegion className={styles.scroller} label={text.rules}>
        <Table data-color="neutral">
          <caption className="ds-sr-only">{text.rules}</caption>
          <Table.Head>
            <Table.Row>
              <Table.HeaderCell>{text.number}</Table.HeaderCell>
              <Table.HeaderCell>{text.name}</Table.HeaderCell>
              <Table.HeaderCell>{text.conditions}</Table.HeaderCell>
              <Table.HeaderCell>{text.share}</Table.HeaderCell>
              <Table.HeaderCell>{text.decision}</Table.HeaderCell>
            </Table.Row>
          </Table.Head>
          <Table.Body>
            {rules.map((rule, index) => (
              <Table.Row key={index}>
                <Table.Cell>{index + 1}</Table.Cell>
                <Table.Cell>{rule.name}</Table.Cell>
                <Table.Cell>
                  <ConditionsText rule={rule} />
                </Table.Cell>
                <Table.Cell>
                  <ShareText rule={rule} />
                </Table.Cell>
                <Table.Cell>
                  <DecisionText decision={rule} />
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </ScrollRegion>
      <Paragraph data-size="sm">{text.saltText(salt)}</Paragraph>
    </>
  );
}
