// Figures in words of the chosen language.
import { useLanguage } from '../../language/language-context.js';
import { type Formats, makeFormats } from './make-formats.js';

export function useFormats(): Formats {
  const { language } = useLanguage();
  return makeFormats(language === 'nb' ? 'nb-NO' : 'en-GB');
}
