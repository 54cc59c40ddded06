// Every view of every page is accessible, fits the width of a phone, and breaks no content policy: in both themes, both
// languages and at each width. A run of all tests opens every view and checks some of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { drawCases } from '../../contract/dist/testing/drawn-cases.js';
import { noBrowser } from '../../service/dist/testing/browser.js';
import { pageList } from './layout/page-list.js';
import { checkAccessibility, openConsole } from './testing/open-console.js';
import { nameOf, pageViews, present } from './testing/page-views.js';

type Look = {
  language: 'en' | 'nb';
  width: number;
  /** What is checked beside the width: all rules, and in the other theme those on which a theme has an effect. */
  checks: readonly ('light' | 'dark')[];
};

/**
 * Rules on structure depend on the width, which hides and moves elements, and rules on texts on the language: each width and
 * each language is checked with all rules, but not each pair of them.
 */
const looks: readonly Look[] = [
  { language: 'en', width: 320, checks: [] },
  { language: 'nb', width: 390, checks: [] },
  { language: 'nb', width: 1024, checks: [] },
  { language: 'en', width: 360, checks: [] },
  { language: 'en', width: 768, checks: ['light'] },
  { language: 'en', width: 1440, checks: [] },
  { language: 'nb', width: 1440, checks: ['light', 'dark'] },
  { language: 'nb', width: 768, checks: [] },
  { language: 'nb', width: 360, checks: ['light', 'dark'] },
];

/** A dialog has one look at every width: it is checked once with all rules, and once in the other theme. */
const looksOfDialogs: readonly Look[] = [
  { language: 'en', width: 360, checks: ['light'] },
  { language: 'nb', width: 768, checks: ['dark'] },
  { language: 'nb', width: 1440, checks: [] },
];

/** The rules of axe on which the theme has an effect: it changes nothing but colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

test('every page has a view that is checked', () => {
  // The test of the hosted playground checks the page of a space.
  for (const { path } of pageList.filter(({ space }) => space === undefined)) {
    const [fixed = path] = path.split(':');
    const isView = (view: string) => (fixed === '/' ? view === '/' : view.startsWith(fixed));
    assert(
      pageViews.some((view) => view.identity !== null && isView(view.path)),
      `${path} is not in testing/page-views.ts`,
    );
  }
});

test('every view is accessible at each width, in both themes and languages', {
  skip: noBrowser,
}, async () => {
  const { browser, page, playground, reported, open, signIn } = await openConsole({
    fourEyesRunSize: 4,
  });
  // Choices in one window hold in the others: a view appears otherwise without another load.
  const settings = await browser.newPage();
  await settings.goto(`${playground.baseUrl}/livez`);
  const choose = async (name: 'language' | 'theme', value: string) => {
    await settings.evaluate(([key, chosen]) => localStorage.setItem(key, chosen), [
      `landfall-${name}`,
      value,
    ] as const);
    const shown =
      name === 'language' ? `html[lang="${value}"]` : `html[data-color-scheme="${value}"]`;
    await page.locator(shown).waitFor({ state: 'attached' });
  };
  const check = async (what: string, inLooks = looks) => {
    for (const { language, width, checks } of inLooks) {
      await choose('language', language);
      await page.setViewportSize({ width, height: 900 });
      await fitsWidth(page, `${what} ${language} ${width}`);
      if (width >= 1024) await showsTables(page, `${what} ${language} ${width}`);
      for (const theme of checks) {
        await choose('theme', theme);
        const rules = theme === 'light' ? undefined : colourRules;
        await checkAccessibility(page, `${what} ${language} ${width} ${theme}`, rules);
      }
    }
    await choose('language', 'en');
    await choose('theme', 'light');
  };

  await open('/');
  await choose('language', 'en');
  await signIn('carrier');
  for (const document of ['HC001', 'HC002']) {
    await open(`/present?documentNumber=${document}`);
    await present(page);
  }
  await fetch(`${playground.baseUrl}/livez`);
  let signedInAs: string | null = 'carrier';
  /** Where the content of each page begins, from the left. */
  const starts = new Map<string, number>();
  const checked = new Set(drawCases('views', pageViews, 20));
  for (const view of pageViews) {
    const { path, identity = 'carrier', after } = view;
    if (identity === null) await browser.clearCookies();
    else if (identity !== signedInAs || (await browser.cookies()).length === 0)
      await signIn(identity);
    signedInAs = identity;
    await open(path);
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    await after?.act(page);
    // Later views show what was done in it.
    if (!checked.has(view)) continue;
    await isolatesTexts(page, nameOf(view));
    await check(nameOf(view));
    if (identity !== null) starts.set(nameOf(view), await startOf(page));
    await showsFocus(page, nameOf(view));
    for (const { what, act } of view.further ?? []) {
      await act(page);
      await page.getByRole('dialog').waitFor();
      await check(`${nameOf(view)}, ${what}`, looksOfDialogs);
    }
  }
  // From one page to the next, nothing jumps.
  assert.equal(new Set(starts.values()).size, 1, JSON.stringify([...starts], undefined, 1));
  // The browser reports the refusals of a presentation and of an ended session, and a consignment that does not exist.
  assert.deepEqual(
    reported.filter((text) => !/status of 40[014]/.test(text)),
    [],
  );
});

/** Fails if what an element shows, written from right to left, could turn what is beside it. */
async function isolatesTexts(page: Page, what: string): Promise<void> {
  const turning = await page.evaluate(() =>
    [...document.body.querySelectorAll('*:not(br, wbr)')]
      .filter((element) => !/isolate|plaintext/.test(getComputedStyle(element).unicodeBidi))
      .map(({ tagName }) => tagName),
  );
  assert.deepEqual(turning, [], what);
}

/** Fails if a column of a table is not seen without scrolling. */
async function showsTables(page: Page, what: string): Promise<void> {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('table, [role=table]')]
      .map((table) => table.closest('[tabindex="0"]') ?? table)
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((element) => element.getAttribute('aria-label') ?? element.outerHTML.slice(0, 200)),
  );
  assert.deepEqual(cut, [], `${what} cuts a table`);
}

/** Where the heading of a page begins, in a wide window. */
async function startOf(page: Page): Promise<number> {
  await page.setViewportSize({ width: 1440, height: 900 });
  return page.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().left ?? 0);
}

/** Fails if something that is focused with the keyboard has no ring of at least two pixels. */
async function showsFocus(page: Page, what: string): Promise<void> {
  // What is focused after a key was pressed shows it.
  await page.keyboard.press('Shift');
  const hidden = await page.evaluate(() => {
    const isRing = (element: Element | null) => {
      if (element === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      return hasOutline || /\b[2-9]px /.test(boxShadow);
    };
    const focusable = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    );
    const before = document.activeElement;
    const found = [...focusable].filter((element) => {
      element.focus({ preventScroll: true });
      const isShown = document.activeElement === element && element.matches(':focus-visible');
      // What is around a field may have the ring instead of it.
      return isShown && !isRing(element) && !isRing(element.parentElement);
    });
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return found.map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
  assert.deepEqual(hidden, [], `${what} hides the focus`);
}

/** Fails if a page scrolls sideways, once an open menu has been positioned. */
async function fitsWidth(page: Page, what: string): Promise<void> {
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
  await page.waitForFunction(fits, undefined, { timeout: 10_000 }).catch(() => {
    assert.fail(`${what} scrolls sideways`);
  });
}
