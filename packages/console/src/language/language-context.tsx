// The language of the page: the browser's, until another is chosen, which is kept.
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { usePreference } from '../preferences/preference.js';
import { chooseLanguage, type Language, type Messages } from './language.js';
import { type Numbers, numbers } from './numbers.js';

type LanguageChoice = { language: Language; setLanguage: (language: Language) => void };

const Context = createContext<LanguageChoice | undefined>(undefined);

/** Provides the language to everything within. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [kept, setLanguage] = usePreference('language', ['en', 'nb']);
  const language = kept ?? chooseLanguage(navigator.languages);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return <Context value={{ language, setLanguage }}>{children}</Context>;
}

/** The language, and a function that changes it. */
export function useLanguage(): LanguageChoice {
  const choice = useContext(Context);
  if (choice === undefined) throw new Error('there is no LanguageProvider');
  return choice;
}

/** Texts in the language of the page. */
export function useMessages<Texts>(messages: Messages<Texts>): Texts {
  const { language } = useLanguage();
  // The cast is true because a translation has the same names, and functions of the same values.
  return messages[language] as Texts;
}

/** How the language of the page writes numbers. */
export function useNumbers(): Numbers {
  return numbers[useLanguage().language];
}
