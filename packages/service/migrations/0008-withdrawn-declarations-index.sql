-- concurrently
-- locks: nothing while it is built; entry_summary_declaration can be read and written
--
-- Retention finds withdrawn declarations by the registration that withdrew them.
create index concurrently entry_summary_declaration_withdrawal on entry_summary_declaration (withdrawal) where withdrawal is not null;
