// Whether a key or a certificate is valid.
import { Tag } from '@digdir/designsystemet-react';
import { useMessages } from '../../language/language-context.js';
import type { Validity } from './describe-credential.js';
import { messages } from './messages.js';

const colours = { valid: 'success', early: 'warning', ending: 'warning', ended: 'danger' } as const;

export function ValidityTag({ validity }: { validity: Validity }) {
  const text = useMessages(messages);
  return (
    <span>
      <Tag data-color={colours[validity]} data-size="sm">
        {text[validity]}
      </Tag>
    </span>
  );
}
