// Which members of an item are sent.
import { Checkbox, Fieldset, ValidationMessage } from '@digdir/designsystemet-react';
import type { CSSProperties } from 'react';
import { useMessages } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import styles from './goods-item-views.module.css';
import { choosableMembers, chooseMember, depthOf, isCovered } from './member-list.js';
import { messages } from './messages.js';
import type { ViewForm } from './view-form.js';

type Chosen = Pick<ViewForm, 'isRestricted' | 'members'>;

export function ChooseMembers({
  id,
  isRestricted,
  members,
  error,
  onChange,
}: Chosen & {
  id: string;
  error: string | undefined;
  onChange: (changed: Partial<Chosen>) => void;
}) {
  const text = useMessages(messages);
  return (
    <Fieldset id={id} tabIndex={-1}>
      <Fieldset.Legend>{text.members}</Fieldset.Legend>
      <Fieldset.Description>{text.membersHelp}</Fieldset.Description>
      <Checkbox
        label={text.onlySome}
        value="restricted"
        checked={isRestricted}
        onChange={({ target: { checked } }) => onChange({ isRestricted: checked })}
      />
      {isRestricted && (
        <ScrollRegion className={styles.members} label={text.members}>
          {choosableMembers.map((member) => {
            const covered = isCovered(member, members);
            const end = member.lastIndexOf('.') + 1;
            return (
              // Safe cast: React takes custom properties, which its type lacks.
              <div
                key={member}
                className={styles.member}
                style={{ '--depth': depthOf(member) } as CSSProperties}
              >
                <Checkbox
                  label={
                    <span lang="en">
                      <span className="ds-sr-only">{member.slice(0, end)}</span>
                      {member.slice(end)}
                    </span>
                  }
                  value={member}
                  checked={covered || members.includes(member)}
                  disabled={covered}
                  onChange={({ target: { checked } }) =>
                    onChange({ members: chooseMember(members, member, checked) })
                  }
                />
              </div>
            );
          })}
        </ScrollRegion>
      )}
      {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
    </Fieldset>
  );
}
