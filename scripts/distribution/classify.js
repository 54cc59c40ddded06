// What each statement touches, and what of it a distributed database may lack. It reads the text, not the plan, so that
// the result depends on nothing else.
import { distributionOf } from './tables.js';

/**
 * What distributed databases support differently, by the name of the feature.
 *
 * @type {Record<string, RegExp>}
 */
export const features = {
  'advisory locks': /\bpg_(?:try_)?advisory_/,
  'PL/pgSQL': /\bLANGUAGE plpgsql\b/,
  'PL/pgSQL exceptions': /\bexception when\b/,
  notifications: /\bpg_notify\b/,
  'data-modifying CTEs': /\bas (?:materialized )?\(\s*(?:insert|update|delete)\b/,
  'volatile functions': /\b(?:gen_random_uuid|clock_timestamp|random|nextval)\(/,
  'physical row addresses (`ctid`)': /\bctid\b/,
  'row locks': /\bfor (?:no key )?(?:update|share)\b/,
  'lateral joins': /\blateral\b/,
  'recursive CTEs': /\bWITH RECURSIVE\b/i,
  'window functions': /\bover (?:\(|\w+)/,
  'settings of a transaction': /\b(?:set_config|current_setting)\(/,
  'positions of the WAL':
    /\bpg_(?:current_wal|walfile|last_wal|wal_lsn)\w*|\bpg_stat_replication\b/,
  snapshots: /\bpg_current_snapshot\b/,
};

/**
 * @param {string} text of a statement
 * @param {import('./read-schema.js').Schema} schema
 */
export function classify(text, schema) {
  const whole = withSources(withoutComments(text), schema.sources);
  const touched = new Map(
    [...schema.tables.values()]
      .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(whole))
      .map((table) => [table.name, distributionOf(table)]),
  );
  const written = [...touched.keys()].filter((name) =>
    new RegExp(`\\b(?:insert into|update|delete from) (?:only )?${name}\\b`).test(whole),
  );
  return {
    touched,
    written,
    features: Object.keys(features).filter((name) => features[name].test(whole)),
    group: groupOf(
      [...touched.values()],
      written.map((name) => touched.get(name) ?? ''),
      withoutComments(text),
    ),
  };
}

/** @param {string} text */
function withoutComments(text) {
  return text.replace(/--.*$/gm, '');
}

/** The statement with the functions and views that it uses, and those that these use. */
function withSources(text, sources) {
  const used = new Map();
  for (let grown = true; grown; ) {
    const whole = [text, ...used.values()].join('\n');
    const found = [...sources].filter(
      ([name]) => !used.has(name) && new RegExp(`\\b${name}\\b`).test(whole),
    );
    grown = found.length > 0;
    for (const [name, source] of found) used.set(name, source);
  }
  return [text, ...used.values()].join('\n');
}

/** The groups of statements, and what would have to change for each. */
export const groups = {
  'no goods and no feeds': 'nothing, except where a feature in the last column requires it',
  'one organisation': 'nothing: one server has all rows of the organisation',
  'several organisations':
    'one statement for each server that has one of them; Landfall joins the results',
  'goods by id or declaration':
    'tables of goods get the declarant as a column, in their keys and in these statements; a table that every server can read gives the declarant of an MRN and of an id; blocks of an upload are divided by declarant',
  'goods by document, container or receptacle':
    'the same, and a table distributed by reference gives the declarants of a document number, container or receptacle; otherwise every server is searched',
  'goods and organisations':
    'the goods are read on the server of their declarant, then the rows of each organisation on its own; Landfall joins the results',
  'writes for several':
    'one transaction over several servers (two-phase commit), in statements that each write one server: for the presenter, the declarant, each other recipient, and the audit trail',
  'audit trail':
    'nothing: a statement reads one chain, and `audit_record` has the chain in its key',
  'stream of goods items':
    'nothing: the stream has one order for all, so its tables stay on one server',
};

/**
 * @param {string[]} distributions of the touched tables
 * @param {string[]} written distributions of the written tables
 * @param {string} text
 * @returns {keyof typeof groups}
 */
function groupOf(distributions, written, text) {
  const has = (/** @type {string} */ distribution) => distributions.includes(distribution);
  if (has('stream')) return 'stream of goods items';
  const [organisations, goods] = [has('organisation'), has('declarant')];
  if (new Set(written.filter((each) => each !== 'everywhere')).size > 1)
    return 'writes for several';
  if (organisations && goods) return 'goods and organisations';
  if (organisations) {
    const isOne =
      /\b(?:owner|organisation_id|presenter) = \$\d/.test(text) && !/\bunnest\(/.test(text);
    return isOne ? 'one organisation' : 'several organisations';
  }
  if (goods)
    return byReference.test(text)
      ? 'goods by document, container or receptacle'
      : 'goods by id or declaration';
  return has('chain') ? 'audit trail' : 'no goods and no feeds';
}

/** A condition on a reference that does not name the declarant. */
const byReference =
  /\b(?:where|and|on|or)\s+(?:\w+\.)?(?:document_number|container_id|receptacle_id|master_document_number)\s*(?:=|in\b|like\b|>=|\^@)|\bfind_house_consignment\(/;
