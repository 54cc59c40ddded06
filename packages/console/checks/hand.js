// Somebody at a page of the console, with a mouse, with the keyboard alone or with a finger; what they do is counted.

/** How often Tab is pressed until what is wanted has the focus: beyond it, nobody goes on. */
const MAX_TABS = 150;

/** How long anything may take, in milliseconds. */
const TIMEOUT_MS = 20_000;

const hasFocus = (element) => element === document.activeElement;

/** Whether arrows go to a radio button from where the focus is: Tab reaches one of a group. */
const isOfGroup = ({ type, name }) => type === 'radio' && document.activeElement?.name === name;

export class Hand {
  clicks = 0;
  /** Without the characters of texts. */
  keys = 0;
  #says;

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} way `mouse`, `keyboard` or `phone`
   * @param {boolean} says whether each step is printed
   */
  constructor(page, way, says) {
    this.page = page;
    this.way = way;
    this.#says = says;
    page.setDefaultTimeout(TIMEOUT_MS);
  }

  get main() {
    return this.page.getByRole('main');
  }

  /** Clicks, taps, or goes there with Tab and presses Enter. */
  async choose(target) {
    await this.see(target);
    if (this.#says) console.log(`  ${this.way}: ${target}`);
    if (this.way === 'keyboard') {
      await this.#focus(target);
      await this.key('Enter');
      return;
    }
    this.clicks++;
    await (this.way === 'phone' ? target.tap() : target.click());
  }

  /** Chooses a radio button by its text. */
  async chooseRadio(name) {
    if (this.way !== 'keyboard') return this.choose(this.main.getByText(name, { exact: true }));
    const radio = this.page.getByRole('radio', { name });
    await this.#focus(radio);
    if (!(await radio.isChecked())) await this.key('Space');
  }

  /** Types a text into a field; one that has the focus already need not be chosen. */
  async type(field, text) {
    await this.see(field);
    if (this.#says) console.log(`  ${this.way}: ${text} into ${field}`);
    if (this.way === 'keyboard') await this.#focus(field);
    else if (!(await field.evaluate(hasFocus))) await this.choose(field);
    await this.page.keyboard.type(text);
  }

  /** The same in place of what the field has. */
  async replace(field, text) {
    if (this.way === 'keyboard') await this.#focus(field);
    else await this.choose(field);
    await this.key('Control+A');
    await this.type(field, text);
  }

  async key(name) {
    this.keys++;
    await this.page.keyboard.press(name);
  }

  /** Goes to a page of the navigation, which a phone has behind a button. */
  async goTo(name) {
    if (this.way === 'phone') await this.choose(this.page.getByRole('button', { name: 'Menu' }));
    await this.choose(
      this.page.getByRole('navigation').getByRole('link', { name, exact: true }).first(),
    );
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Searches for an identifier: with the key of the search, or by its page on a phone. */
  async search(text) {
    if (this.way === 'phone') await this.goTo('Search');
    else await this.key('/');
    await this.type(this.page.getByRole('searchbox', { name: 'Identifier' }), text);
  }

  /** What a scanner sends, wherever the focus is. */
  async scan(text) {
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  async see(target) {
    await target.waitFor();
  }

  async #focus(target) {
    for (let tabs = 0; !(await target.evaluate(hasFocus)); tabs++) {
      if (tabs === MAX_TABS) throw new Error(`Tab does not reach ${target}`);
      await this.key((await target.evaluate(isOfGroup)) ? 'ArrowRight' : 'Tab');
    }
  }
}
