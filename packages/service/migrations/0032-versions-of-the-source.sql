-- locks: entry_summary_declaration, for a moment
--
-- The version that the source of a declaration gave it: an older one changes nothing. Servers of the previous release do not
-- write it, and take what is sent.
alter table entry_summary_declaration add source_version bigint;
select audit_table('entry_summary_declaration', '{id}', '{}');
