-- locks: presented_reference, withdrawn_house_consignment and the tables of the audit trail, for a moment each
--
-- Capitals of letters whose capital is more than one letter, or that are not the small letter of their capital; what the audit
-- trail has of rows that are changed beside an acceptance, or by a session that pretends to have appended a record; and the
-- order of what is recorded while the clock is behind.

-- For every text the same as `identifierKey` of the contract: a letter becomes the capital of its small letter, by the full
-- mappings of Unicode, where that is Latin, Greek, Cyrillic or Armenian (decision 0195).
create or replace function normalise_identifier(identifier text) returns text language plpgsql immutable strict parallel safe as $$
declare
  letters text := normalize(regexp_replace(identifier collate "C", '[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'), NFD);
begin
  if letters ~ '[ßŉևẚẞﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ]' then
    select string_agg(coalesce(capitals, letter), '' order by place) into letters
    from string_to_table(letters, null) with ordinality as each (letter, place)
    left join (values ('ß', 'SS'), ('ŉ', 'ʼN'), ('և', 'ԵՒ'), ('ẚ', 'Aʾ'), ('ẞ', 'SS'), ('ﬀ', 'FF'), ('ﬁ', 'FI'), ('ﬂ', 'FL'), ('ﬃ', 'FFI'), ('ﬄ', 'FFL'), ('ﬅ', 'ST'), ('ﬆ', 'ST'), ('ﬓ', 'ՄՆ'), ('ﬔ', 'ՄԵ'), ('ﬕ', 'ՄԻ'), ('ﬖ', 'ՎՆ'), ('ﬗ', 'ՄԽ')) as capital (small, capitals)
      on small = letter collate "C";
  end if;
  return normalize(translate(letters,
    'abcdefghijklmnopqrstuvwxyzµæðøþđħıĳŀłŋœŧſƀƃƅƈƌƒƕƙƚƞƣƥƨƭƴƶƹƽƿǅǆǈǉǋǌǝǥǲǳȝȣȥȼɂɇɉɋɍɏɓɔɖɗəɛɠɣɨɩɯɲɵʀʃʈʉʊʋʌʒͅͱͳͷͻͼͽαβγδεζηθικλμνξοπρςστυφχψωϐϑϕϖϗϙϛϝϟϡϣϥϧϩϫϭϯϰϱϲϳϴϵϸϻабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӄӆӈӊӌӎӏӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆᲀᲁᲂᲃᲄᲅᲆᲇⱥⱦ',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZΜÆÐØÞĐĦIĲĿŁŊŒŦSɃƂƄƇƋƑǶƘȽȠƢƤƧƬƳƵƸƼǷǄǄǇǇǊǊƎǤǱǱȜȢȤȻɁɆɈɊɌɎƁƆƉƊƏƐƓƔƗƖƜƝƟƦƩƮɄƱƲɅƷΙͰͲͶϽϾϿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΣΤΥΦΧΨΩΒΘΦΠϏϘϚϜϞϠϢϤϦϨϪϬϮΚΡϹͿΘΕϷϺАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӃӅӇӉӋӍӀӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖВДОСТТЪѢȺȾ'), NFC);
end
$$;

update presented_reference set reference = identifier_key(reference) where reference <> identifier_key(reference);
update withdrawn_house_consignment
set document_key = identifier_key(document_number), master_document_key = identifier_key(master_document_number)
where (document_key, master_document_key)
  is distinct from (identifier_key(document_number), identifier_key(master_document_number));
select append_audit_record(3, '{"action":"migrated","details":{}}')
where nullif(current_setting('landfall.audited_rows', true), '') is not null;

-- As before, but a setting that anybody can set does not say that the transaction has appended a record: what is noted
-- without one is in no record, and verification finds it.
create or replace function note_audited_rows(lists text) returns void language plpgsql as $$
begin
  if coalesce(current_setting('landfall.audit_time', true), '') <> ''
    and exists (select from audit_chain_end where xmin = pg_current_xact_id()::xid)
  then
    perform append_audited_rows(lists);
  else
    perform set_config('landfall.audited_rows',
      concat_ws(';', nullif(current_setting('landfall.audited_rows', true), ''), lists), true);
  end if;
end
$$;

-- As before, but the rows that its transaction has written already are counted once: they differ, and are accepted.
create or replace function accept_audited_rows() returns void language plpgsql as $$
declare
  tables json;
begin
  lock table audited_row_base in exclusive mode;
  perform set_config('landfall.audited_rows', '', true);
  with difference as materialized (
    select * from audited_difference
  ),
  accepted as (
    insert into audited_row_base as base (table_name, digest, rows)
    select table_name, digest, -rows from difference
    on conflict (table_name, digest) do update set rows = base.rows + excluded.rows
  )
  select json_object_agg(table_name, rows) into tables
  from (select table_name, sum(abs(rows)) as rows from difference group by table_name order by table_name) each;
  if tables is not null then
    delete from audited_row_base where rows = 0;
    perform record_accepted_rows(tables);
  end if;
end
$$;

-- As before, but what is recorded while the clock is behind what was recorded before is a millisecond later than that: times
-- of one moment have no order, and the clock of a new primary may be behind for long. The end of the chain keeps that time.
create or replace function record_time(given timestamptz) returns timestamptz language plpgsql as $$
declare
  now timestamptz := clock_timestamp();
  last timestamptz;
begin
  if given is null then
    select max(recorded_at) into last from generate_series(1, 32) number -- the rows of audit_chain_end
    cross join lateral (
      select recorded_at from audit_chain_end where chain <= number order by chain desc limit 1 -- the newest version
    ) last;
    if last >= now then
      now := last + interval '1 ms';
      perform set_config('landfall.record_time', now::text, true);
    end if;
  end if;
  return date_trunc('milliseconds', coalesce(given, now));
end
$$;

-- As before, but never earlier than what the transaction has recorded.
create or replace function extend_audit_chain(lock_namespace integer, entry text, out chain integer, out "position" bigint)
language plpgsql as $$
declare
  chains constant integer := 32; -- the rows of audit_chain_end
  locked boolean;
  new_digest bytea;
  new_time timestamptz;
begin
  for step in 1 .. chains loop
    chain := (pg_backend_pid() + step) % chains + 1;
    locked := pg_try_advisory_xact_lock(lock_namespace, chain);
    exit when locked;
  end loop;
  if not locked then
    perform pg_advisory_xact_lock(lock_namespace, chain);
  end if;

  update audit_chain_end last set
    position = last.position + 1,
    digest = sha256(last.digest || convert_to(extend_audit_chain.entry, 'UTF8')),
    recorded_at = greatest(last.recorded_at, clock_timestamp(),
      nullif(current_setting('landfall.record_time', true), '')::timestamptz)
  where last.ctid = ( -- the newest version, as in append_to_feeds
    select newest.ctid from audit_chain_end newest
    where newest.chain <= extend_audit_chain.chain order by newest.chain desc limit 1)
  returning last.position, last.digest, last.recorded_at into extend_audit_chain.position, new_digest, new_time;
  perform set_config('landfall.audit_time', new_time::text, true);
  insert into audit_record (chain, position, digest, entry, recorded_at)
  values (extend_audit_chain.chain, extend_audit_chain.position, new_digest, extend_audit_chain.entry, new_time);
end
$$;
