-- concurrently
-- locks: nothing while it is built; kept_control can be read and written
--
-- What was declared for somebody who comes to be a party is found by its controls.
create index concurrently kept_control_relation on kept_control (relation);
