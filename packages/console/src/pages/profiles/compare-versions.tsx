// Two versions of a profile side by side, rule by rule.
import { Field, Label, Paragraph, Select, Table, Tag } from '@digdir/designsystemet-react';
import type { StoredRoutingProfile } from '@landfall/client';
import { useMessages } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { compareProfiles, type RuleChange } from './compare-profiles.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';
import { RuleText } from './rule-text.js';

export function CompareVersions({
  shown,
  others,
  against,
  onChange,
}: {
  shown: StoredRoutingProfile;
  others: readonly StoredRoutingProfile[];
  /** The version to compare with, from the address; default: the one before. */
  against: string | null;
  onChange: (version: string) => void;
}) {
  const text = useMessages(messages);
  const other =
    others.find(({ version }) => String(version) === against) ??
    others.findLast(({ version }) => version < shown.version) ??
    others[0];
  if (other === undefined) return <Paragraph>{text.compareNone}</Paragraph>;
  const [before, after] = other.version < shown.version ? [other, shown] : [shown, other];
  const { isSaltChanged, rules } = compareProfiles(before, after);
  const isSame = !isSaltChanged && rules.every((change) => kindOf(change) === 'unchanged');
  return (
    <>
      <Field className={styles.field}>
        <Label>{text.against}</Label>
        <Select value={other.version} onChange={(event) => onChange(event.target.value)}>
          {others.toReversed().map(({ version }) => (
            <Select.Option key={version} value={version}>
              {version}
            </Select.Option>
          ))}
        </Select>
      </Field>
      {isSaltChanged && <Paragraph>{text.saltChanged}</Paragraph>}
      {isSame && <Paragraph>{text.compareSame}</Paragraph>}
      <ScrollRegion className={styles.scroller} label={text.compareLabel}>
        <Table className={styles.compared} data-color="neutral">
          <caption className="ds-sr-only">{text.compareLabel}</caption>
          <Table.Head>
            <Table.Row>
              <Table.HeaderCell>{text.change}</Table.HeaderCell>
              <Table.HeaderCell>{text.versionNumber(before.version)}</Table.HeaderCell>
              <Table.HeaderCell>{text.versionNumber(after.version)}</Table.HeaderCell>
            </Table.Row>
          </Table.Head>
          <Table.Body>
            {rules.map((change) => (
              <Table.Row key={`${change.before?.number} ${change.after?.number}`}>
                <Table.Cell>
                  <ChangeTags change={change} />
                </Table.Cell>
                <Table.Cell>{change.before && <Numbered {...change.before} />}</Table.Cell>
                <Table.Cell>{change.after && <Numbered {...change.after} />}</Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </ScrollRegion>
    </>
  );
}

function Numbered({ number, rule }: NonNullable<RuleChange['after']>) {
  return (
    <div className={styles.numbered}>
      <span>{number}.</span>
      <RuleText rule={rule} />
    </div>
  );
}

const colours = { added: 'success', removed: 'danger', changed: 'warning' } as const;

function kindOf({ before, after, isChanged, isMoved }: RuleChange) {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  if (isChanged) return 'changed';
  return isMoved ? 'moved' : 'unchanged';
}

function ChangeTags({ change }: { change: RuleChange }) {
  const text = useMessages(messages);
  const kind = kindOf(change);
  const { before, after, isMoved } = change;
  return (
    <div className={styles.tags}>
      {kind === 'unchanged' && text.unchanged}
      {(kind === 'added' || kind === 'removed' || kind === 'changed') && (
        <Tag data-color={colours[kind]}>{text[kind]}</Tag>
      )}
      {isMoved && before && after && (
        <Tag data-color="info">{text.moved(before.number, after.number)}</Tag>
      )}
    </div>
  );
}
