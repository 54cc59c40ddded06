-- locks: nothing
--
-- The bytes of which the audit trail has the digest, of a decision: so that an export of decisions can be verified without
-- the database.
create function audited_contents(decision routing_decision) returns bytea language plpgsql stable as $$
declare
  contents bytea;
begin
  -- The expression is that of `audit_table`.
  execute (
    select format('select %s from (select ($1).*) r',
      split_part(split_part(digests, 'select audited_digest(', 2), ') as digest, row(', 1))
    from audited_table where name = 'routing_decision'
  ) into contents using decision;
  return contents;
end
$$;
