// The navigation: the four ways in, guides, concepts, reference, and decisions by subject.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import { listErrors } from './error-pages.js';
import { sqlFiles, tags } from './generate-pages.js';
import { root } from './pages.js';

/** The four ways in, each with its first page, for the navigation and the start page. */
const ways = [
  {
    title: 'I write a client',
    details:
      'From the first token to a routed consignment, in TypeScript, Java, Python or with curl.',
    pages: [
      'start',
      'guide/first-integration',
      'packages/client',
      'guide/movement',
      'guide/documents',
      'guide/push',
      'guide/command',
      'examples',
      'examples/carrier-presents-and-follows',
      'examples/post-office',
      'examples/gate',
      'examples/haulier',
      'examples/java',
      'examples/python',
      'examples/curl-and-openssl',
    ],
    first: 'guide/first-integration',
  },
  {
    title: 'I test a client',
    details: 'Lost responses, late decisions, tokens that end: in your tests, on your machine.',
    pages: [
      'guide/testing-your-client',
      'guide/scenarios',
      'guide/datasets',
      'packages/playground',
      'guide/playground-for-other-hosts',
      'guide/hosted-playground',
      'guide/conformance',
      'conformance',
      'examples/test-suite-vitest',
      'examples/test-suite-jest',
      'examples/test-suite-node-test',
    ],
    first: 'guide/testing-your-client',
  },
  {
    title: 'I read the stream',
    details: 'Goods items and routing signals, over HTTP, NATS or sent to an address of yours.',
    pages: ['guide/goods-item-stream', 'guide/nats', 'guide/push', 'examples/statistics-office'],
    first: 'guide/goods-item-stream',
  },
  {
    title: 'I run the service',
    details: 'Install, configure and operate it; register goods and decide where they go.',
    pages: [
      'guide/first-day',
      'guide/install',
      'guide/production',
      'guide/configure',
      'guide/identity-provider',
      'guide/operate',
      'reference/runbook',
      'guide/high-availability',
      'deploy',
      'guide/authority',
      'guide/reference-documents',
    ],
    first: 'guide/first-day',
  },
];

const concepts = ['guide/glossary', 'architecture', 'scaling', 'performance', 'promises'];
const project = ['changelog', 'contributing', 'security', 'failover-report', 'docs/console/states'];

/**
 * The sidebars.
 *
 * @param {(page: string) => string} titleOf the heading of a page
 */
export function makeSidebar(titleOf) {
  /** @param {readonly string[]} pages */
  const items = (pages) => pages.map((page) => ({ text: titleOf(page), link: `/${page}` }));
  const reference = [
    'reference/errors/',
    'reference/command',
    'reference/options',
    'reference/configuration',
    'reference/scenarios',
    'reference/identities',
    'reference/movement',
    'reference/runbook',
  ];
  return {
    '/decisions/': [
      {
        text: 'Decisions by subject',
        items: subjects().map((text) => ({ text, link: `/decisions/#${slug(text)}` })),
      },
    ],
    '/reference/errors/': listErrors().map(({ title, errors }) => ({
      text: title,
      link: `/reference/errors/#${slug(title)}`,
      collapsed: true,
      items: errors.map(({ name, page }) => ({ text: name, link: `/${page}` })),
    })),
    '/sql/': [{ text: 'SQL statements', items: items(sqlFiles().map((name) => `sql/${name}`)) }],
    '/': [
      // Each group has a page: a heading that only opens would be a button around another one.
      ...ways.map(({ title, pages, first }) => ({
        text: title,
        link: `/${first}`,
        collapsed: true,
        items: items(pages),
      })),
      { text: 'Concepts', link: `/${concepts[0]}`, collapsed: true, items: items(concepts) },
      {
        text: 'Reference',
        link: '/reference/errors/',
        collapsed: true,
        items: [
          ...items(reference),
          {
            text: 'Operations',
            link: `/${tags()[0].page}`,
            collapsed: true,
            items: tags().map(({ name, page }) => ({ text: name, link: `/${page}` })),
          },
          { text: 'SQL', link: `/sql/${sqlFiles()[0]}` },
        ],
      },
      {
        text: 'Project',
        link: '/changelog',
        collapsed: true,
        items: [
          ...items(project.map((page) => page.replace(/^docs\//, ''))),
          { text: 'Decisions', link: '/decisions/' },
        ],
      },
    ],
  };
}

/** The subjects of decisions, in the order of their list. */
function subjects() {
  const text = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  return [...text.matchAll(/^## (.+)$/gm)].map(([, subject = '']) => subject);
}

/** The start page. */
export function startPage() {
  const sections = ways.map(
    ({ title, details, first }) => `## [${title}](/${first}.md)\n\n${details}\n`,
  );
  return `# Landfall

Goods that arrive are presented to customs, and whoever presents them reads whether they go to control or to entry. [Start](/start.md) runs the whole service on your machine in a minute.

${sections.join('\n')}
## Look something up

- [The command](/reference/command.md), [its options](/reference/options.md) and [the variables of a server](/reference/configuration.md)
- [Errors](/reference/errors/index.md): what each means, its usual causes, and what to do
- [Scenarios](/reference/scenarios.md) of a playground
- [Words of customs](/guide/glossary.md)
- [Architecture](/architecture.md) and [decisions](/decisions/index.md)
`;
}
