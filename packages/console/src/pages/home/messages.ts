import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    lead: (name: string) => `You act as ${name}. What do you want to do?`,
    nothing: 'You have no rights',
    nothingText:
      'The authority has granted your organisation nothing yet, so all that it requests is refused.',
  },
  nb: {
    lead: (name) => `Du opptrer som ${name}. Hva vil du gjøre?`,
    nothing: 'Du har ingen rettigheter',
    nothingText:
      'Myndigheten har ikke gitt organisasjonen din noe ennå, så alt den ber om, blir avvist.',
  },
});
