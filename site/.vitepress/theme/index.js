// The theme: that of VitePress without its fonts, in colours with enough contrast, and with the search of this site.
import Theme from 'vitepress/theme-without-fonts';
import { options, searchOptions } from '../../search-options.js';
import './style.css';

/** @type {import('vitepress').Theme} */
export default {
  extends: Theme,
  enhanceApp({ siteData }) {
    const { themeConfig } = siteData.value;
    const search = {
      ...themeConfig.search,
      options: { ...themeConfig.search.options, miniSearch: { options, searchOptions } },
    };
    siteData.value = { ...siteData.value, themeConfig: { ...themeConfig, search } };
  },
};
