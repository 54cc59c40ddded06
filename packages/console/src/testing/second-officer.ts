// Another officer of a playground, who confirms what the identity `authority` proposes.
import type { PlaygroundIdentity } from '@landfall/contract';

export const SECOND_OFFICER: PlaygroundIdentity = {
  name: 'officer',
  kind: 'domestic',
  organisation: '0192:310000060',
  organisationName: 'Playground officer',
  scopes: ['authority/registry', 'authority/routing'],
  granted: ['authority/registry', 'authority/routing'],
};
