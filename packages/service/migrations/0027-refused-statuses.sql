-- locks: validation_status_ens, for a moment
--
-- A refused request shows its presenter nothing of the declarations that its reference reached: the one that was kept when
-- its status was removed made them visible to checks of releases. Those of accepted requests are in level_presentation.
drop trigger keep_declaration on validation_status_ens;
