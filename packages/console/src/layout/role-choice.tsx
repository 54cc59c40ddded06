// What a person with several roles or organisations acts as: the narrowest at first, until they choose another one.
import { Field, Label, Select } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { useMessages } from '../language/language-context.js';
import type { RoleAssignment } from '../session/session.js';
import { useSession, useSessionState } from '../session/session-context.js';
import { Notice } from '../states/states.js';
import styles from './layout.module.css';
import { messages } from './messages.js';

/** Whether the choice names the organisation that somebody acts for: there are several. */
export function namesOrganisation(
  assignments: readonly RoleAssignment[],
  organisation: string,
): boolean {
  return assignments.some((one) => one.organisation !== organisation);
}

export function RoleChoice() {
  const text = useMessages(messages);
  const { choose } = useSessionState();
  const { assignments, organisation, role } = useSession();
  const choosing = useMutation({ networkMode: 'always', mutationFn: choose });
  if (assignments.length < 2) return null;
  const isSeveral = namesOrganisation(assignments, organisation);
  const isChosen = (one: RoleAssignment) => one.organisation === organisation && one.role === role;
  return (
    <>
      <Field className={styles.roles}>
        <Label>{text.actAs}</Label>
        <Select
          data-size="sm"
          value={assignments.findIndex(isChosen)}
          disabled={choosing.isPending}
          onChange={({ target }) => {
            const chosen = assignments[Number(target.value)];
            if (chosen !== undefined) choosing.mutate(chosen);
          }}
        >
          {assignments.map((one, index) => (
            <Select.Option key={`${one.organisation} ${one.role}`} value={index}>
              {isSeveral ? `${one.role} · ${one.organisation}` : one.role}
            </Select.Option>
          ))}
        </Select>
      </Field>
      {choosing.isError && (
        <div className={styles.roleFailure}>
          <Notice color="danger" title={text.roleNotChosen} text={text.roleNotChosenText} />
        </div>
      )}
    </>
  );
}
