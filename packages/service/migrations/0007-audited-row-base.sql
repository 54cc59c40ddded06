-- locks: nothing; reads every row that the audit trail covers
--
-- The rows that were there before the trail covered them are taken as they are.
select accept_audited_rows();
