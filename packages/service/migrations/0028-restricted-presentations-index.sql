-- concurrently
-- locks: nothing while it is built; presented_reference can be read and written
--
-- When a declaration names other parties, what their presentations come to reach, or reach no longer.
create index concurrently presented_reference_presenter on presented_reference (presenter) where expected_only;
